// Goes through the pages of a report as people do: node report.mjs FOLDER, with `run.html`, `big.html`, `hostile.html`.
import assert from 'node:assert/strict';
import path from 'node:path';
import { accessible, close, focused, open, seen, settle, start, text, texts, walk } from './drive.mjs';

const folder = process.argv[2];
const file = (name) => path.join(folder, name);
const shot = (page, name, options) => page.screenshot({ path: file(name + '.png'), ...options });
const browser = await start();
const steps = [];
const step = (name, body) => steps.push([name, body]);
const count = async (page) => Number((await text(page, '#count')).replace(/,/g, '').match(/^\d+/)?.[0] ?? 0);
const wide = (page) => page.evaluate(() => document.documentElement.scrollWidth);
const paper = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
const go = (page, selector) => Promise.all([page.waitForFunction((was) => location.hash !== was, {}, new URL(page.url()).hash), page.click(selector)]);

step('the matrix opens a class, the class a case, and the way back is kept', async () => {
  const page = await open(browser, file('run.html'));
  assert.equal(await text(page, 'h1'), 'narrow');
  assert.match(await text(page, '.statement'), /^Of \d+ cases, \d+ came out as asked; in \d+ an API would refuse the answer/);
  await accessible(page, 'the overview');
  await shot(page, 'overview');
  const cell = await page.$$eval('.matrix tbody tr:not(.total)', (rows) => {
    const row = rows.find((one) => one.querySelector('td.bad'));
    row.querySelector('td.bad a').setAttribute('id', 'chosen');
    return { class: row.querySelector('th').innerText.trim(), failing: Number(row.querySelector('td.bad b').innerText) };
  });
  await go(page, '#chosen');
  assert.equal(await page.$eval('#f-class', (select) => select.value), cell.class);
  assert.equal(await count(page), cell.failing);
  assert.equal(await focused(page), 'Results');
  await shot(page, 'list');
  const title = await text(page, '#rows li:nth-child(2) strong');
  await go(page, '#rows li:nth-child(2) a');
  assert.equal(await text(page, '#case h1'), title);
  assert.equal(await focused(page), title);
  assert.ok(!(await seen(page, '#rows')));
  assert.ok((await texts(page, '#case .sources li')).length > 0, 'the case has no source');
  assert.ok((await texts(page, '#case .reasons li')).length > 0, 'the case has no reason');
  assert.ok((await page.$$('#case del.ln, #case ins.ln')).length > 0, 'nothing is marked as different');
  assert.ok((await page.$$('#case .group .ln.marked + .pin')).length > 0, 'no place is marked');
  await accessible(page, 'a case');
  await shot(page, 'case', { fullPage: true });
  const views = await page.$$('#case .views button');
  await views[1].click();
  assert.equal((await page.$$('#case .group:first-of-type del.ln, #case .group:first-of-type ins.ln')).length, 0);
  await go(page, '#case .way a');
  assert.ok(await seen(page, '#rows'));
  assert.ok((await focused(page)).includes(title), 'the row that was open has the focus');
  await close(page);
});

step('filters narrow the list, together and one by one', async () => {
  const page = await open(browser, file('run.html'));
  const all = await count(page);
  const ids = await texts(page, '#rows .mono');
  await page.type('#f-q', ids[2]);
  const found = await count(page);
  assert.ok(found > 0 && found < all / 2, `${found} of ${all}`);
  assert.ok((await texts(page, '#rows .mono')).includes(ids[2]));
  await page.select('#f-class', 'encoding');
  assert.ok(await count(page) <= found);
  await page.click('#f-clear');
  assert.equal(await count(page), all);
  await page.select('#f-verdict', 'unsafe');
  const unsafe = await count(page);
  assert.ok(unsafe > 0 && unsafe <= all);
  await page.select('#f-show', 'all');
  await page.select('#f-verdict', '');
  assert.ok(await count(page) > all, 'what passes is not shown');
  await page.click('#f-clear');
  const rule = await page.$eval('#f-rule option:nth-child(2)', (option) => option.value);
  await page.select('#f-rule', rule);
  // The address changes first, and what it leads to is shown when the page hears of it.
  await settle(page);
  assert.ok(await count(page) > 0);
  await page.type('#f-q', 'words that nobody has said');
  await settle(page);
  assert.equal(await text(page, '#rows'), 'Nothing is like that.');
  assert.match(await text(page, '#count'), /^No result/);
  await accessible(page, 'an empty list');
  await close(page);
});

