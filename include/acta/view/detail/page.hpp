// SPDX-License-Identifier: MIT
// clang-format off
#pragma once

#include <string_view>

#include "acta/version.hpp"

namespace acta::inline ACTA_ABI::view_detail {

// The page of `to_html`, cut where its data goes: page_script.hpp has the rest. After a change of the style or the
// script run python3 cmake/view_page.py, which sets their hashes in the policy.

/// The page up to its data.
inline constexpr std::string_view page_before =
R"~page~(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="acta">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-3KNUJXjuJcK4kWhAGJTV7hpSCvVZGR66Sw7+1uH3C3M='; script-src 'sha256-8KMf3j8sh9qGtC7J6nuVx0gz6m2u8qA5s09m1pSEq94='; base-uri 'none'; form-action 'none'">
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
summary { cursor: pointer; overflow-wrap: anywhere; }
.run { margin-top: 8px; border-left: 3px solid var(--bar); padding-left: 8px; min-width: 0; }
.run > summary .took { display: block; color: var(--soft); font-size: 12.5px; }
.within .facts { font-size: 12.5px; margin-bottom: 6px; }
.within { display: grid; grid-template-columns: minmax(0, 1fr); gap: 4px; margin-top: 6px; }
.within > details { background: var(--card); border: 1px solid var(--line); border-radius: 6px; padding: 3px 8px; min-width: 0; }
.within > .e { border-color: var(--bad); } .within > .e > summary { color: var(--bad); }
.within > details > summary { font: 12.5px/1.6 var(--mono); white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.within > [open] > summary { white-space: normal; margin-bottom: 6px; }
.within .block { border-width: 0 0 0 1px; border-radius: 0; margin-bottom: 6px; padding: 2px 0 2px 8px; }
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

}  // namespace acta::inline ACTA_ABI::view_detail
