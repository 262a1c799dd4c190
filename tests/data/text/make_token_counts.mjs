// SPDX-License-Identifier: MIT
// Writes token_counts.json, small.tiktoken and small_tokens.json beside itself, with the npm package js-tiktoken.
//   npm install js-tiktoken@1.0.21 && node make_token_counts.mjs <folder with the data of others>
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(join(process.cwd(), 'x.js'));
const { Tiktoken } = require('js-tiktoken/lite');
const ranks = (name) => require('js-tiktoken/ranks/' + name);
const here = dirname(fileURLToPath(import.meta.url));
const names = ['cl100k_base', 'o200k_base'];
const encoders = Object.fromEntries(names.map((n) => [n, new Tiktoken(ranks(n))]));

function counts(origin, root, folders) {
    const out = [];
    for (const folder of folders) {
        for (const file of readdirSync(join(root, folder)).sort()) {
            const bytes = readFileSync(join(root, folder, file));
            const row = { origin, file: join(folder, file), bytes: bytes.length,
                          sha256: createHash('sha256').update(bytes).digest('hex') };
            for (const n of names) row[n] = encoders[n].encode(bytes.toString('utf8'), [], []).length;
            out.push(row);
        }
    }
    return out;
}
const rows = [...counts('samples', here, ['samples']),
              ...counts('shared', process.argv[2], ['bfcl', 'metagpt', 'openhands', 'swe-agent'])];
writeFileSync(join(here, 'token_counts.json'), '[\n' + rows.map((r) => '  ' + JSON.stringify(r)).join(',\n') + '\n]\n');

// Ranks of our own: the single bytes in a shuffled order, then the 300 most frequent pairs of the samples, one by one.
const tokens = Array.from({ length: 256 }, (_, i) => Buffer.from([(i * 167 + 13) % 256]));
const words = new Map();
for (const file of readdirSync(join(here, 'samples')).sort()) {
    for (const w of readFileSync(join(here, 'samples', file), 'utf8').match(/ ?\p{L}+|\p{N}{1,3}|\s+| ?[^\s\p{L}\p{N}]+/gu)) {
        words.set(w, (words.get(w) ?? 0) + 1);
    }
}
let parts = [...words].map(([w, n]) => [[...Buffer.from(w)].map((b) => Buffer.from([b]).toString('latin1')), n]);
while (tokens.length < 556) {
    const pairs = new Map();
    for (const [p, n] of parts)
        for (let i = 0; i + 1 < p.length; ++i) pairs.set(p[i] + p[i + 1], (pairs.get(p[i] + p[i + 1]) ?? 0) + n);
    const known = new Set(tokens.map((t) => t.toString('latin1')));
    const best = [...pairs].filter(([k]) => !known.has(k)).sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))[0][0];
    tokens.push(Buffer.from(best, 'latin1'));
    parts = parts.map(([p, n]) => {
        const q = [];
        for (let i = 0; i < p.length; ++i) q.push(i + 1 < p.length && p[i] + p[i + 1] === best ? p[i] + p[++i] : p[i]);
        return [q, n];
    });
}
const base64 = tokens.map((t) => t.toString('base64'));
writeFileSync(join(here, 'small.tiktoken'), base64.map((t, i) => `${t} ${i}\n`).join(''));

const texts = [
    '', 'a', "It's the keeper's log; WE'LL see, they'Ve gone.", 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'the theatre, then there',
    '  two  spaces\n\n  and\tlines\r\n\r\n   x', 'userName HTTPServer parseURL2 XMLHttp_request', '12 123 1234 1234567 3.14',
    '海は二度と同じ顔を見せない。', 'Море никогда не бывает одинаковым', 'e\u0301a\u0308 \u0301x A\u0301BC', '/path//to/file.txt/\n//\n',
    '🚢🌊 ✓ → «да»', 'Ǆ ǅ ʰ ª', ' \u00a0\u3000 wide', 'end with line\n', '!!!...???\n\n\nx', 'no\u200dbreak\u2028here',
    readFileSync(join(here, 'samples/mixed.txt'), 'utf8'),
];
const small = (pattern) => new Tiktoken({ pat_str: pattern, special_tokens: { '<|none|>': 99999 },
                                          bpe_ranks: '! 0 ' + base64.join(' ') });
const smalls = Object.fromEntries(names.map((n) => [n, small(ranks(n).pat_str)]));
const expected = texts.map((text) => ({ text, ...Object.fromEntries(names.map((n) => [n, smalls[n].encode(text)])) }));
writeFileSync(join(here, 'small_tokens.json'), '[\n' + expected.map((r) => '  ' + JSON.stringify(r)).join(',\n') + '\n]\n');