step('every view is a link', async () => {
  const first = await open(browser, file('run.html'), { hash: '#class=pairing&show=all' });
  assert.equal(await page_value(first, '#f-class'), 'pairing');
  const title = await text(first, '#rows li strong');
  await go(first, '#rows li a');
  const hash = new URL(first.url()).hash;
  await close(first);
  const again = await open(browser, file('run.html'), { hash });
  assert.equal(await text(again, '#case h1'), title);
  assert.ok((await again.title()).startsWith(title));
  await again.goBack().catch(() => {});
  await close(again);
  const wrong = await open(browser, file('run.html'), { hash: '#case=no-such-case&class=%3Cb%3E' });
  assert.match(await text(wrong, '#case h1'), /no case called no-such-case/);
  await close(wrong);
});
const page_value = (page, selector) => page.$eval(selector, (element) => element.value);

step('everything can be done with the keyboard alone', async () => {
  const page = await open(browser, file('run.html'));
  await page.keyboard.press('Tab');
  assert.equal(await focused(page), 'Skip to the results');
  await page.keyboard.press('Enter');
  assert.equal(await focused(page), 'Results');
  await page.keyboard.press('/');
  await page.keyboard.type('result');
  await page.keyboard.press('Escape');
  for (let at = 0; at < 12 && !(await page.evaluate(() => document.activeElement.closest('#rows'))); at += 1) {
    await page.keyboard.press('Tab');
  }
  const titles = await texts(page, '#rows strong');
  assert.ok((await focused(page)).includes(titles[0]));
  await page.keyboard.press('ArrowDown');
  assert.ok((await focused(page)).includes(titles[1]));
  await page.keyboard.press('End');
  await settle(page);
  assert.equal(await page.evaluate(() => document.activeElement.closest('li').getAttribute('aria-posinset')), String(await count(page)));
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await page.waitForSelector('#case:not([hidden])');
  assert.equal(await text(page, '#case h1'), titles[0]);
  await page.keyboard.press('n');
  await page.waitForFunction((title) => document.querySelector('#case h1').innerText === title, {}, titles[1]);
  await page.keyboard.press('p');
  await page.waitForFunction((title) => document.querySelector('#case h1').innerText === title, {}, titles[0]);
  await page.keyboard.press('Escape');
  await page.waitForSelector('#overview:not([hidden])');
  assert.ok((await focused(page)).includes(titles[0]));
  await close(page);
});

step('it is light or dark as the reader wants', async () => {
  const page = await open(browser, file('run.html'), { scheme: 'dark' });
  const dark = await paper(page);
  await accessible(page, 'the overview, dark');
  await shot(page, 'overview-dark');
  await page.click('#theme');
  assert.equal(await text(page, '#theme'), 'Theme: light');
  const light = await paper(page);
  assert.notEqual(dark, light);
  await page.reload();
  assert.equal(await paper(page), light, 'the choice is not kept');
  await page.click('#theme');
  assert.equal(await paper(page), dark);
  await page.click('#theme');
  assert.equal(await text(page, '#theme'), 'Theme: auto');
  await go(page, '#rows li a');
  await accessible(page, 'a case, dark');
  await shot(page, 'case-dark', { fullPage: true });
  await close(page);
});

step('a phone shows all of it without scrolling sideways', async () => {
  const page = await open(browser, file('run.html'), { width: 390, height: 844 });
  assert.equal(await wide(page), 390);
  await accessible(page, 'the overview on a phone');
  await shot(page, 'overview-phone');
  await page.evaluate(() => document.getElementById('results-heading').scrollIntoView());
  await settle(page);
  await shot(page, 'list-phone');
  await page.evaluate(() => document.querySelector('#rows li a').click());
  await page.waitForSelector('#case:not([hidden])');
  assert.equal(await wide(page), 390);
  await accessible(page, 'a case on a phone');
  await shot(page, 'case-phone', { fullPage: true });
  await close(page);
});

