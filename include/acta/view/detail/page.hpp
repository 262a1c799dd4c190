// SPDX-License-Identifier: MIT
// clang-format off
#pragma once

#include <string_view>

#include "acta/version.hpp"

namespace acta::inline ACTA_ABI::view_detail {

// The page of `to_html`, cut where its data goes. After a change of the style or the script run
// python3 cmake/view_page.py, which sets their hashes in the policy.

/// The page up to its data.
inline constexpr std::string_view page_before =
R"~page~(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="acta">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-KCA7ko+92EI85vZncodU9WSw5G2l66M/oLLQY9J3iWA='; script-src 'sha256-rRAMU6ugqUpFcK9Ma7ceyaHzy/fWhnbq3oUKGLIa0n8='; base-uri 'none'; form-action 'none'">
<title>Run</title>
<style>
:root {
  color-scheme: light dark;
  --back: #f6f7f9; --card: #fff; --ink: #1b1f24; --soft: #57606a; --line: #d4d9df; --pick: #dbe9ff;
  --link: #0552b5; --good: #17692f; --bad: #b3161b; --bad-back: #fdeced; --halt: #855300; --halt-back: #fff4de;
  --open: #5b4bb0; --mark: #ffe58a; --mark-ink: #1b1f24; --said: #eef2f7; --bar: #8aa5c8;
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --back: #12161b; --card: #1a2027; --ink: #e4e9ef; --soft: #a3adb8; --line: #333c46; --pick: #1f3a5f;
    --link: #86b9ff; --good: #6fd08c; --bad: #ff8f8c; --bad-back: #3a1d20; --halt: #f1bd5b; --halt-back: #352a14;
    --open: #bcb0ff; --mark: #6a5600; --mark-ink: #fff; --said: #212932; --bar: #4d6a91;
  }
}
* { box-sizing: border-box; }
html, body { height: 100%; margin: 0; }
body { display: flex; flex-direction: column; background: var(--back); color: var(--ink); font: 14px/1.45 system-ui, sans-serif; }
h1, h2, h3, p, dl, dd, pre, ul { margin: 0; }
h1 { font-size: 18px; overflow-wrap: anywhere; }
h2 { font-size: 16px; }
h3 { font-size: 12px; font-weight: 600; color: var(--soft); margin-bottom: 4px; }
button, input, select { font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: 6px; padding: 3px 9px; min-height: 28px; }
button { cursor: pointer; }
button[aria-pressed=true] { background: var(--pick); border-color: var(--link); }
:focus-visible { outline: 2px solid var(--link); outline-offset: 1px; }
[hidden] { display: none !important; }
header { padding: 10px 16px 6px; display: grid; grid-template-columns: minmax(0, 1fr); gap: 6px; }
.top { display: flex; flex-wrap: wrap; gap: 2px 14px; align-items: baseline; }
.top button { margin-left: auto; }
#verdict { font-weight: 600; overflow-wrap: anywhere; min-width: 0; }
#totals { display: flex; flex-wrap: wrap; gap: 2px 18px; color: var(--soft); }
#totals div { display: flex; gap: 5px; }
#totals dd { color: var(--ink); font-weight: 600; }
#problems { display: flex; flex-wrap: wrap; gap: 6px; align-items: center; }
#problems button { border-color: var(--bad); background: var(--bad-back); color: var(--bad); max-width: 30em; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.note { background: var(--halt-back); color: var(--halt); border-radius: 6px; padding: 4px 9px; overflow-wrap: anywhere; }
#strip { display: flex; gap: 8px; align-items: stretch; }
#strip div:first-child { flex: 1; min-width: 0; position: relative; background: var(--card); border: 1px solid var(--line); border-radius: 6px; overflow: hidden; }
#strip canvas { display: block; width: 100%; height: 40px; cursor: pointer; }
#here { position: absolute; top: 0; bottom: 0; width: 2px; margin-left: -1px; background: var(--ink); pointer-events: none; }
#columns { display: flex; gap: 4px; align-items: center; }
#tools { display: flex; flex-wrap: wrap; gap: 6px; align-items: center; padding: 4px 16px 8px; }
#tools input { flex: 1 1 12em; min-width: 0; max-width: 26em; }
#tools select { max-width: 14em; }
#count { color: var(--soft); }
main { flex: 1; min-height: 0; display: grid; grid-template-columns: minmax(260px, 38%) 1fr; border-top: 1px solid var(--line); }
#list { overflow-y: auto; position: relative; background: var(--card); border-right: 1px solid var(--line); outline-offset: -2px; }
#rows { position: relative; overflow: hidden; }
.row { position: absolute; left: 0; right: 0; top: 0; height: 46px; padding: 4px 10px; display: grid; grid-template-columns: 4.6em 1.3em 1fr auto; grid-template-rows: 19px 19px; border-bottom: 1px solid var(--line); cursor: pointer; overflow: hidden; white-space: nowrap; }
.row > * { overflow: hidden; text-overflow: ellipsis; }
.row .number { color: var(--soft); font-variant-numeric: tabular-nums; }
.row .first { font-family: var(--mono); font-size: 12.5px; }
.row .took { color: var(--soft); font-size: 12px; padding-left: 8px; }
.row .second { grid-column: 3 / 5; color: var(--soft); font-size: 12.5px; }
.row.said { background: var(--said); }
.row.said .first { font-family: inherit; font-weight: 600; }
.row.e { box-shadow: inset 4px 0 var(--bad); }
.row.i { box-shadow: inset 4px 0 var(--halt); }
.row.o { box-shadow: inset 4px 0 var(--open); }
.row.e .second { color: var(--bad); }
.row[aria-selected=true] { background: var(--pick); }
.row[aria-selected=true] :is(.second, .number, .took) { color: var(--ink); }
.glyph.s { color: var(--good); } .glyph.e { color: var(--bad); } .glyph.i { color: var(--halt); } .glyph.o { color: var(--open); }
.nothing { padding: 24px; color: var(--soft); }
#detail { overflow-y: auto; padding: 12px 16px 40px; outline-offset: -2px; }
.head { display: flex; flex-wrap: wrap; gap: 4px 12px; align-items: center; margin-bottom: 4px; }
.facts { color: var(--soft); margin-bottom: 10px; overflow-wrap: anywhere; }
.tabs { display: flex; flex-wrap: wrap; gap: 4px; margin-left: auto; }
.block { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 8px 10px; margin-bottom: 10px; min-width: 0; }
.block.bad { background: var(--bad-back); border-color: var(--bad); }
.block.bad h3 { color: var(--bad); }
.block.halt { background: var(--halt-back); border-color: var(--halt); }
.block.halt h3 { color: var(--halt); }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 300px), 1fr)); gap: 0 10px; align-items: start; }
pre { font: 12.5px/1.45 var(--mono); white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: plaintext; tab-size: 4; }
.words pre { font: inherit; }
.fold { max-height: 23em; overflow: hidden; -webkit-mask-image: linear-gradient(#000 80%, transparent); mask-image: linear-gradient(#000 80%, transparent); }
.more { margin-top: 4px; }
.name { font-family: var(--mono); font-weight: 600; overflow-wrap: anywhere; }
.id { color: var(--soft); font-family: var(--mono); font-size: 12px; overflow-wrap: anywhere; }
.arguments { display: grid; grid-template-columns: fit-content(14em) minmax(0, 1fr); gap: 3px 10px; margin-top: 4px; }
.arguments dt { color: var(--soft); font-family: var(--mono); font-size: 12.5px; overflow-wrap: anywhere; min-width: 0; }
.arguments dd { margin: 0; min-width: 0; }
.near { display: grid; gap: 6px; }
.near button { text-align: left; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; min-width: 0; }
.rich > * + * { margin-top: 6px; }
.rich h4 { margin: 0; font-size: 14px; }
.rich ul, .rich ol { margin: 0; padding-left: 1.6em; }
.rich code { font: 12.5px var(--mono); background: var(--said); border-radius: 3px; padding: 0 3px; }
.rich pre { background: var(--said); border-radius: 6px; padding: 6px 8px; }
.rich pre, .rich pre code { font: 12.5px/1.45 var(--mono); }
.rich blockquote { margin: 0; padding-left: 10px; border-left: 3px solid var(--line); }
.rich p, .rich li, .rich h4, .rich blockquote { overflow-wrap: anywhere; unicode-bidi: plaintext; white-space: pre-wrap; }
.result { border-top: 1px dashed var(--line); margin-top: 8px; padding-top: 6px; }
.result.e h3 { color: var(--bad); } .result.i h3 { color: var(--halt); }
.control { background: var(--mark); color: var(--mark-ink); border-radius: 3px; padding: 0 2px; font: 11px var(--mono); unicode-bidi: isolate; }
mark { background: var(--mark); color: var(--mark-ink); }
dialog { background: var(--card); color: var(--ink); border: 1px solid var(--line); border-radius: 10px; max-width: 34em; width: calc(100% - 32px); }
dialog::backdrop { background: #0007; }
dialog h2 { margin-bottom: 8px; }
dialog td { padding: 2px 14px 2px 0; vertical-align: top; }
kbd { font: 12px var(--mono); border: 1px solid var(--line); border-bottom-width: 2px; border-radius: 4px; padding: 0 5px; }
#paper { display: none; }
#back { display: none; }
@media (max-width: 720px) {
  header { padding: 8px 10px 4px; } #tools { padding: 4px 10px 6px; }
  main { grid-template-columns: 1fr; }
  #list { border-right: 0; } #detail { display: none; padding: 10px; }
  .shown #list { display: none; } .shown #detail { display: block; }
  .shown header, .shown #tools { display: none; }
  #back { display: inline-block; }
  #strip { flex-direction: column; gap: 4px; }
  .row { grid-template-columns: 3.6em 1.3em 1fr auto; }
  .arguments { grid-template-columns: minmax(0, 1fr); gap: 0; }
  #problems button { max-width: 100%; }
  #ask { display: none; }
  #problems button:nth-of-type(n+2):not(:nth-last-of-type(-n+2)) { display: none; }
}
@media print {
  :root {
    color-scheme: light; --back: #fff; --card: #fff; --ink: #000; --soft: #444; --line: #bbb; --said: #fff; --link: #000;
    --good: #060; --bad: #900; --bad-back: #fff; --halt: #630; --halt-back: #fff; --open: #339; --mark: #eee; --mark-ink: #000;
  }
  html, body { height: auto; } body { display: block; }
  main, #tools, #strip, .top button, #problems button.all, .tabs, .more, dialog { display: none !important; }
  .shown header { display: grid !important; }
  #paper { display: block; padding: 0 16px; }
  #paper section { border-top: 1px solid #999; padding-top: 8px; }
  .fold { max-height: none; -webkit-mask-image: none; mask-image: none; }
  .head { break-after: avoid; }
}
</style>
</head>
<body>
<header>
  <div class="top"><h1 id="title">Run</h1><p id="verdict"></p><button id="ask" type="button" aria-haspopup="dialog">Keys <kbd>?</kbd></button></div>
  <dl id="totals"></dl>
  <div id="notes"></div>
  <nav id="problems" aria-label="Errors" hidden></nav>
  <div id="strip" hidden><div><canvas id="bars" role="img"></canvas><span id="here"></span></div><div id="columns" role="group" aria-label="What the bars show"></div></div>
</header>
<div id="tools" role="search">
  <input id="search" type="search" placeholder="Search" aria-label="Search in everything that was recorded" autocomplete="off" spellcheck="false">
  <select id="status" aria-label="Show steps of this status"></select>
  <select id="tool" aria-label="Show steps that call this tool"></select>
  <span id="count" role="status"></span>
</div>
<main>
  <div id="list" role="listbox" tabindex="0" aria-label="Steps and messages"><div id="rows" role="presentation"></div></div>
  <article id="detail" tabindex="0" aria-label="The selected step"></article>
</main>
<div id="paper"></div>
<dialog id="help" aria-labelledby="help-title">
  <h2 id="help-title">Keys</h2>
  <table><tbody>
    <tr><td><kbd>j</kbd> <kbd>↓</kbd></td><td>next row</td></tr>
    <tr><td><kbd>k</kbd> <kbd>↑</kbd></td><td>previous row</td></tr>
    <tr><td><kbd>g</kbd> <kbd>G</kbd></td><td>first row, last row</td></tr>
    <tr><td><kbd>e</kbd> <kbd>E</kbd></td><td>next error, previous error</td></tr>
    <tr><td><kbd>/</kbd></td><td>search; only rows with a match stay in the list</td></tr>
    <tr><td><kbd>s</kbd> <kbd>m</kbd> <kbd>r</kbd></td><td>the step, what the model saw, raw JSON</td></tr>
    <tr><td><kbd>Enter</kbd> <kbd>Esc</kbd></td><td>open the row on a narrow screen; back, or show everything again</td></tr>
    <tr><td><kbd>?</kbd></td><td>this list</td></tr>
  </tbody></table>
  <p>Add <code>#step=42</code> to the address to open a step. Printing prints the rows in the list.</p>
  <p><button id="close" type="button">Close</button></p>
</dialog>
<noscript><p class="note">This page shows its run with a script, and scripts are off. The run stands below as JSON, a line for each row.</p></noscript>
<script id="data" type="text/plain">)~page~";

/// The page after its data.
inline constexpr std::string_view page_after =
R"~page~(</script>
<script>
'use strict';
(() => {
const $ = id => document.getElementById(id);

// --- The data: a line of JSON for each row, parsed when it is shown.
const text = $('data').textContent;
const starts = [];
for (let at = 0; at >= 0 && at < text.length; at = text.indexOf('\n', at) + 1 || -1) starts.push(at);
const lineAt = i => text.slice(starts[i], i + 1 < starts.length ? starts[i + 1] - 1 : text.length);
const parsed = i => { try { return JSON.parse(lineAt(i)); } catch { return null; } };
const head = parsed(0) || {title: '', kinds: '', tools: [], calls: [], totals: {steps: 0}, pending: [], rolling: null};
const size = head.kinds.length;
const last = starts.length === size + 2 ? parsed(size + 1) : null;
const kinds = head.kinds;
const isStep = row => kinds[row] > 'Z';
const numbers = new Int32Array(size);  // of the step or message, from 1
const stepRows = [];
{
  let said = 0;
  for (let row = 0; row < size; ++row) {
    if (isStep(row)) numbers[row] = stepRows.push(row); else numbers[row] = ++said;
  }
}
const cache = new Map();
function rowAt(row) {
  let value = cache.get(row);
  if (value === undefined) {
    value = parsed(row + 1) || {};
    if (cache.size > 300) cache.clear();
    cache.set(row, value);
  }
  return value;
}

const statuses = {s: 'success', e: 'error', i: 'interrupted by a human', o: 'did not finish'};
const glyphs = {s: '✓', e: '✗', i: '‖', o: '…'};
const speakers = {S: 'Instructions', U: 'User', A: 'Answer'};
const plural = (n, one, many = one + 's') => `${n.toLocaleString('en')} ${n === 1 ? one : many}`;
const whole = n => Math.round(n).toLocaleString('en');
const money = n => '$' + (n >= 1 ? n.toFixed(2) : n >= 0.001 || n === 0 ? n.toFixed(4) : n.toPrecision(2));
function time(ms) {
  if (ms < 1000) return ms > 0 && ms < 1 ? '<1 ms' : `${Math.round(ms)} ms`;
  if (ms < 59950) return `${(ms / 1000).toFixed(1)} s`;
  const s = Math.round(ms / 1000);
  return s < 3600 ? `${Math.floor(s / 60)} min ${s % 60} s` : `${Math.floor(s / 3600)} h ${Math.floor(s % 3600 / 60)} min`;
}

// A moment in the reader's own zone; a time of no known zone as it is.
function localTime(words) {
  const moment = /[Zz]$|[+-]\d\d:?\d\d$/.test(words) ? new Date(words) : null;
  if (!moment || isNaN(moment)) return String(words).replace('T', ' ');
  return moment.toLocaleString('sv') + ' ' + (new Intl.DateTimeFormat('en', {timeZoneName: 'short'}).formatToParts(moment).find(one => one.type === 'timeZoneName')?.value ?? '');
}

// --- Text. What a page must not obey, or would not show, stands as a mark: what unicode::is_hidden names.
const picture = '\\xa9\\xae\\u203c\\u2049\\u2122\\u2139\\u2190-\\u21ff\\u2300-\\u23ff\\u24c2\\u25a0-\\u27bf\\u2900-\\u297f\\u2b00-\\u2bff\\u3030\\u303d\\u3297\\u3299\\u{1f000}-\\u{1faff}';
const joined = '\\u0620-\\u08ff\\u0900-\\u109f\\u1780-\\u17b3\\u17b6-\\u180a\\u1820-\\u18af';
const control = new RegExp('\\r(?!\\n)|[\\0-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f\\xad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b\\u200e\\u200f' +
  '\\u2028-\\u202e\\u2060-\\u206f\\u2800\\u3164\\ufe00-\\ufe0d\\ufeff\\uffa0\\ufff0-\\ufffb\\ud800-\\udfff\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}]' +
  `|(?<![${picture}])[\\ufe0e\\ufe0f](?!\\u20e3)|(?<![${joined}])(?:\\u200c|(?<![${picture}\\ufe0f])\\u200d|\\u200d(?![${picture}]))`, 'gu');
const names = {0x0d: 'CR', 0x1b: 'ESC', 0x07: 'BEL', 0x00: 'NUL', 0x08: 'BS', 0x7f: 'DEL'};
const nameOf = c => names[c.codePointAt(0)] || 'U+' + c.codePointAt(0).toString(16).toUpperCase().padStart(4, '0');
const plain = words => String(words).replace(control, c => `⟨${nameOf(c)}⟩`);
let wanted = '';  // the search, in lower case
function putFound(parent, words) {
  if (wanted) {
    const lower = words.toLowerCase();
    if (lower.length === words.length) {
      let from = 0;
      for (let at = lower.indexOf(wanted), n = 0; at >= 0 && n < 500; at = lower.indexOf(wanted, from), ++n) {
        parent.append(words.slice(from, at));
        parent.append(make('mark', '', words.slice(at, at + wanted.length)));
        from = at + wanted.length;
      }
      words = words.slice(from);
    }
  }
  if (words) parent.append(words);
}
function put(parent, words) {
  words = String(words);
  let from = 0;
  for (const match of words.matchAll(control)) {
    putFound(parent, words.slice(from, match.index));
    const mark = make('span', 'control', nameOf(match[0]));
    mark.title = 'a control character, shown as its name';
    parent.append(mark);
    from = match.index + match[0].length;
  }
  putFound(parent, words.slice(from));
  return parent;
}
function make(tag, kind = '', words = '') {
  const node = document.createElement(tag);
  if (kind) node.className = kind;
  if (words !== '') node.append(words);
  return node;
}
const putIn = (tag, kind, words) => put(make(tag, kind), words);
const shorten = (words, most = 300) => words.length > most ? words.slice(0, most) + '…' : words;
const oneLine = words => shorten(String(words).trim().replace(/\s+/g, ' '));
const written = value => typeof value === 'string' ? value : JSON.stringify(value, null, 2) ?? '';
const brief = value => typeof value === 'string' ? value : shorten(JSON.stringify(value) ?? '');
// A value as acta's texts spell it in a call: as a Python literal.
function literal(value, most = 120) {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'string') {
    const quote = value.includes("'") && !value.includes('"') ? '"' : "'";
    const text = shorten(value, most).replace(/\\/g, '\\\\').replace(/\n/g, '\\n').replace(/\t/g, '\\t').replace(/\r/g, '\\r');
    return quote + (quote === "'" ? text.replace(/'/g, "\\'") : text) + quote;
  }
  if (Array.isArray(value)) return shorten(`[${value.slice(0, 40).map(one => literal(one, 40)).join(', ')}]`, most);
  if (typeof value === 'object') return shorten(`{${Object.entries(value).slice(0, 40).map(([key, one]) => `${literal(key, 40)}: ${literal(one, 40)}`).join(', ')}}`, most);
  return String(value);
}

// --- What a row holds.
function callsOf(row) {
  const {episode = {}, calls, ids = []} = row;
  const action = episode.action || {};
  const many = Array.isArray(action.use_tools) && action.use_tools.length ? action.use_tools : null;
  const all = calls || many || (action.use_tool ? [action.use_tool] : []);
  const results = new Map();
  for (const one of episode.tool_results || []) if (one && one.tool_call_id !== undefined) results.set(one.tool_call_id, one.result);
  return all.map((call, i) => {
    const id = ids[i] ?? '';
    if (typeof call !== 'object' || call === null) return {cut: String(call), id};
    return {name: String(call.name ?? ''), arguments: call.arguments ?? {}, id, result: results.get(id)};
  });
}
function thoughtsOf(row) {
  if (row.thoughts !== undefined) return row.thoughts;
  const thoughts = row.episode?.action?.thoughts;
  return thoughts === undefined || thoughts === null ? '' : written(thoughts);
}
function callText(call) {
  if (call.cut) return call.cut;
  const parts = Object.entries(call.arguments).map(([key, value]) => `${key}=${literal(value)}`);
  return `${call.name}(${parts.join(', ')})`;
}
function outcomeText(result) {
  if (!result) return '';
  if (result.status === 'error') return result.reason || result.error?.message || 'error';
  if (result.status === 'interrupted_by_human') return result.feedback;
  return brief(result.outputs);
}
function saidText(row) {
  const content = row.message?.content;
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return content ? written(content) : '';
  return content.map(part => typeof part?.text === 'string' ? part.text : written(part)).join('\n');
}
const failed = call => call.result?.status === 'error';

// --- The head.
function verdict() {
  if (!size) return ['Nothing is recorded yet', ''];
  if (head.end) return [`Ended: ${oneLine(head.end)}`, 'e'];
  const end = kinds[size - 1], step = whole(stepRows.length);
  if (end === 'A') return ['Ended with an answer', 's'];
  if (end === 'e') return [`Ended with an error at step ${step}`, 'e'];
  if (end === 'i') return [`A human interrupted step ${step}`, 'i'];
  if (end === 'o') return [`Step ${step} did not finish`, 'o'];
  if (end === 's') return [`Step ${step} succeeded; there is no answer`, 'o'];
  return ['The last word is not the agent’s', 'o'];
}
function showHead() {
  document.title = plain(head.title) || 'Run';
  $('title').replaceChildren();
  put($('title'), head.title || 'Run');
  const [words, kind] = verdict();
  put($('verdict'), words);
  if (kind) $('verdict').classList.add('glyph', kind);
  const total = head.totals, facts = [];
  const errors = stepRows.filter(row => kinds[row] === 'e');
  facts.push(['Steps', whole(stepRows.length)]);
  if (errors.length) facts.push(['Errors', whole(errors.length)]);
  const of = known => known < stepRows.length ? ` (${whole(known)} of ${whole(stepRows.length)} steps known)` : '';
  if (total.steps_with_tokens) {
    const cached = total.cached ? `, ${whole(total.cached)} cached` : '', reasoning = total.reasoning ? `, ${whole(total.reasoning)} reasoning` : '';
    facts.push(['Tokens', `${whole(total.prompt)} in${cached}, ${whole(total.completion)} out${reasoning}${of(total.steps_with_tokens)}`]);
  }
  if (total.ms) facts.push(['Time in steps', time(total.ms)]);
  if (total.steps_with_cost) facts.push(['Cost', money(total.cost) + of(total.steps_with_cost)]);
  for (const [name, value] of facts) {
    const one = make('div');
    one.append(make('dt', '', name), make('dd', '', value));
    $('totals').append(one);
  }
  const note = words => $('notes').append(putIn('p', 'note', words));
  if (!last) note('This file is not complete: its end is missing. Get it again from where it came.');
  if (last?.cuts) note(`${plural(last.cuts, 'value')} longer than the page’s limit ${last.cuts === 1 ? 'was' : 'were'} cut when it was written; each says how much is missing.`);
  for (const feedback of head.pending) note(`Feedback that the agent has not taken: ${feedback}`);
  if (errors.length) {
    $('problems').hidden = false;
    $('problems').append(make('span', '', errors.length > 4 ? 'First and last errors:' : 'Errors:'));
    for (const row of errors.length > 4 ? [...errors.slice(0, 2), ...errors.slice(-2)] : errors) {
      const button = make('button');
      button.type = 'button';
      const value = rowAt(row), call = callsOf(value).find(failed) || callsOf(value)[0];
      put(button, `${numbers[row]} ${call?.name || ''}: ${oneLine(outcomeText(value.episode?.result))}`);
      button.addEventListener('click', () => { showEverything(); select(row, true); });
      $('problems').append(button);
    }
    if (errors.length > 4) {
      const all = make('button', 'all', `all ${whole(errors.length)}`);
      all.type = 'button';
      all.addEventListener('click', () => { $('status').value = 'e'; filter(errors[0]); });
      $('problems').append(all);
    }
  }
  const option = (select, value, words) => { const one = make('option', '', words); one.value = value; select.append(one); };
  option($('status'), '', 'Every status');
  for (const [kind, name] of Object.entries(statuses)) {
    const n = stepRows.reduce((sum, row) => sum + (kinds[row] === kind), 0);
    if (n) option($('status'), kind, `${name[0].toUpperCase()}${name.slice(1)} (${whole(n)})`);
  }
  if (size > stepRows.length) option($('status'), 'm', `Messages (${whole(size - stepRows.length)})`);
  option($('tool'), '', 'Every tool');
  const uses = new Map();
  for (const calls of head.calls) for (const tool of new Set(calls)) uses.set(tool, (uses.get(tool) || 0) + 1);
  for (const [tool, n] of [...uses].sort((a, b) => b[1] - a[1])) option($('tool'), tool, `${plain(head.tools[tool]) || '(no call)'} (${whole(n)})`);
}

// --- The list: rows of one height, and only those in sight are nodes.
const rowHeight = 46;
let shown = Int32Array.from({length: size}, (_, i) => i);  // the rows that pass the filters
let selected = -1, view = 's';
const nodes = new Map();
function rowNode(row, place) {
  const node = make('div', isStep(row) ? `row ${kinds[row]}` : 'row said');
  node.id = `row-${row}`;
  node.setAttribute('role', 'option');
  node.setAttribute('aria-posinset', place + 1);
  node.setAttribute('aria-setsize', shown.length);
  node.dataset.row = row;
  const value = rowAt(row);
  if (isStep(row)) {
    const calls = callsOf(value), result = value.episode?.result;
    const bad = calls.find(failed);
    node.append(make('span', 'number', String(numbers[row])), make('span', `glyph ${kinds[row]}`, glyphs[kinds[row]]));
    node.children[1].setAttribute('aria-label', statuses[kinds[row]]);
    node.children[1].setAttribute('role', 'img');
    node.append(putIn('span', 'first', shorten(oneLine(calls.map(callText).join('  +  ')))));
    const ms = head.ms?.[row];
    node.append(make('span', 'took', ms === null || ms === undefined ? '' : time(ms)));
    const second = kinds[row] === 'e' || kinds[row] === 'i' ? outcomeText(bad?.result || result)
                                                               : value.episode?.summary || thoughtsOf(value) || outcomeText(result);
    node.append(make('span'), make('span'), putIn('span', 'second', oneLine(second)));
  } else {
    node.append(make('span', 'number'), make('span'), make('span', 'first', speakers[kinds[row]]), make('span', 'took'), make('span'), make('span'));
    node.append(putIn('span', 'second', oneLine(shorten(saidText(value), 1000))));
  }
  return node;
}
function placeOf(row) {  // where it stands among those shown, or where it would
  let low = 0, high = shown.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (shown[middle] < row) low = middle + 1; else high = middle;
  }
  return low;
}
function drawList() {
)~page~"
R"~page~(  const list = $('list'), from = Math.max(0, Math.floor(list.scrollTop / rowHeight) - 6);
  const to = Math.min(shown.length, Math.ceil((list.scrollTop + list.clientHeight) / rowHeight) + 6);
  for (const [row, node] of nodes) {
    if (node.place < from || node.place >= to) { node.remove(); nodes.delete(row); }
  }
  for (let place = from; place < to; ++place) {
    const row = shown[place];
    let node = nodes.get(row);
    if (!node) {
      node = rowNode(row, place);
      node.place = place;
      node.style.transform = `translateY(${place * rowHeight}px)`;
      nodes.set(row, node);
      $('rows').append(node);
    }
    node.setAttribute('aria-selected', row === selected);
  }
  if (nodes.has(selected)) list.setAttribute('aria-activedescendant', `row-${selected}`);
  else list.removeAttribute('aria-activedescendant');
}
function resetList() {
  $('list').setAttribute('role', shown.length ? 'listbox' : 'region');
  for (const node of nodes.values()) node.remove();
  nodes.clear();
  $('rows').style.height = `${shown.length * rowHeight}px`;
  $('rows').querySelector('.nothing')?.remove();
  drawList();
}
function reveal(row) {
  const list = $('list'), top = placeOf(row) * rowHeight;
  if (top < list.scrollTop) list.scrollTop = top;
  else if (top + rowHeight > list.scrollTop + list.clientHeight) list.scrollTop = top + rowHeight - list.clientHeight;
}

// --- The filters and the search.
function anyText(value, accepts) {
  if (value === null || typeof value !== 'object') return accepts(String(value));
  if (Array.isArray(value)) return value.some(one => anyText(one, accepts));
  return Object.entries(value).some(([key, one]) => !frame.has(key) && accepts(key) || anyText(one, accepts));
}
// Names of the record's own members, which every row has.
const frame = new Set(['episode', 'action', 'thoughts', 'use_tool', 'use_tools', 'name', 'arguments', 'result', 'outputs', 'reason', 'error',
  'status', 'summary', 'tool_results', 'tool_call_id', 'ids', 'metrics', 'message', 'role', 'content', 'raw_message', 'tool_calls', 'function']);
function matches(row, escaped) {
  if (!lineAt(row + 1).toLowerCase().includes(escaped)) return false;
  return anyText(parsed(row + 1), words => words.toLowerCase().includes(wanted));
}
let search = 0;  // the number of the newest search
function filter(then = selected) {
  const status = $('status').value, tool = $('tool').value;
  wanted = $('search').value.toLowerCase();
  const escaped = JSON.stringify(wanted).slice(1, -1).replace(/</g, '\\u003c');
  const found = [], mine = ++search;
  let row = 0;
  const passes = row => {
    if (status && !(status === 'm' ? !isStep(row) : kinds[row] === status)) return false;
    if (tool && !(isStep(row) && head.calls[numbers[row] - 1]?.includes(+tool))) return false;
    return !wanted || matches(row, escaped);
  };
  const finish = done => {
    shown = Int32Array.from(found);
    const limited = status || tool || wanted;
    $('count').textContent = limited ? `${whole(found.length)} of ${plural(size, 'row')}${done ? '' : ' so far'}` : plural(size, 'row');
    if (done) document.body.dataset.found = found.length; else delete document.body.dataset.found;
    resetList();
    if (!shown.length && done) $('rows').append(make('p', 'nothing', size ? 'Nothing matches.' : 'Nothing is recorded yet.')), $('rows').style.height = '80px';
  };
  const work = () => {
    if (mine !== search) return;
    const until = performance.now() + 24;
    for (; row < size; ++row) {
      if (passes(row)) found.push(row);
      if ((row & 15) === 15 && performance.now() > until) {
        ++row;
        finish(false);
        setTimeout(work);
        return;
      }
    }
    finish(true);
    if (shown.length && (then < 0 || shown[placeOf(then)] !== then)) then = shown[Math.min(placeOf(then), shown.length - 1)];
    if (shown.length) select(then);
    else showDetail();
  };
  work();
}
function showEverything() {
  if (!$('search').value && !$('status').value && !$('tool').value) return;
  $('search').value = $('status').value = $('tool').value = '';
  filter();
}

// --- The selected row.
const linkOf = row => `#${isStep(row) ? 'step' : 'message'}=${numbers[row]}`;
function select(row, open = false) {
  if (row < 0 || row >= size) return;
  const moved = row !== selected;
  selected = row;
  if (location.hash !== linkOf(row)) history.replaceState(null, '', linkOf(row));
  if (open) document.body.classList.add('shown');
  reveal(row);
  drawList();
  $('here').style.left = `${(row + 0.5) * 100 / size}%`;
  showDetail();
  if (moved) $('detail').scrollTop = 0;
}
function pre(words, fold = true) {
  const box = document.createDocumentFragment(), node = putIn('pre', '', words);
  const lines = words.length > 1500 ? words.split('\n', 5000).length + words.length / 160 : 0;
  box.append(node);
  if (fold && lines > 24) {
    node.classList.add('fold');
    const more = make('button', 'more', `Show all of it (${plural(words.length, 'character')})`);
    more.type = 'button';
    more.addEventListener('click', () => { node.classList.remove('fold'); more.remove(); });
    box.append(more);
  }
  return box;
}
function block(title, content, kind = '') {
  const box = make('section', `block ${kind}`);
  box.append(make('h3', '', title), content);
  return box;
}
function resultBox(result, title = true) {
  const box = document.createDocumentFragment();
  if (!result || typeof result !== 'object') {
    box.append(title ? make('h3', '', 'No result yet') : '', result ? putIn('pre', '', written(result)) : '');
    return box;
  }
  if (result.status === 'error') {
    if (title) box.append(make('h3', '', 'Error'));
    box.append(pre(result.reason ?? ''));
    if (result.error) {
      const {exception_type: type, message, args = []} = result.error;
      const causes = Array.isArray(args) ? args.filter(one => one !== message).map(brief) : [brief(args)];
      box.append(putIn('p', 'id', type + (message !== result.reason ? `: ${message}` : '')));
      if (causes.length) box.append(pre(causes.join('\n')));
    }
  } else if (result.status === 'interrupted_by_human') {
    if (title) box.append(make('h3', '', 'A human interrupted it'));
    box.append(pre(result.feedback ?? ''));
  } else {
    if (title) box.append(make('h3', '', 'Result'));
    box.append(pre(written(result.outputs)));
  }
  return box;
}
const resultKind = result => !result ? 'o' : result.status === 'error' ? 'e' : result.status === 'interrupted_by_human' ? 'i' : 's';
function callBox(call, result, many, told) {
  const box = make('section', 'block');
  if (call.cut) { box.append(make('h3', '', 'More calls'), pre(call.cut)); return box; }
  box.append(make('h3', '', 'Call'), putIn('span', 'name', call.name || '(no call)'), ' ', putIn('span', 'id', many ? call.id : ''));
  const entries = typeof call.arguments === 'object' ? Object.entries(call.arguments) : [['', call.arguments]];
  const grid = make('dl', 'arguments');
  for (const [key, value] of entries) {
    const words = make('dd');
    words.append(pre(written(value)));
    grid.append(putIn('dt', '', key), words);
  }
  if (entries.length) box.append(grid);
  if (told) return box;
  const below = make('div', `result ${resultKind(result)}`);
  below.append(resultBox(result));
  box.append(below);
  return box;
}
function factsOf(row, metrics) {
  const facts = [];
  if (metrics) {
    if (metrics.started_at) facts.push(`started ${localTime(metrics.started_at)}`);
    const ms = head.ms?.[row];
    if (ms !== null && ms !== undefined) facts.push(`took ${time(ms)}`);
    const number = (key, name) => { if (Number.isFinite(metrics[key])) facts.push(`${whole(metrics[key])} ${name}`); };
    number('prompt_tokens', 'tokens in');
    number('cached_tokens', 'cached');
    number('cache_write_tokens', 'written to the cache');
    number('completion_tokens', 'tokens out');
    number('reasoning_tokens', 'reasoning');
    if (Number.isFinite(metrics.cost_usd)) facts.push(money(metrics.cost_usd));
    if (metrics.model) facts.push(metrics.model);
  }
  return putIn('p', 'facts', facts.join(' · '));
}
function stepBody(row, value) {
  const box = document.createDocumentFragment(), {episode = {}} = value, calls = callsOf(value), result = episode.result;
  // Of parallel calls the first that failed says what went wrong; each also has its own result below it.
  if (result?.status === 'error') box.append(block('What went wrong', resultBox(result, false), 'bad'));
  if (result?.status === 'interrupted_by_human') box.append(block('What the human said', resultBox(result, false), 'halt'));
  const thoughts = thoughtsOf(value), pair = make('div', 'pair');
  if (thoughts) pair.append(block('Thoughts', pre(thoughts), 'words'));
  const reasoning = episode.action?.raw_message?.reasoning_content;
  if (reasoning && reasoning !== thoughts) pair.append(block('Reasoning', pre(reasoning), 'words'));
  if (episode.summary) pair.append(block('Summary, which stands for the step once it is old', pre(episode.summary), 'words'));
  box.append(pair);
  const several = calls.length > 1, told = !several && result && result.status !== 'success';
  if (several) box.append(make('h3', '', plural(calls.length, 'parallel call')));
  const grid = make('div', several ? 'pair' : '');
  for (const call of calls) grid.append(callBox(call, several ? call.result : result, several, told));
  box.append(grid);
  const rolling = head.rolling;
  if (rolling && numbers[row] - 1 >= rolling.first && numbers[row] - 1 <= rolling.last)
    box.append(make('p', 'facts', `The rolling summary of steps ${rolling.first + 1} to ${rolling.last + 1} also stands for this step.`));
  box.append(nearBox(row));
  return box;
}
function messageBody(row, value) {
  const box = document.createDocumentFragment(), message = value.message || {};
  if (message.reasoning_content) box.append(block('Reasoning', pre(message.reasoning_content), 'words'));
  box.append(block(speakers[kinds[row]], kinds[row] === 'A' ? rich(saidText(value)) : pre(saidText(value), false), 'words'));
  box.append(nearBox(row));
  return box;
}

// What came before and after a row.
function nearBox(row) {
  const box = make('div', 'near');
  for (const [word, other] of [['Before', row - 1], ['Next', row + 1]]) {
    if (other < 0 || other >= size) continue;
    const value = rowAt(other), button = make('button');
    button.type = 'button';
    const what = isStep(other) ? `${glyphs[kinds[other]]} step ${numbers[other]}: ${callsOf(value).map(callText).join('  +  ')}` : `${speakers[kinds[other]]}: ${saidText(value)}`;
    put(button, `${word} ${oneLine(what)}`);
    button.addEventListener('click', () => { if (shown[placeOf(other)] !== other) showEverything(); select(other, true); });
    box.append(button);
  }
  return block('Around it', box);
}

// Markdown: headings, lists, quotations, code, emphasis. Nodes with text alone; a link is its words and its address.
function richLine(parent, words) {
  const mark = /`([^`\n]+)`|\*\*([^*\n]+)\*\*|__([^_\n]+)__|(?<![\w*])\*([^*\s][^*\n]*)\*(?!\w)|\[([^\]\n]+)\]\(([^()\s]+)\)/g;
  let from = 0;
  for (const found of words.matchAll(mark)) {
    put(parent, words.slice(from, found.index));
    const [all, code, bold, strong, slanted, link, address] = found;
    if (code !== undefined) parent.append(putIn('code', '', code));
    else if (bold ?? strong) parent.append(putIn('strong', '', bold ?? strong));
    else if (slanted !== undefined) parent.append(putIn('em', '', slanted));
    else put(parent, link === address ? link : `${link} (${address})`);
    from = found.index + all.length;
  }
  put(parent, words.slice(from));
  return parent;
}
function rich(words) {
  const box = make('div', 'rich');
  if (words.length > 200000) { box.append(pre(words)); return box; }
  const lines = words.split('\n');
  let paragraph = [], list = null;
  const flush = () => { if (paragraph.length) box.append(richLine(make('p'), paragraph.join('\n'))); paragraph = []; list = null; };
  for (let i = 0; i < lines.length; ++i) {
    const line = lines[i], fence = /^\s*(```+|~~~+)/.exec(line);
    const heading = /^#{1,6}\s+(.*)/.exec(line), item = /^\s*(?:[-*+]|(\d{1,9})[.)])\s+(.*)/.exec(line), quoted = /^>\s?(.*)/.exec(line);
    if (fence) {
      flush();
      const code = [];
      for (++i; i < lines.length && !lines[i].trim().startsWith(fence[1]); ++i) code.push(lines[i]);
      box.append(pre(code.join('\n')));
    } else if (heading) {
      flush();
      box.append(richLine(make('h4'), heading[1]));
    } else if (item) {
      const kind = item[1] === undefined ? 'UL' : 'OL';
      if (list?.tagName !== kind) {
        flush();
        list = make(kind.toLowerCase());
        if (kind === 'OL') list.start = +item[1];
        box.append(list);
      }
      list.append(richLine(make('li'), item[2]));
    } else if (quoted) {
      flush();
      box.append(richLine(make('blockquote'), quoted[1]));
    } else if (!line.trim()) {
      flush();
    } else if (list && /^\s/.test(line)) {
      richLine(list.lastChild, ' ' + line.trim());
    } else {
      if (list) flush();
      paragraph.push(line);
    }
  }
  flush();
  return box;
}

