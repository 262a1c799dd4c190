// SPDX-License-Identifier: MIT
// node browser.mjs <folder of the npm packages> <page.html> <scenario>
// Opens the page in chromium and goes through a scenario of scenarios.mjs. Prints a line for each check that does not
// hold, and then ends with status 1. Whatever the scenario, the page may load nothing and report no error.
import {execFileSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {pathToFileURL} from 'node:url';
import {scenarios} from './scenarios.mjs';

const [folder, file, name] = process.argv.slice(2);
const require = createRequire(`${folder}/`);
const {chromium} = require('playwright-core');
const path = execFileSync('sh', ['-c', 'command -v chromium || command -v chromium-browser'], {encoding: 'utf8'}).trim();
const address = pathToFileURL(file).href;
const scenario = scenarios[name];
const failures = [];
const check = (what, holds, found = '') => {
  if (!holds) failures.push(`${name}: ${what}${found === '' ? '' : `, but found ${JSON.stringify(found)}`}`);
};

const browser = await chromium.launch({executablePath: path, args: ['--no-sandbox', '--disable-gpu']});
try {
  const page = await browser.newPage({viewport: {width: 1280, height: 800}, ...scenario.browser});
  page.on('console', message => check('the console is empty', message.type() !== 'error' && message.type() !== 'warning', message.text()));
  page.on('pageerror', error => check('no error', false, String(error)));
  page.on('request', request => check('no request', request.url().split('#')[0] === address, request.url()));
  page.on('dialog', async dialog => { check('no dialog', false, dialog.message()); await dialog.dismiss(); });
  page.on('popup', popup => check('no other window', false, popup.url()));
  page.setDefaultTimeout(20000);
  await page.goto(address + (scenario.hash || ''));
  await page.waitForSelector('body[data-ready]', {state: 'attached'});
  // The page's policy lets no script in but its own, so axe comes by the debugger.
  const axe = async () => {
    await page.evaluate(readFileSync(require.resolve('axe-core'), 'utf8'));
    const found = await page.evaluate(() => globalThis.axe.run(document, {resultTypes: ['violations']}));
    const serious = found.violations.filter(one => one.impact === 'serious' || one.impact === 'critical');
    check('no serious finding of axe-core', serious.length === 0,
      serious.map(one => `${one.id}: ${one.nodes.slice(0, 3).map(node => node.target.join(' ') + ' ' + (node.any[0]?.message || '')).join('; ')}`).join(' | '));
  };
  await scenario.run({page, check, axe, text: selector => page.locator(selector).innerText()});
  if (process.env.ACTA_TEST_PICTURE) await page.screenshot({path: process.env.ACTA_TEST_PICTURE});
} catch (error) {
  failures.push(`${name}: ${error.stack || error}`);
} finally {
  await browser.close();
}
if (failures.length) {
  console.log([...new Set(failures)].join('\n'));
  process.exitCode = 1;
}
