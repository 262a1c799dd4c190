// SPDX-License-Identifier: MIT
// node tests/bench/view/measure.mjs build/bench/tests/bench
// Prints the table of docs/benchmarks.md on pages: the page of to_html, and a page of the same run with elements for all
// steps, in turns in one browser. Takes acta_bench_view from that folder, and installs playwright-core there.
import {execFileSync} from 'node:child_process';
import {existsSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import path from 'node:path';
import {pathToFileURL} from 'node:url';

const folder = path.resolve(process.argv[2] ?? 'build/bench/tests/bench');
const packages = path.join(folder, 'browser');
if (!existsSync(path.join(packages, 'node_modules/playwright-core')))
  execFileSync('npm', ['install', '--prefix', packages, '--no-audit', '--no-fund', '--no-save', 'playwright-core@1.55.1'], {stdio: ['ignore', 2, 2]});
const {chromium} = createRequire(packages + '/')('playwright-core');
const executablePath = execFileSync('sh', ['-c', 'command -v chromium || command -v chromium-browser'], {encoding: 'utf8'}).trim();

const rounds = 5, sizes = [[1000, 2200], [10000, 2200]];
const escape = text => text.replace(/[&<>"]/g, c => `&#${c.charCodeAt(0)};`);

/// The same run, as most tools write it: a section with everything for each step.
function withAllElements(page) {
  const data = page.slice(page.indexOf('type="text/plain">') + 18);
  const sections = data.slice(0, data.indexOf('</script>')).split('\n').slice(1, -1).map((line, i) => {
    const {message, episode} = JSON.parse(line);
    if (message) return `<section><h2>${message.role}</h2><pre>${escape(message.content)}</pre></section>`;
    const {action, result} = episode;
    return `<section id="step-${i}"><h2>Step ${i}: ${escape(action.use_tool.name)}</h2><p>${escape(action.thoughts)}</p>` +
      `<pre>${escape(JSON.stringify(action.use_tool.arguments, null, 2))}</pre><pre>${escape(result.outputs ?? result.reason)}</pre></section>`;
  });
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Run</title><style>pre { white-space: pre-wrap }</style><main id="list">${sections.join('\n')}</main></html>`;
}

const median = numbers => numbers.slice().sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

async function measure(browser, file) {
  const page = await browser.newPage({viewport: {width: 1280, height: 800}});
  await page.goto(pathToFileURL(file).href, {waitUntil: 'load', timeout: 120000});
  const found = await page.evaluate(async () => {
    const frame = () => new Promise(requestAnimationFrame);
    await frame();
    await frame();  // the first one is on the screen
    const ready = performance.now();
    const list = document.getElementById('list'), scroller = list.scrollHeight > list.clientHeight + 1 ? list : document.scrollingElement;
    const frames = [], count = 120;
    let before = await frame();
    for (let i = 1; i <= count; ++i) {
      scroller.scrollTop = (scroller.scrollHeight - scroller.clientHeight) * i / count;
      const now = await frame();
      frames.push(now - before);
      before = now;
    }
    frames.sort((a, b) => a - b);
    return {ready, frame: frames[count / 2], slow: frames[Math.floor(count * 0.95)], slowest: frames[count - 1],
      elements: document.getElementsByTagName('*').length};
  });
  await page.close();
  return found;
}

const browser = await chromium.launch({executablePath, args: ['--no-sandbox', '--disable-gpu']});
console.log(`Chromium ${browser.version()}, headless. Median of ${rounds} rounds, in turns. A frame takes 16.7 ms where nothing delays it.\n`);
console.log('| run | page | ready: ms | frames while scrolling: median, 95 %, slowest: ms | elements |');
console.log('|---|---|---|---|---|');
for (const [steps, bytes] of sizes) {
  const ours = path.join(folder, 'page.html'), other = path.join(folder, 'all_elements.html');
  execFileSync(path.join(folder, 'acta_bench_view'), [steps, bytes, ours]);
  writeFileSync(other, withAllElements(readFileSync(ours, 'utf8')));
  const results = new Map([[ours, []], [other, []]]);
  for (let round = 0; round < rounds; ++round)
    for (const [file, all] of results) all.push(await measure(browser, file));
  const ratio = median(results.get(other).map(one => one.ready)) / median(results.get(ours).map(one => one.ready));
  for (const [file, all] of results) {
    const of = key => median(all.map(one => one[key]));
    const name = file === ours ? '`to_html`' : `elements for all steps (${ratio.toFixed(1)} times as long)`;
    console.log(`| ${steps} steps, ${(statSync(file).size / 1e6).toFixed(1)} MB | ${name} | ${of('ready').toFixed(0)} | ` +
      `${of('frame').toFixed(1)}, ${of('slow').toFixed(1)}, ${of('slowest').toFixed(0)} | ${of('elements')} |`);
  }
}
await browser.close();