// --- What the model saw before a row: the record read again by the rules that acta's loop has by default.
const keptInFull = 8, olderLines = 200;
function seenBody(row) {
  const box = document.createDocumentFragment(), before = isStep(row) ? numbers[row] - 1 : placeInSteps(row);
  const firstFull = Math.max(0, before - keptInFull), rolling = head.rolling && head.rolling.last < firstFull ? head.rolling : null;
  box.append(make('p', 'facts', 'Rebuilt from the record as acta’s loop shows it by default: messages and the newest ' +
    `${keptInFull} steps in full, older steps by their summaries. Limits of tokens, and prompts of your own, are not in the record.`));
  const firstLine = Math.max(rolling ? rolling.last + 1 : 0, firstFull - olderLines);
  let lines = [];
  const flush = () => { if (lines.length) box.append(block('Earlier steps', pre(lines.join('\n'), false), 'words')); lines = []; };
  const standIn = () => rolling
    ? block(`Rolling summary of steps ${rolling.first + 1} to ${rolling.last + 1}`, pre(rollingText(rolling), false), 'words')
    : make('p', 'facts', `${plural(firstLine, 'step')} before these ${firstLine === 1 ? 'is' : 'are'} not listed here.`);
  const from = firstLine < stepRows.length && firstLine > 0 ? stepRows[firstLine] : 0;
  const turn = kinds.lastIndexOf('U', row - 1);  // what the user wants is always shown
  for (let at = 0; at < row; ++at) {
    if (isStep(at)) {
      const n = numbers[at] - 1;
      if (n === 0 && firstLine > 0) box.append(standIn());
      if (n < firstLine) continue;
      const value = rowAt(at);
      if (n < firstFull) {
        lines.push(`* Step ${n + 1}: ${value.episode?.summary || shorten(oneLine(`${callsOf(value).map(callText).join(' + ')}: ${outcomeText(value.episode?.result)}`), 160)}`);
        continue;
      }
      flush();
      const calls = callsOf(value), several = calls.length > 1;
      box.append(block(`Assistant, step ${n + 1}`, pre([thoughtsOf(value), ...calls.map(callText)].filter(Boolean).join('\n\n'))));
)~page~"
R"~page~(      for (const call of calls) {
        const result = several ? call.result : value.episode?.result;
        box.append(block(`Tool ${plain(call.name ?? '')}`, resultBox(result, false), result?.status === 'error' ? 'bad' : ''));
      }
    } else if (kinds[at] === 'S' || at === turn || at >= from || at >= row - 50) {
      flush();
      box.append(block(speakers[kinds[at]], pre(saidText(rowAt(at))), 'words'));
    }
  }
  flush();
  if (!row) box.append(make('p', 'facts', 'Nothing came before this.'));
  return box;
}
function placeInSteps(row) {
  let low = 0, high = stepRows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (stepRows[middle] < row) low = middle + 1; else high = middle;
  }
  return low;
}
const rollingText = rolling => [rolling.text, ...(rolling.facts || []).map(fact => `• ${fact?.text ?? written(fact)}`)].filter(Boolean).join('\n');

