// SPDX-License-Identifier: MIT
// What is tried on the page. Each scenario names the run that it needs; page_test.cpp has them.

const rows = page => page.locator('#rows .row');
const found = async (page, words) => {  // searches, and returns the number of rows that match
  await page.fill('#search', words);
  await page.waitForFunction(words => document.getElementById('search').value === words && document.body.dataset.found !== undefined, words);
  return +(await page.evaluate(() => document.body.dataset.found));
};
const clear = async page => {
  await page.fill('#search', '');
  await page.waitForFunction(() => document.body.dataset.found !== undefined);
};
const hash = page => page.evaluate(() => location.hash);
const chosen = page => page.locator('#rows .row[aria-selected=true]');
const overflow = page => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

const filled = page => page.waitForFunction(() => ![...document.querySelectorAll('details[open]')].some(one => one.childElementCount === 1));
const openAll = page => page.evaluate(async () => {  // every fold in the detail, and those in them
  for (let open; (open = [...document.querySelectorAll('#detail details:not([open])')]).length;) {
    for (const one of open) one.open = true;
    await new Promise(done => setTimeout(done, 50));
  }
  return document.querySelectorAll('#detail details').length;
});

export const scenarios = {
  opens: {  // tides, titled
    async run({page, check, text}) {
      check('the title is the heading', await text('#title') === 'Tides at Brest', await text('#title'));
      check('the title is the window’s', await page.title() === 'Tides at Brest');
      check('the verdict says how it ended', await text('#verdict') === 'Ended with an answer', await text('#verdict'));
      const totals = (await text('#totals')).replace(/\s+/g, ' ');
      check('totals', totals === 'Steps 6 Errors 2 Tokens 8,000 in, 235 out Time in steps 37.2 s Cost $0.0080', totals);
      check('both errors are at the top', (await page.locator('#problems button').allInnerTexts()).join('|') ===
        '2 fetch: no answer within 30 s|4 read_file: no such file: brest.csv', await page.locator('#problems button').allInnerTexts());
      check('every row is listed', await rows(page).count() === 10, await rows(page).count());
      check('rows are in order', (await rows(page).evaluateAll(all => all.map(one => one.dataset.row).join())) === '0,1,2,3,4,5,6,7,8,9');
      check('what ended it is selected', await hash(page) === '#message=4', await hash(page));
      check('and shown', (await text('#detail')).includes('High water is at 04:12'), await text('#detail'));
      await page.locator('#problems button').first().click();
      check('an error at the top leads to its step', await hash(page) === '#step=2', await hash(page));
      const detail = await text('#detail');
      check('what went wrong stands first', detail.indexOf('What went wrong') < detail.indexOf('Thoughts') && detail.includes('no answer within 30 s'), detail);
      check('causes are shown', detail.includes('Timeout') && detail.includes("ConnectionError('port 443')"), detail);
      check('what it took', detail.includes('took 30.0 s · 1,000 tokens in · 35 tokens out · $0.0010 · tide-1'), detail);
      check('the strip has a bar to click', await page.locator('#bars').isVisible());
    }
  },
  details: {  // tides
    hash: '#step=4',
    async run({page, check, text}) {
      const calls = await page.locator('#detail .block:has(.name)').allInnerTexts();
      check('parallel calls stand side by side with their results', calls.length === 2 && calls[0].includes('harbour.txt') &&
        calls[0].includes('high water 04:12') && calls[1].includes('brest.csv') && calls[1].includes('no such file'), calls);
      const boxes = await page.locator('#detail .block:has(.name)').evaluateAll(all => all.map(one => one.getBoundingClientRect().top));
      check('at one height', boxes[0] === boxes[1], boxes);
      await page.locator('#row-2').click();
      check('a summary beside the full step', (await text('#detail')).includes('Found two sites with tide tables.') &&
        (await text('#detail')).includes('"count": 2'), await text('#detail'));
      await page.locator('#row-4').click();
      check('a long output is folded', await page.locator('#detail pre.fold').count() === 1);
      await page.getByRole('button', {name: 'Show all of it'}).click();
      check('and unfolded', await page.locator('#detail pre.fold').count() === 0 && (await text('#detail')).includes('line 59'));
      await page.locator('#row-6').click();
      check('what a human said', (await text('#detail')).includes('What the human said') && (await text('#detail')).includes('Do not write to anybody.'));
      await page.locator('#detail').getByRole('button', {name: 'JSON'}).click();
      check('raw JSON', (await text('#detail')).includes('"status": "interrupted_by_human"'));
      await page.keyboard.press('s');
      check('arguments in one grid', await page.locator('#detail dl.arguments').count() <= 1);
      await page.locator('#row-9').click();
      check('an answer', (await text('#detail')).includes('High water is at 04:12, at 6.9 m.'));
      check('what came before it', (await page.locator('#detail .near button').allInnerTexts()).join().startsWith('Before ✓ step 6: '),
        await page.locator('#detail .near button').allInnerTexts());
      await page.locator('#detail .near button').first().click();
      check('leads there', await hash(page) === '#step=6', await hash(page));
      check('a call is spelt as everywhere', (await page.locator('#row-2 .first').innerText()) === "web_search(query='tides Brest')",
        await page.locator('#row-2 .first').innerText());
      check('times are local, with the zone', /started 2024-05-01 \d\d:00:\d\d \S+/.test(await text('#detail .facts')), await text('#detail .facts'));
    }
  },
  within: {  // crew
    hash: '#step=1',
    async run({page, check, text, axe}) {
      const runs = page.locator('#detail details.run');
      check('each call has its run', (await page.locator('#detail .block:has(> .name)').evaluateAll(all => all.map(one => one.querySelectorAll('details.run').length).join())) === '1,1');
      check('a run says how it ended', (await runs.locator('> summary').allInnerTexts()).join('|') ===
        'Subagent: ✓ Ended with an answer\n2 steps · 1 error · 3.4 s · $0.0011|' +
        'Subagent: ✗ Ended: failed: the connection was lost\n1 step · 1 error · 30.0 s · $0.00020', await runs.locator('> summary').allInnerTexts());
      check('nothing of it is made before it is opened', await page.locator('#detail .within').count() === 0 && !(await text('#detail')).includes('channel'));
      check('the list has the number of runs', (await text('#row-1 .took')) === '2 runs · 31.0 s', await text('#row-1 .took'));
      check('and the head', (await text('#totals')).replace(/\s+/g, ' ').includes('Runs of subagents 4'), await text('#totals'));
      await runs.first().locator('> summary').click();
      await filled(page);
      const rows = runs.first().locator('> .within > details');
      check('its rows are listed', (await rows.locator('> summary').allInnerTexts()).join('|') === 'User: When can a ship of 6 m enter?|' +
        "✓ step 1: surveyor(question='How deep?') (1 run)|✗ step 2: radio(channel=12) — nobody answers on channel 12|Answer: From 03:30 to 05:00.",
        await rows.locator('> summary').allInnerTexts());
      await rows.nth(2).locator('> summary').focus();
      await page.keyboard.press('Enter');
      await filled(page);
      check('a row opens by the keyboard', (await rows.nth(2).innerText()).includes('Ask the master.') && (await rows.nth(2).innerText()).includes('took 900 ms'), await rows.nth(2).innerText());
      await rows.nth(1).locator('> summary').click();
      await filled(page);
      const deeper = rows.nth(1).locator('details.run');
      check('a run within the run', (await deeper.locator('> summary').innerText()) === 'Subagent: ✓ Ended with an answer\n1 step · 400 ms · $0.00030', await deeper.locator('> summary').innerText());
      await openAll(page);
      check('opens as well', (await deeper.innerText()).includes('6.9 m at 04:12, deepwater') && await deeper.locator('strong').innerText() === '6.9 m', await deeper.innerText());
      check('the neighbours are only those of the step', await page.locator('#detail .near').count() === 1);
      await axe();
      await page.locator('#row-2').click();
      await page.locator('#detail details.run > summary').click();
      await filled(page);
      check('what is no history is shown as it is', (await text('#detail')).includes('"form": "of another program"'), await text('#detail'));
      check('the search finds what is within a run within', await found(page, 'deepwater') === 1 && (await text('#detail')).includes('6.9 m at 04:12, deepwater'), await text('#detail'));
      check('and opens the way to it', await page.locator('#detail mark').count() > 0 && await page.locator('#detail details[open]').count() === 4, await page.locator('#detail details[open]').count());
      await clear(page);
      await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
      await page.emulateMedia({media: 'print'});
      check('runs are on paper in full', (await text('#paper')).includes('deepwater') && (await text('#paper')).includes('Ask the master.'));
      await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
    }
  },
  within_narrow: {  // crew
    hash: '#step=1',
    browser: {viewport: {width: 400, height: 800}, hasTouch: true, colorScheme: 'dark'},
    async run({page, check, axe}) {
      check('runs within runs are opened', await openAll(page) === 2 + 4 + 1 + 3 + 2, await openAll(page));
      check('nothing is wider than the screen', await overflow(page) <= 0, await overflow(page));
      check('nor its part', await page.evaluate(() => [...document.querySelectorAll('#detail, #detail .within')].every(one => one.scrollWidth <= one.clientWidth)));
      await axe();
    }
  },
  swarm: {  // many_runs(test_size(...), 110)
    hash: '#step=1',
    async run({page, check, text}) {
      const runs = page.locator('#detail details.run');
      check('some of the runs are shown', await runs.count() === 100, await runs.count());
      await page.locator('#detail').getByRole('button', {name: 'Show more'}).click();
      check('and then more', await runs.count() === 200, await runs.count());
      await runs.nth(150).locator('> summary').click();
      await filled(page);
      const rows = runs.nth(150).locator('> .within > details');
      check('some of its rows are shown', await rows.count() === 100, await rows.count());
      await runs.nth(150).getByRole('button', {name: 'Show more (11)'}).click();
      check('and then all', await rows.count() === 111, await rows.count());
      check('the page has few nodes', await page.evaluate(() => document.querySelectorAll('*').length) < 3000, await page.evaluate(() => document.querySelectorAll('*').length));
    }
  },
  markdown: {  // an answer in Markdown
    async run({page, check, text}) {
      const rich = page.locator('#detail .rich');
      check('an answer is rendered', await rich.locator('h4').innerText() === 'Done', await text('#detail'));
      check('emphasis', await rich.locator('strong').innerText() === 'all' && await rich.locator('em').innerText() === 'src');
      check('lists', await rich.locator('ol li').count() === 2 && await rich.locator('ul li').count() === 2);
      check('code', await rich.locator('code').innerText() === 'make' && (await rich.locator('pre').innerText()) === 'int main() { return 0; }',
        await rich.locator('pre').innerText());
      check('no link and no markup', await page.locator('#detail a, #detail img').count() === 0 &&
        (await text('#detail')).includes('the log (javascript:alert)') && (await text('#detail')).includes('<img src=x>'), await text('#detail'));
      check('what is no emphasis is as it was', (await text('#detail')).includes('snake_case_name and 2 * 3 * 4'), await text('#detail'));
      await page.locator('#detail').getByRole('button', {name: 'JSON'}).click();
      check('JSON has the source', (await text('#detail')).includes('**all**'));
    }
  },
  saw: {  // counting(30) with a rolling summary of steps 1 to 5
    hash: '#step=20',
    async run({page, check, text}) {
      await page.keyboard.press('m');
      const titles = await page.locator('#detail .block h3').allInnerTexts();
      check('what was asked, the rolling summary, lines, then steps in full', titles.slice(0, 4).join('|') ===
        'User|Rolling summary of steps 1 to 5|Earlier steps|Assistant, step 12', titles);
      check('8 steps in full', titles.filter(one => one.startsWith('Assistant')).join() ===
        [12, 13, 14, 15, 16, 17, 18, 19].map(n => `Assistant, step ${n}`).join(), titles);
      check('each with its result', titles.filter(one => one.startsWith('Tool')).length === 8, titles);
      const older = await page.locator('#detail .block', {hasText: 'Earlier steps'}).innerText();
      check('older steps are lines', older.includes('* Step 6: the sixth') && older.includes('* Step 11: ') && !older.includes('* Step 5'), older);
      await page.keyboard.press('j');
      check('stays at what the model saw', (await text('#detail')).includes('Assistant, step 20'), await text('#detail'));
      await page.keyboard.press('s');
      check('back to the step', !(await text('#detail')).includes('Assistant, step 20'));
    }
  },
  search: {  // counting(1200)
    async run({page, check, text}) {
      const problems = await page.locator('#problems button').allInnerTexts();
      check('errors: the first two, the last two and a button for all', problems.map(one => one.split(' ').slice(0, 2).join(' ')).join('|') ===
        problems.map((one, i) => i === 4 ? 'all 120' : `${[10, 20, 1190, 1200][i]} ${one.split(' ')[1]}`).join('|') && problems.length === 5, problems);
      check('a search counts', await found(page, 'needle77') === 10, await text('#count'));
      check('in words', await text('#count') === '10 of 1,201 rows', await text('#count'));
      check('what is found is marked', await page.locator('#detail mark').first().innerText() === 'needle77');
      check('whatever the case', await found(page, 'NEEDLE778') === 1);
      check('with quotes', await found(page, '"consectetur"') === 1080, await text('#count'));
      check('not in the names of members', await found(page, 'use_tool') === 0);
      check('which is said', (await text('#list')).includes('Nothing matches.'));
      await clear(page);
      await page.selectOption('#status', 'e');
      check('a status', await text('#count') === '120 of 1,201 rows', await text('#count'));
      await page.selectOption('#tool', {label: 'count_on (400)'});
      check('and a tool', await text('#count') === '40 of 1,201 rows', await text('#count'));
      await page.keyboard.press('Escape');
      await page.selectOption('#status', '');
      await page.selectOption('#tool', '');
      check('everything again', await text('#count') === '1,201 rows', await text('#count'));
      const box = await page.locator('#bars').boundingBox();
      await page.mouse.click(box.x + box.width / 2, box.y + 20);
      const step = +(await hash(page)).replace('#step=', '');
      check('a click on the strip goes there', step > 590 && step < 612, step);
      await page.getByRole('button', {name: 'Cost', exact: true}).click();
      check('another column', await page.getByRole('button', {name: 'Cost', exact: true}).getAttribute('aria-pressed') === 'true');
    }
  },
  keyboard: {  // counting(60)
    hash: '#step=5',
    async run({page, check, text}) {
      const press = async (keys, wanted) => {
        for (const key of keys.split(' ')) await page.keyboard.press(key);
        check(`${keys} leads to ${wanted}`, await hash(page) === wanted, await hash(page));
      };
      await press('j', '#step=6');
      await press('ArrowDown', '#step=7');
      await press('k', '#step=6');
      await press('ArrowUp', '#step=5');
      await press('e', '#step=10');
      await press('e', '#step=20');
      await press('Shift+E', '#step=10');
      await press('Shift+G', '#step=60');
      check('the list follows', await chosen(page).isVisible());
      await press('g', '#message=1');
      await page.keyboard.press('/');
      check('/ goes to the search', await page.evaluate(() => document.activeElement.id) === 'search');
      await page.keyboard.type('needle7 ');
      await page.waitForFunction(() => document.body.dataset.found === '1');
      check('letters are letters there', await hash(page) === '#step=7', await hash(page));
      await page.keyboard.press('Escape');
      check('Escape shows everything', await text('#count') === '61 rows', await text('#count'));
      check('and keeps the row', await hash(page) === '#step=7', await hash(page));
      await page.keyboard.press('r');
      check('r is raw JSON', (await text('#detail')).includes('"use_tool"'));
      await page.keyboard.press('?');
      check('? shows the keys', await page.locator('#help').isVisible() && (await text('#help')).includes('next error'));
      await page.keyboard.press('Escape');
      check('Escape closes them', !(await page.locator('#help').isVisible()));
      await page.locator('#list').focus();
      await page.keyboard.press('PageDown');
      check('a page further', +(await hash(page)).replace('#step=', '') > 12, await hash(page));
    }
  },
  links: {  // counting(2000)
    hash: '#step=1500',
    async run({page, check, text}) {
      check('a link opens its step', (await text('#detail h2')) === 'Step 1500', await text('#detail h2'));
      check('which the list shows', await chosen(page).isVisible() && (await chosen(page).innerText()).includes('1500'));
      await page.keyboard.press('m');
      const saw = await text('#detail');
      check('what the user wants is shown however long ago', saw.includes('User\nCount.') && saw.includes('1,291 steps before these are not listed here.'), saw.slice(0, 400));
      await page.keyboard.press('s');
      await page.evaluate(() => { location.hash = '#step=3'; });
      await page.waitForFunction(() => document.querySelector('#detail h2').innerText === 'Step 3');
      await page.evaluate(() => { location.hash = '#message=1'; });
      await page.waitForFunction(() => document.querySelector('#detail h2').innerText === 'User');
      await page.selectOption('#status', 'e');
      await page.evaluate(() => {  // a search that takes long
        const now = performance.now.bind(performance);
        let calls = 0;
        performance.now = () => now() + 25 * calls++;
      });
      await page.evaluate(() => { location.hash = '#step=4'; });
      await page.waitForFunction(() => document.querySelector('#detail h2').innerText === 'Step 4');
      await page.waitForFunction(() => document.body.dataset.found === '2001');
      check('a link leads out of a filter', await text('#count') === '2,001 rows', await text('#count'));
      for (const wrong of ['#step=99999', '#step=0', '#step=x', '#row-1', '#%E0%A4%A']) {
        await page.evaluate(wrong => { location.hash = wrong; }, wrong);
        check(`${wrong} changes nothing`, (await text('#detail h2')) === 'Step 4');
      }
    }
  },
  narrow: {  // tides
    browser: {viewport: {width: 400, height: 800}, hasTouch: true},
    async run({page, check, text, axe}) {
      check('nothing is wider than the screen', await overflow(page) <= 0, await overflow(page));
      check('the list has the screen', await page.locator('#list').isVisible() && !(await page.locator('#detail').isVisible()));
      await page.locator('#row-5').tap();
      check('a row opens', await page.locator('#detail').isVisible() && !(await page.locator('#list').isVisible()) && (await text('#detail h2')) === 'Step 4');
      check('within the screen', await overflow(page) <= 0, await overflow(page));
      await axe();
      await page.locator('#back').tap();
      check('and goes back', await page.locator('#list').isVisible());
    }
  },
  crowded: {  // failing
    browser: {viewport: {width: 400, height: 800}, hasTouch: true},
    async run({page, check, text}) {
      check('it opens at the error that ended it', await hash(page) === '#step=90', await hash(page));
      check('nothing is wider than the screen', await overflow(page) <= 0, await overflow(page));
      const shown = await page.locator('#problems button').evaluateAll(all => all.filter(one => one.offsetParent).map(one => one.innerText.split(' ')[0]).join());
      check('the first and the last error, and all of them', shown === '1,90,all', shown);
      const top = await page.locator('#list').evaluate(one => one.getBoundingClientRect().top);
      check('half of the screen is left for the list', top < 440, top);
      await page.locator('#problems button').first().tap();
      check('an error opens', (await text('#detail h2')) === 'Step 1' && await overflow(page) <= 0, await overflow(page));
    }
  },
  lost: {  // lost
    async run({page, check, text}) {
      check('the verdict is from the record', await text('#verdict') === 'Ended: failed: the connection was lost U+202E<b>', await text('#verdict'));
      check('in the colour of an error', await page.locator('#verdict.e').count() === 1);
    }
  },
  light: {  // tides
    browser: {colorScheme: 'light'},
    async run({page, check, axe}) {
      check('light', await page.evaluate(() => getComputedStyle(document.body).backgroundColor) === 'rgb(246, 247, 249)');
      await axe();
      await page.keyboard.press('?');
      await axe();
    }
  },
  dark: {  // tides
    browser: {colorScheme: 'dark'},
    async run({page, check, axe}) {
      check('dark', await page.evaluate(() => getComputedStyle(document.body).backgroundColor) === 'rgb(18, 22, 27)');
      await axe();
      await page.keyboard.press('m');
      await axe();
    }
  },
  print: {  // tides
    async run({page, check, text}) {
      await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
      await page.emulateMedia({media: 'print'});
      const paper = await text('#paper');
      check('all rows are on paper', await page.locator('#paper > section').count() === 10);
      check('in full', paper.includes('line 59') && paper.includes('no such file: brest.csv') && paper.includes('At 6.9') === false && paper.includes('at 6.9 m.'), paper.slice(0, 500));
      check('without the window', !(await page.locator('main').isVisible()) && !(await page.locator('#tools').isVisible()));
      check('but with the head', await page.locator('#title').isVisible());
      const pdf = await page.pdf();
      check('several pages', (pdf.toString('latin1').match(/\/Type \/Page\b/g) || []).length >= 2);
      await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
      check('gone after it', await page.locator('#paper section').count() === 0);
    }
  },
  hostile: {  // hostile
    async run({page, check, text}) {
      const size = await page.evaluate(() => +document.querySelector('#rows .row').getAttribute('aria-setsize'));
      check('every row is there', size === 17 * 3 + 3, size);
      check('the title is text', (await text('#title')).includes('<script>'), await text('#title'));
      await page.locator('#list').focus();
      await page.keyboard.press('g');
      for (let i = 0; i < size; ++i) {
        for (const view of ['r', 'm', 's']) await page.keyboard.press(view);
        if (i === 17 * 3 + 1) check('the run of a call is opened whole', await openAll(page) === 1 + 17 * 3 + 1);
        const bad = await page.evaluate(() => {
          const hidden = /\r(?!\n)|[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b\u2028-\u202e\u2066-\u2069\ufeff]/;
          const outside = ['SCRIPT', 'IFRAME', 'IMG', 'SVG', 'OBJECT', 'LINK', 'A', 'BASE', 'FORM'].filter(tag => document.querySelector(`body ${tag}`) && tag !== 'SCRIPT');
          if (document.scripts.length !== 2) outside.push('SCRIPT');
          const shown = [document.getElementById('detail'), document.getElementById('list'), document.querySelector('header'), document.getElementById('tools')];
          if (shown.some(one => hidden.test(one.textContent))) outside.push('a control character');
          if (document.body.dataset.hacked) outside.push('a script of the run');
          return outside;
        });
        if (bad.length) check('nothing of it becomes markup', false, bad);
        await page.keyboard.press('j');
      }
      await page.keyboard.press('s');
      check('controls are marks', await found(page, 'gnp.exe') > 0 && (await page.locator('#detail .control').allInnerTexts()).includes('U+202E'),
        await page.locator('#detail .control').allInnerTexts());
      check('a carriage return alone is one, before a line feed it is none', await found(page, 'lines of windows') === 1 &&
        !(await page.locator('#detail .control').allInnerTexts()).includes('CR') && await found(page, 'over') > 0 &&
        (await page.locator('#detail .control').allInnerTexts()).includes('CR'));
      check('markup is text', await found(page, "<img src=x onerror") > 0 && (await text('#detail')).includes('<img src=x onerror='));
      await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
      check('nor on paper', await page.evaluate(() => document.querySelectorAll('#paper img, #paper script, #paper iframe, #paper a, #paper svg').length) === 0);
    }
  },
  long: {  // counting(test_size(...)), and 10 MB in one output
    async run({page, check, text}) {
      const nodes = () => page.evaluate(() => document.getElementsByTagName('*').length);
      check('few nodes, whatever the length', await nodes() < 900, await nodes());
      await page.keyboard.press('Shift+G');
      check('the last row', await chosen(page).isVisible());
      const detail = await text('#detail');
      check('a cut output says what is missing', /\[cut: 9\d{6} more bytes\]/.test(await page.locator('#detail').textContent()), detail.slice(-300));
      check('so does the head', (await text('#notes')).includes('1 value longer than the page’s limit was cut'), await text('#notes'));
      await page.evaluate(async () => {
        const list = document.getElementById('list');
        for (let i = 0; i <= 40; ++i) {
          list.scrollTop = list.scrollHeight * i / 40;
          await new Promise(requestAnimationFrame);
        }
      });
      check('few nodes after scrolling', await nodes() < 900, await nodes());
      check('the end is in sight', await page.locator('#rows .row').last().isVisible());
    }
  },
  explored: {  // a run of the example explore
    browser: {viewport: {width: 1100, height: 640}},
    hash: '#step=4',
    async run({page, check, text}) {
      check('the title', (await text('#title')).startsWith('Exploring '), await text('#title'));
      check('the verdict', await text('#verdict') === 'Ended with an answer', await text('#verdict'));
      check('errors on top', (await page.locator('#problems button').first().innerText()) === "4 read_file: 'docs' is a folder",
        await page.locator('#problems button').allInnerTexts());
      check('a human’s word', (await text('#list')).includes('Not now.'));
      check('the step', (await text('#detail')).includes("'docs' has no suffix"));
      await page.evaluate(() => document.getElementById('title').replaceChildren('Exploring a harbour'));  // the folder differs
    }
  },
  empty: {  // no step, no message
    async run({page, check, text, axe}) {
      check('it says so', (await text('#verdict')) === 'Nothing is recorded yet' && (await text('#list')).includes('Nothing is recorded yet.'), await text('#list'));
      for (const key of ['j', 'e', 'm', 'r', 'Shift+G', 'Enter', 'Escape']) await page.keyboard.press(key);
      await axe();
    }
  },
  torn: {  // the page without its end
    async run({page, check, text}) {
      check('a page that is not complete says so', (await text('#notes')).includes('not complete'), await text('#notes'));
    }
  }
};