step('what changed since an earlier run is told first', async () => {
  const page = await open(browser, file('trend.html'));
  const buckets = await texts(page, '.buckets li');
  assert.deepEqual(buckets.map((bucket) => bucket.replace(/^\d+ /, '')), ['newly failing', 'changed failure', 'vanished case', 'newly passing', 'new case']);
  await accessible(page, 'a trend');
  await shot(page, 'trend');
  assert.match(await text(page, '#rows li .tag'), /newly failing/);
  await go(page, '.buckets a.bad');
  assert.ok(await count(page) > 0);
  await go(page, '#rows li a');
  assert.ok((await texts(page, '#case .reasons li')).some((reason) => reason.startsWith('In the earlier run: ')));
  await close(page);
});

step('no text of a testee is more than a text', async () => {
  const page = await open(browser, file('hostile.html'), { hash: '#show=all' });
  for (;;) {
    assert.equal(await page.evaluate(() => window.pwned), undefined);
    const foreign = await page.evaluate(() => document.querySelectorAll('img, iframe, object, embed, form[action], b[id], script[src]').length);
    assert.equal(foreign, 0);
    if (!(await seen(page, '#rows'))) break;
    assert.ok((await text(page, 'h1')).includes('<img src=x onerror='), await text(page, 'h1'));
    await go(page, '#rows li a');
  }
  assert.ok((await text(page, '#case')).includes('</script><script>window.pwned=1</script>'));
  assert.ok((await text(page, '#case')).includes('⟨U+202E⟩'), 'what turns the direction of a text is not seen');
  await accessible(page, 'a hostile case');
  await close(page);
});

// What a step of scrolling costs, smoothly at first, then in leaps: the rows are put into the page and laid out. How often a busy
// machine shows a frame is not asked.
async function scrolled(page) {
  return page.evaluate(() => {
    const times = [];
    let most = 0;
    document.getElementById('rows').scrollIntoView();
    for (let step = 0; step < 240; step += 1) {
      window.scrollBy(0, step < 120 ? 180 : 6000);
      const before = performance.now();
      list.draw();
      document.body.getBoundingClientRect();
      times.push(performance.now() - before);
      most = Math.max(most, document.querySelectorAll('#rows li').length);
    }
    times.sort((one, other) => one - other);
    // What it costs where nothing else is at work: the quickest tenth.
    return { cost: times[24], median: times[120], late: times[228], most };
  });
}

step('ten thousand rows are as quick as ten', async () => {
  const begun = Date.now();
  const page = await open(browser, file('big.html'), { hash: '#show=all' });
  const took = Date.now() - begun;
  assert.ok(await count(page) >= 10_000, await text(page, '#count'));
  assert.ok(took < 30_000, `${took} ms`);
  await accessible(page, 'ten thousand rows');
  const steps = await scrolled(page);
  console.log(`      ${await text(page, '#count')}: open after ${took} ms; a step of scrolling: ${steps.cost.toFixed(1)} ms, median ${steps.median.toFixed(1)} ms, 95 % within ${steps.late.toFixed(1)} ms; ${steps.most} rows at most in the page`);
  assert.ok(steps.most < 80, `${steps.most} rows`);
  assert.ok(steps.cost < 16, `a frame has 16 ms, and ${steps.cost} are needed`);
  assert.ok(steps.median < 200, `${steps.median} ms`);
  await settle(page);
  const gap = await page.evaluate(() => {
    const rows = [...document.querySelectorAll('#rows li')].map((row) => row.getBoundingClientRect()).sort((one, other) => one.top - other.top);
    const list = document.getElementById('rows').getBoundingClientRect();
    const top = Math.max(0, list.top);
    const bottom = Math.min(innerHeight, list.bottom);
    return rows[0].top <= top + 1 && rows[rows.length - 1].bottom >= bottom - 1;
  });
  assert.ok(gap, 'there is a hole in the list');
  const typed = Date.now();
  await page.type('#f-q', 'image');
  await settle(page);
  assert.ok(Date.now() - typed < 5000, `${Date.now() - typed} ms`);
  await shot(page, 'big');
  await close(page);
});

await walk(steps, browser);