const views = {s: 'Step', m: 'What the model saw', r: 'JSON'};
function bodyOf(row, value, which) {
  if (which === 'm') return seenBody(row);
  if (which === 'r') return block('As it is recorded', pre(JSON.stringify(value.episode || value, null, 2), false));
  return isStep(row) ? stepBody(row, value) : messageBody(row, value);
}
function headOf(row) {
  const line = make('div', 'head');
  if (isStep(row)) {
    line.append(make('h2', '', `Step ${numbers[row]}`), make('span', `glyph ${kinds[row]}`, `${glyphs[kinds[row]]} ${statuses[kinds[row]]}`));
  } else {
    line.append(make('h2', '', speakers[kinds[row]]));
  }
  return line;
}
function showDetail() {
  const detail = $('detail');
  detail.replaceChildren();
  if (selected < 0 || !shown.length) { detail.append(make('p', 'nothing', size ? 'Select a row.' : 'Nothing is recorded yet.')); return; }
  const row = selected, value = rowAt(row), line = headOf(row), back = make('button', '', '← List');
  back.id = 'back';
  back.type = 'button';
  back.addEventListener('click', () => document.body.classList.remove('shown'));
  line.prepend(back);
  const tabs = make('div', 'tabs');
  for (const [key, name] of Object.entries(views)) {
    const tab = make('button', '', key === 's' && !isStep(row) ? 'Message' : name);
    tab.type = 'button';
    tab.setAttribute('aria-pressed', key === view);
    tab.dataset.view = key;
    tab.addEventListener('click', () => show(key));
    tabs.append(tab);
  }
  line.append(tabs);
  detail.append(line, factsOf(row, value.episode?.metrics || value.metrics), bodyOf(row, value, view));
}
function show(key) {
  const focused = document.activeElement?.dataset?.view;
  view = key;
  showDetail();
  if (focused) $('detail').querySelector(`[data-view=${key}]`).focus();
}

