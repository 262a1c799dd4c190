// SPDX-License-Identifier: MIT
// clang-format off
#pragma once

#include <string_view>

#include "acta/version.hpp"

namespace acta::inline ACTA_ABI::view_detail {

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
// A run: the page's own, or one of an agent that a call was. Its rows are the lines after its first one.
function runAt(line) {
  const head = {title: '', kinds: '', tools: [], calls: [], totals: {steps: 0}, pending: [], rolling: null, ...parsed(line)};
  const {kinds} = head, size = kinds.length, numbers = new Int32Array(size), stepRows = [], runs = new Map();
  for (let row = 0, said = 0; row < size; ++row) numbers[row] = kinds[row] > 'Z' ? stepRows.push(row) : ++said;  // from 1
  for (const [step, number] of head.runs || []) {
    if (!runs.has(step)) runs.set(step, []);
    runs.get(step).push(number);
  }
  return {line, head, kinds, size, numbers, stepRows, runs};
}
const main = runAt(0), {head, kinds, size, numbers, stepRows} = main;
const isStep = (row, of = main) => of.kinds[row] > 'Z';
const inner = [];  // the first lines of the runs of calls, by number
for (let line = size + 1; line < starts.length; ++line) if (text.startsWith('{"run":', starts[line])) inner.push(line);
const last = starts.length > size + 1 && text.startsWith('{"cuts":', starts.at(-1)) ? parsed(starts.length - 1) : null;
const cache = new Map();
function kept(line, read) {
  let value = cache.get(line);
  if (value === undefined) {
    value = read(line);
    if (cache.size > 300) cache.clear();
    cache.set(line, value);
  }
  return value;
}
const rowAt = (row, of = main) => kept(of.line + row + 1, line => parsed(line) || {});
const innerRun = number => kept(inner[number] ?? starts.length, runAt);
const runsOf = (row, of = main) => isStep(row, of) && of.runs.get(of.numbers[row] - 1) || [];

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
function verdict(of = main) {
  if (!of.size) return ['Nothing is recorded yet', ''];
  if (of.head.end) return [`Ended: ${oneLine(of.head.end)}`, 'e'];
  const end = of.kinds[of.size - 1], step = whole(of.stepRows.length);
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
  if (inner.length) facts.push(['Runs of subagents', whole(inner.length)]);
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
    const ms = head.ms?.[row], runs = runsOf(row).length;
    node.append(make('span', 'took', [runs && plural(runs, 'run'), ms !== null && ms !== undefined && time(ms)].filter(Boolean).join(' · ')));
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
let escaped = '';  // the search, as it stands in the data
const lineMatches = line => lineAt(line).toLowerCase().includes(escaped) && anyText(parsed(line), words => words.toLowerCase().includes(wanted));
const rowMatches = (row, of = main) => lineMatches(of.line + row + 1) || runsOf(row, of).some(runMatches);
function runMatches(number) {
  const of = innerRun(number);
  if (of.head.raw !== undefined) return lineMatches(of.line);
  for (let row = 0; row < of.size; ++row) if (rowMatches(row, of)) return true;
  return false;
}
let search = 0;  // the number of the newest search
function filter(then = selected) {
  const status = $('status').value, tool = $('tool').value;
  wanted = $('search').value.toLowerCase();
  escaped = JSON.stringify(wanted).slice(1, -1).replace(/</g, '\\u003c');
  const found = [], mine = ++search, before = selected;
  let row = 0;
  const passes = row => {
    if (status && !(status === 'm' ? !isStep(row) : kinds[row] === status)) return false;
    if (tool && !(isStep(row) && head.calls[numbers[row] - 1]?.includes(+tool))) return false;
    return !wanted || rowMatches(row);
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
      if (((row & 15) === 15 || inner.length) && performance.now() > until) {
        ++row;
        finish(false);
        setTimeout(work);
        return;
      }
    }
    finish(true);
    if (selected !== before) then = selected;  // another row was selected during the search
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
function callBox(call, result, many, told, runs) {
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
  if (!told) {
    const below = make('div', `result ${resultKind(result)}`);
    below.append(resultBox(result));
    box.append(below);
  }
  inPieces(box, runs.length, i => runBox(runs[i]));
  return box;
}

// Appends `count` nodes, a hundred at a time.
function inPieces(box, count, one) {
  let done = 0;
  const more = make('button', 'more');
  more.type = 'button';
  const add = () => {
    more.remove();
    for (const until = Math.min(count, done + Math.max(100, paper)); done < until; ++done) box.append(one(done));
    if (done === count) return;
    more.textContent = `Show more (${whole(count - done)})`;
    box.append(more);
  };
  more.addEventListener('click', add);
  add();
}
// A fold, which is filled when it is opened for the first time. On paper folds are open, as long as there is some left.
let paper = 0;
function fold(kind, title, open, fill) {
  const box = make('details', kind), line = make('summary');
  line.append(...title);
  box.append(line);
  const opened = () => { if (box.open && box.childElementCount === 1) box.append(fill()); };
  box.addEventListener('toggle', opened);
  if (paper > 0 && paper-- || open) {
    box.open = true;
    opened();
  }
  return box;
}
// The run of an agent that a call was.
function runBox(number) {
  const of = innerRun(number), {raw, totals} = of.head, open = wanted !== '' && runMatches(number);
  if (raw !== undefined) return fold('run', ['A run in another form'], open, () => pre(written(raw)));
  const [words, kind] = verdict(of), errors = of.kinds.split('e').length - 1, facts = [plural(of.stepRows.length, 'step')];
  if (errors) facts.push(plural(errors, 'error'));
  if (totals.ms) facts.push(time(totals.ms));
  if (totals.steps_with_cost) facts.push(money(totals.cost));
  const title = ['Subagent: ', putIn('span', `glyph ${kind}`, `${glyphs[kind] ?? ''} ${words}`), ' ', make('span', 'took', facts.join(' · '))];
  return fold('run', title, open, () => {
    const rows = make('div', 'within');
    inPieces(rows, of.size, row => innerRow(row, of));
    return rows;
  });
}
function lineOf(row, of = main) {
  const value = rowAt(row, of), kind = of.kinds[row];
  return isStep(row, of) ? `${glyphs[kind]} step ${of.numbers[row]}: ${callsOf(value).map(callText).join('  +  ')}` : `${speakers[kind]}: ${saidText(value)}`;
}
function innerRow(row, of) {
  const value = rowAt(row, of), kind = of.kinds[row], runs = runsOf(row, of).length, bad = kind === 'e' || kind === 'i';
  const words = lineOf(row, of) + (bad ? ` — ${outcomeText(value.episode?.result)}` : '') + (runs ? ` (${plural(runs, 'run')})` : '');
  return fold(kind, [putIn('span', '', oneLine(words))], wanted !== '' && rowMatches(row, of), () => {
    const box = document.createDocumentFragment();
    box.append(factsOf(row, value.episode?.metrics || value.metrics, of), isStep(row, of) ? stepBody(row, value, of) : messageBody(row, value, of));
    return box;
  });
}
function factsOf(row, metrics, of = main) {
  const facts = [];
  if (metrics) {
    if (metrics.started_at) facts.push(`started ${localTime(metrics.started_at)}`);
    const ms = of.head.ms?.[row];
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
function stepBody(row, value, of = main) {
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
  const runs = calls.map(() => []), places = new Map(calls.map((call, i) => [call.id, i]));
  for (const number of runsOf(row, of)) runs[places.get(innerRun(number).head.call) ?? 0]?.push(number);
  inPieces(grid, calls.length, i => callBox(calls[i], several ? calls[i].result : result, several, told, runs[i]));
  box.append(grid);
  const rolling = of.head.rolling, step = of.numbers[row] - 1;
  if (rolling && step >= rolling.first && step <= rolling.last)
    box.append(make('p', 'facts', `The rolling summary of steps ${rolling.first + 1} to ${rolling.last + 1} also stands for this step.`));
  if (of === main) box.append(nearBox(row));
  return box;
}
function messageBody(row, value, of = main) {
  const box = document.createDocumentFragment(), message = value.message || {};
  if (message.reasoning_content) box.append(block('Reasoning', pre(message.reasoning_content), 'words'));
  const kind = of.kinds[row];
  box.append(block(speakers[kind], kind === 'A' ? rich(saidText(value)) : pre(saidText(value), false), 'words'));
  if (of === main) box.append(nearBox(row));
  return box;
}

// What came before and after a row.
function nearBox(row) {
  const box = make('div', 'near');
  for (const [word, other] of [['Before', row - 1], ['Next', row + 1]]) {
    if (other < 0 || other >= size) continue;
    const button = make('button');
    button.type = 'button';
    put(button, `${word} ${oneLine(lineOf(other))}`);
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
)~page~"
R"~page~(  if (words.length > 200000) { box.append(pre(words)); return box; }
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
      for (const call of calls) {
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
  if (at.matches('button, summary') && event.key === 'Enter') return;
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
  const sheet = $('paper');
  sheet.replaceChildren();
  paper = mostOnPaper;
  for (const row of shown.subarray(0, mostOnPaper)) {
    const section = make('section'), value = rowAt(row);
    section.append(headOf(row), factsOf(row, value.episode?.metrics || value.metrics), bodyOf(row, value, view === 'r' ? 'r' : 's'));
    sheet.append(section);
  }
  paper = 0;
  if (shown.length > mostOnPaper) sheet.append(make('p', 'note', `The first ${whole(mostOnPaper)} of ${plural(shown.length, 'row')} are printed. Filter the list to print others.`));
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