// --- The strip: a bar for each step, of tokens, time or cost.
const columns = [['tokens', 'Tokens', whole], ['ms', 'Time', time], ['cost', 'Cost', money]].filter(([key]) => head[key]);
let column = columns[0];
function barAt(x, width) {  // the rows whose bars stand at this place
  return [Math.floor(x * size / width), Math.max(Math.floor(x * size / width) + 1, Math.floor((x + 1) * size / width))];
}
function drawBars() {
  const canvas = $('bars'), width = canvas.clientWidth, height = canvas.clientHeight;
  if (!width || !size) return;
  const ratio = window.devicePixelRatio || 1, paint = canvas.getContext('2d');
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  paint.scale(ratio, ratio);
  const css = getComputedStyle(document.documentElement), colour = name => css.getPropertyValue(name).trim();
  const fills = {s: colour('--bar'), A: colour('--good'), U: colour('--line'), S: colour('--line'), e: colour('--bad'), i: colour('--halt'), o: colour('--open')};
  const values = column && head[column[0]], order = 'SUAsioe';  // the worst of the rows at a place gives the colour
  let most = 0;
  if (values) for (const one of values) most = Math.max(most, one || 0);
  for (let x = 0; x < width; ++x) {
    const [from, to] = barAt(x, width);
    let high = 0, kind = '';
    for (let row = from; row < to && row < size; ++row) {
      high = Math.max(high, values && most ? (values[row] || 0) / most : isStep(row) ? 0.6 : 0);
      if (!kind || order.indexOf(kinds[row]) > order.indexOf(kind)) kind = kinds[row];
    }
    const bar = Math.max(2, high * (height - 4)), gap = width / size > 6 && barAt(x + 1, width)[0] !== from;
    const fill = (colour, bar) => { paint.fillStyle = colour; paint.fillRect(x, height - bar, gap ? 0.3 : 1, bar); };
    const bad = 'ioe'.includes(kind);
    fill(fills[bad && to - from > 1 ? 's' : kind], bar);
    if (bad) fill(fills[kind], to - from > 1 ? 8 : Math.max(8, bar));  // of several rows, the foot of their bar
  }
}
function showStrip() {
  if (!size) return;
  $('strip').hidden = false;
  const label = () => $('bars').setAttribute('aria-label', `A bar for each row${column ? `, as high as its ${column[1].toLowerCase()}` : ''}; errors are red. Click one to go there.`);
  label();
  for (const one of columns) {
    const button = make('button', '', one[1]);
    button.type = 'button';
    button.setAttribute('aria-pressed', one === column);
    button.addEventListener('click', () => {
      column = one;
      for (const other of $('columns').children) other.setAttribute('aria-pressed', other === button);
      label();
      drawBars();
    });
    $('columns').append(button);
  }
  drawBars();
  $('bars').addEventListener('click', event => {
    const canvas = $('bars'), x = event.clientX - canvas.getBoundingClientRect().left - canvas.clientLeft;
    const [from, to] = barAt(Math.min(Math.max(0, Math.floor(x)), canvas.clientWidth - 1), canvas.clientWidth);
    let best = from;  // an error, else the highest
    for (let row = from; row < to && row < size; ++row) {
      const value = row => (kinds[row] === 'e' ? 1e18 : 0) + (column ? head[column[0]][row] || 0 : 0);
      if (value(row) > value(best)) best = row;
    }
    showEverything();
    select(Math.min(best, size - 1), true);
  });
}

// --- Keys, links, paper.
function move(by) {
  if (!shown.length) return;
  const place = Math.min(shown.length - 1, Math.max(0, placeOf(selected) + by));
  select(shown[place]);
}
function toError(by) {
  for (let place = placeOf(selected) + by; place >= 0 && place < shown.length; place += by) {
    if (kinds[shown[place]] === 'e') return select(shown[place]);
  }
}
const keys = {
  j: () => move(1), ArrowDown: () => move(1), k: () => move(-1), ArrowUp: () => move(-1),
  PageDown: () => move(Math.floor($('list').clientHeight / rowHeight)), PageUp: () => move(-Math.floor($('list').clientHeight / rowHeight)),
  g: () => move(-size), Home: () => move(-size), G: () => move(size), End: () => move(size),
  e: () => toError(1), E: () => toError(-1),
  '/': () => { document.body.classList.remove('shown'); $('search').focus(); $('search').select(); },
  s: () => show('s'), m: () => show('m'), r: () => show('r'),
  Enter: () => { if (selected >= 0) { document.body.classList.add('shown'); $('detail').focus(); } },
  Escape: () => { if (document.body.classList.contains('shown')) { document.body.classList.remove('shown'); $('list').focus(); } else showEverything(); },
  '?': () => $('help').showModal()
};
const scrolls = new Set(['ArrowDown', 'ArrowUp', 'PageDown', 'PageUp', 'Home', 'End']);
document.addEventListener('keydown', event => {
  if (event.ctrlKey || event.metaKey || event.altKey || $('help').open) return;
  const at = event.target;
  if (at.matches('input, select')) {
    if (event.key === 'Escape') { $('search').value = ''; filter(); $('list').focus(); event.preventDefault(); }
    if (event.key === 'Enter' && at.matches('input')) { $('list').focus(); event.preventDefault(); }
    return;
  }
  if (at.matches('button') && event.key === 'Enter') return;
  if (scrolls.has(event.key) && at === $('detail')) return;  // it scrolls itself
  const action = Object.hasOwn(keys, event.key) && keys[event.key];
  if (!action) return;
  event.preventDefault();
  action();
});
function follow() {
  const match = /^#(step|message)=(\d{1,9})$/.exec(location.hash);
  if (!match) return false;
  const row = match[1] === 'step' ? stepRows[match[2] - 1] : [...kinds].findIndex((_, i) => !isStep(i) && numbers[i] === +match[2]);
  if (row === undefined || row < 0) return false;
  if (shown[placeOf(row)] !== row) showEverything();
  select(row, true);
  return true;
}
const mostOnPaper = 2000;
window.addEventListener('beforeprint', () => {
  const paper = $('paper');
  paper.replaceChildren();
  for (const row of shown.subarray(0, mostOnPaper)) {
    const section = make('section'), value = rowAt(row);
    section.append(headOf(row), factsOf(row, value.episode?.metrics || value.metrics), bodyOf(row, value, view === 'r' ? 'r' : 's'));
    paper.append(section);
  }
  if (shown.length > mostOnPaper) paper.append(make('p', 'note', `The first ${whole(mostOnPaper)} of ${plural(shown.length, 'row')} are printed. Filter the list to print others.`));
});
window.addEventListener('afterprint', () => $('paper').replaceChildren());

showHead();
showStrip();
$('list').addEventListener('scroll', drawList, {passive: true});
$('rows').addEventListener('click', event => {
  const node = event.target.closest('.row');
  if (node) select(+node.dataset.row, true);
});
for (const id of ['status', 'tool']) $(id).addEventListener('change', () => filter());
$('search').addEventListener('input', () => filter());
$('ask').addEventListener('click', () => $('help').showModal());
$('close').addEventListener('click', () => $('help').close());
window.addEventListener('hashchange', follow);
window.addEventListener('resize', () => { drawList(); drawBars(); });
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawBars);
$('count').textContent = plural(size, 'row');
resetList();
if (!follow() && size) {  // what ended it
  select(size - 1);
} else if (!size) {
  filter();
}
document.body.dataset.ready = '';
})();
</script>
</body>
</html>
)~page~";

}  // namespace acta::inline ACTA_ABI::view_detail
