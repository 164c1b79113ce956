// Goes through the local page as people do: node local.mjs ADDRESS FOLDER, with `session.json`, and `mended.json` as `fix` writes it.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { accessible, close, focused, open, seen, settle, start, text, texts, walk } from './drive.mjs';

const [address, folder] = process.argv.slice(2);
const at = (name) => path.join(folder, name);
const shot = (page, name, options) => page.screenshot({ path: at('local-' + name + '.png'), ...options });
const browser = await start();
const steps = [];
const step = (name, body) => steps.push([name, body]);
const wide = (page) => page.evaluate(() => document.documentElement.scrollWidth);
const session = readFileSync(at('session.json'), 'utf8');
const value = (page, selector) => page.$eval(selector, (element) => element.value);
const rows = (page, box) => page.$$eval(box + ' .row', (all) => all.map((row) => row.querySelector('.row-text').textContent).join(''));
const top = (page, url) => page.waitForFunction((url) => location.pathname === url && document.readyState === 'complete', {}, url);

async function done(page) {
  await page.waitForFunction(() => !document.getElementById('result').hidden && !document.getElementById('result').hasAttribute('aria-busy') && document.getElementById('status').textContent === '', { timeout: 120000 });
  await settle(page);
}

// As a paste does: the text stands in the field, and then the event has come.
async function paste(page, words) {
  await page.$eval('#text', (field, words) => {
    field.focus();
    field.value = words;
    field.dispatchEvent(new InputEvent('input', { bubbles: true }));
    field.dispatchEvent(new ClipboardEvent('paste', { bubbles: true }));
  }, words);
  await page.waitForFunction(() => document.getElementById('status').textContent !== '' || !document.getElementById('result').hidden);
  await done(page);
}

async function choose(page, id, option) {
  await page.select(id, option);
  await done(page);
}

async function upload(page, name, bytes) {
  writeFileSync(at(name), bytes);
  await (await page.$('#file')).uploadFile(at(name));
  await page.waitForFunction((name) => document.getElementById('name').textContent === name || document.getElementById('verdict').textContent.startsWith(name), {}, name);
  await done(page);
}

step('a session is pasted, its faults lead to their places and back, and it is mended', async () => {
  const page = await open(browser, address);
  await accessible(page, 'the page before anything is given');
  await shot(page, 'empty');
  await paste(page, session);
  assert.match(await text(page, '#verdict'), /^\d+ broken rules, \d+ changes, nothing is lost\.$/);
  assert.equal(await focused(page), await text(page, '#verdict'));
  assert.match(await text(page, '#read'), /^Read as anthropic\.messages: .* Judged by the rules of anthropic\.messages, written for anthropic\.messages\.$/);
  const count = (await page.$$('#faults li')).length;
  assert.ok(count >= 6, `${count} faults`);
  assert.ok((await page.$$('#diff ins.ln, #diff del.ln')).length > 4, 'no difference is shown');
  await accessible(page, 'a session');
  await shot(page, 'session');
  const fault = await page.$('#faults li:nth-child(2) .fault');
  const name = await fault.evaluate((button) => button.textContent);
  await fault.click();
  assert.equal(await fault.evaluate((button) => button.getAttribute('aria-expanded')), 'true');
  assert.ok((await texts(page, '#faults .why .sources li')).length > 0, 'no source is cited');
  const place = await page.evaluate(() => ({ is: document.activeElement.className, label: document.activeElement.title, line: document.activeElement.closest('.row')?.dataset.line }));
  assert.match(place.is, /^mark .*chosen/);
  const [rule, line] = await fault.evaluate((button) => [button.querySelector('b').textContent, button.querySelector('.at').textContent.split(':')[0]]);
  assert.ok(place.label.includes(rule) && place.label.startsWith('Line ' + line), `${place.label}: ${rule}, ${line}`);
  assert.equal(place.line, line);
  await accessible(page, 'a fault that is open');
  await shot(page, 'fault');
  await page.keyboard.press('Escape');
  assert.equal(await focused(page), name);
  await page.keyboard.press('Enter');
  assert.match(await page.evaluate(() => document.activeElement.className), /^mark/);
  await page.click('#back');
  assert.equal(await focused(page), name);
  // From a mark that was not chosen before to its fault.
  const other = await page.$$eval('#source .mark', (marks) => { const mark = marks[marks.length - 1]; mark.click(); return mark.title; });
  assert.ok(other.includes(await page.evaluate(() => document.activeElement.querySelector('b').textContent)), other);
  // The next one is what was done about it.
  await page.keyboard.press('ArrowDown');
  await page.click('#faults li.open .why button');
  assert.match(await page.evaluate(() => document.activeElement.className), /^mark good/);
  assert.ok(await seen(page, '#mended'));
  assert.ok((await rows(page, '#mended')).includes('image/png'));
  await page.click('#kinds [data-kind="broken"]');
  const broken = await page.$$eval('#faults li:not([hidden]) .verdict', (all) => all.map((one) => one.textContent));
  assert.ok(broken.length > 0 && broken.length < count && broken.every((word) => word === 'broken'), String(broken));
  await close(page);
});

step('target, mode and dialect are switched, and the mended bytes are those of fix', async () => {
  const page = await open(browser, address);
  await paste(page, session);
  await choose(page, '#to', 'openai');
  assert.match(await text(page, '#read'), /written for openai\.$/);
  assert.equal(await page.$eval('#as-laid', (button) => button.getAttribute('aria-pressed')), 'true', 'another dialect is laid out');
  assert.ok((await text(page, '#laid')).includes('"tool_calls": ['), await text(page, '#laid'));
  assert.equal((await page.$$('#laid del, #laid ins')).length, 0);
  await shot(page, 'target');
  await choose(page, '#for', 'history');
  assert.equal(await text(page, '#same code'), 'wirecanon fix --to openai --for history FILE');
  assert.ok(page.url().endsWith('#to=openai&for=history'), page.url());
  await choose(page, '#from', 'openai.chat');
  assert.match(await text(page, '#read'), /^Read as openai\.chat\./);
  await choose(page, '#from', 'auto');
  await choose(page, '#for', 'request');
  await choose(page, '#to', 'anthropic');
  const client = await page.createCDPSession();
  await client.send('Browser.setDownloadBehavior', { behavior: 'allow', downloadPath: folder });
  const kept = at('session.mended.json');
  rmSync(kept, { force: true });
  await page.click('#download');
  for (let tries = 0; tries < 400 && !existsSync(kept); tries += 1) await new Promise((next) => setTimeout(next, 50));
  await page.waitForFunction(() => document.getElementById('status').textContent.includes('session.mended.json'));
  assert.equal(readFileSync(kept, 'utf8'), readFileSync(at('mended.json'), 'utf8'));
  // What was chosen is kept by the address, what was given is not.
  await page.reload();
  assert.equal(await value(page, '#to'), 'anthropic');
  assert.equal(await value(page, '#text'), '');
  await close(page);
});

step('the session file of an agent and a stream are read as what they are', async () => {
  const page = await open(browser, address, { hash: '#for=history' });
  await upload(page, 'dropped.jsonl', readFileSync(at('agent.jsonl')));
  assert.match(await text(page, '#read'), /^A Claude Code session\. .* written for anthropic\.messages\.$/);
  const seat = await page.$eval('#faults li:first-child .at', (place) => place.textContent.split(':')[0]);
  const line = readFileSync(at('agent.jsonl'), 'utf8').split('\n').findIndex((row) => row.includes('toolu_X')) + 1;
  assert.ok((await texts(page, '#faults .at')).some((place) => place.startsWith(line + ':')), `nothing is at line ${line}, but at ${seat}`);
  await page.click('#faults li:first-child .fault');
  assert.match(await page.evaluate(() => document.activeElement.className), /^mark .*chosen/);
  assert.ok((await page.$$('#diff ins.ln, #diff del.ln')).length > 0, 'no difference is shown');
  await page.click('#as-text');
  assert.ok((await rows(page, '#mended')).includes('file-history-snapshot'), 'what stands around the messages is gone');
  await accessible(page, 'a session file');
  await shot(page, 'agent');
  const data = (event) => 'data: ' + JSON.stringify(event) + '\n\n';
  const events = [
    { type: 'message_start', message: { id: 'm', type: 'message', role: 'assistant', content: [] } },
    { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 't1', name: 'look', input: {} } },
    { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{"place": "Ro' } },
  ];
  await upload(page, 'answer.sse', events.map(data).join(''));
  assert.match(await text(page, '#read'), /^A stream of 3 events, which broke off; the message that they make is shown\. /);
  assert.ok((await rows(page, '#source')).includes('tool_use') && !(await rows(page, '#source')).includes('delta'));
  await shot(page, 'stream');
  await close(page);
});

step('a mended session has nothing left to say', async () => {
  const page = await open(browser, address, { hash: '#to=anthropic' });
  await upload(page, 'again.json', readFileSync(at('mended.json')));
  assert.equal(await text(page, '#verdict'), 'No rule is broken, nothing is changed.');
  assert.match(await text(page, '#why'), /^Nothing had to change/);
  assert.ok((await page.$$('#faults li:not([data-kind="note"])')).length === 0);
  await accessible(page, 'a session without faults');
  await shot(page, 'holds');
  await page.click('#other');
  assert.equal(await value(page, '#text'), '');
  assert.ok(!(await seen(page, '#verdict')));
  await close(page);
});

step('everything can be done with the keyboard alone', async () => {
  const page = await open(browser, address);
  await page.keyboard.press('Tab');
  assert.equal(await focused(page), 'Skip to the content');
  for (let tabs = 0; tabs < 12 && (await page.evaluate(() => document.activeElement.id)) !== 'text'; tabs += 1) await page.keyboard.press('Tab');
  await page.keyboard.type('{"messages":[{"role":"user","content":"a"},{"role":"tool","tool_call_id":"x","content":"b"},{"role":"tool","tool_call_id":"y","content":"c"}]}');
  await page.keyboard.down('Control');
  await page.keyboard.press('Enter');
  await page.keyboard.up('Control');
  await page.waitForFunction(() => !document.getElementById('result').hidden);
  await done(page);
  for (let tabs = 0; tabs < 12 && !(await page.evaluate(() => document.activeElement.closest('#faults'))); tabs += 1) await page.keyboard.press('Tab');
  const first = await focused(page);
  await page.keyboard.press('ArrowDown');
  assert.notEqual(await focused(page), first);
  assert.ok((await page.$$('#source .chosen')).length > 0, 'the place of the fault is not shown');
  await page.keyboard.press('Enter');
  assert.match(await page.evaluate(() => document.activeElement.className), /^mark/);
  await page.keyboard.press('Enter');
  assert.ok(await page.evaluate(() => document.activeElement.classList.contains('fault')), 'Enter leads back');
  await close(page);
});

step('it is light or dark as the reader wants', async () => {
  const page = await open(browser, address, { scheme: 'dark' });
  await paste(page, session);
  await page.click('#faults li:nth-child(3) .fault');
  await accessible(page, 'a session, dark');
  await shot(page, 'dark');
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const dark = await paper();
  await page.click('#theme');
  assert.notEqual(await paper(), dark);
  await page.click('#theme');
  await page.click('#theme');
  await close(page);
});

step('a phone shows all of it without scrolling sideways', async () => {
  const page = await open(browser, address, { width: 390, height: 844 });
  assert.equal(await wide(page), 390);
  await shot(page, 'phone-empty');
  await paste(page, session);
  assert.equal(await wide(page), 390);
  await page.click('#faults li:nth-child(2) .fault');
  await settle(page);
  assert.equal(await wide(page), 390);
  const mark = await page.evaluate(() => document.activeElement.getBoundingClientRect().top);
  assert.ok(mark > 0 && mark < 844, `the place is out of sight: ${mark}`);
  await shot(page, 'phone-place');
  await page.click('#back');
  await accessible(page, 'a session on a phone');
  await page.evaluate(() => window.scrollTo(0, 0));
  await shot(page, 'phone', { fullPage: true });
  await page.goto(address + 'corpus');
  assert.equal(await wide(page), 390);
  await accessible(page, 'the corpus on a phone');
  await shot(page, 'phone-corpus');
  await close(page);
});

step('what is no session is told with its place and what to do', async () => {
  const page = await open(browser, address);
  // The browser tells every answer that is no success; these are wanted.
  const wanted = () => { page.said = page.said.filter((line) => !line.includes('status of 422')); };
  await paste(page, '{"messages": [\n  {"role": nope}\n]}');
  assert.equal(await text(page, '#verdict'), 'This is not JSON.');
  assert.match(await text(page, '#faults li'), /^error\s+2:12/);
  await page.click('#faults .fault');
  assert.match(await page.evaluate(() => document.activeElement.className), /^mark bad/);
  assert.ok(!(await seen(page, '#mended-pane')));
  await accessible(page, 'what is not JSON');
  await shot(page, 'not-json');
  for (const [name, bytes, title, words] of [
    ['empty.json', '', 'There is nothing here.', /./],
    ['cut.json', '{"messages":[{"role":', 'This JSON ends too early.', /./],
    ['deep.json', '{"messages":' + '['.repeat(40000) + ']'.repeat(40000) + '}', 'This is nested too deep.', /./],
    ['number.json', '17', 'This is JSON, but no session.', /./],
    ['bytes.json', Buffer.from([0xff, 0xfe, 0x00]), 'This is not JSON.', /./],
    ['large.json', Buffer.alloc(5 << 20, 0x20), 'large.json is too large.', /takes 4\.2 MB/],
  ]) {
    await upload(page, name, bytes);
    assert.equal(await text(page, '#verdict'), title, name);
    assert.match(await text(page, '#result'), words, name);
  }
  await upload(page, 'half.json', '{"messages":[{"role":"user","content":"a\\ud83d b \u202e"}]}');
  assert.ok((await texts(page, '#faults b')).includes('lone-surrogate'));
  assert.ok((await rows(page, '#source')).includes('⟨U+202E⟩'), 'what turns the direction of a text is not seen');
  await upload(page, 'odd.json', Buffer.from([...Buffer.from('\ufeff{"messages":[{"role":"user","content":"'), 0xff, ...Buffer.from('"}]}')]));
  assert.deepEqual((await texts(page, '#faults li:not([data-kind="note"]) b')).filter((rule) => rule === 'invalid-utf-8' || rule === 'byte-order-mark').length >= 2, true);
  // One that another value is asked for.
  await page.click('#other');
  await page.select('#from', 'mcp.tool-result');
  await page.select('#to', 'openai');
  await paste(page, '{"content":[{"type":"text","text":"seen"}]}');
  assert.equal(await text(page, '#verdict'), 'A lone result needs the call that it answers.');
  await page.type('#call_id', 'call_7');
  await page.click('#look');
  await page.waitForFunction(() => document.getElementById('verdict').textContent.startsWith('No rule'));
  await done(page);
  assert.ok((await text(page, '#laid')).includes('call_7'));
  wanted();
  await close(page);
});

step('redacted, nothing of what was said is on the page', async () => {
  const page = await open(browser, address);
  await paste(page, session);
  await page.click('#redact');
  await done(page);
  await page.click('#as-text');
  await page.evaluate(() => { for (const button of document.querySelectorAll('#faults .fault')) button.click(); });
  const body = await page.$eval('#result', (element) => element.textContent);
  for (const word of ['chart', 'notes', 'Are you', 'toolu_1']) assert.ok(!body.includes(word), `${word} is on the page`);
  assert.ok((await rows(page, '#source')).includes('"role": "user"'), 'the structure is gone');
  assert.equal(await text(page, '#download'), 'Download, redacted');
  await accessible(page, 'a redacted session');
  await shot(page, 'redacted');
  await close(page);
});

step('a file is dropped, and a session a line is a session a line', async () => {
  const page = await open(browser, address);
  await page.evaluate(() => {
    const message = '{"role":"user","content":"a"},{"role":"tool","tool_call_id":"x","content":"b"}';
    const line = '{"messages":[' + message + ']}\n';
    const given = new DataTransfer();
    given.items.add(new File([line + '\n' + line], 'two.jsonl'));
    document.body.dispatchEvent(new DragEvent('dragenter', { bubbles: true, dataTransfer: given }));
    document.body.dispatchEvent(new DragEvent('drop', { bubbles: true, dataTransfer: given }));
  });
  await page.waitForFunction(() => !document.getElementById('result').hidden);
  await done(page);
  assert.match(await text(page, '#read'), /^2 sessions, one a line\./);
  assert.equal(await text(page, '#name'), 'two.jsonl');
  const places = await texts(page, '#faults li:not([data-kind="note"]) .at');
  assert.ok(places.some((place) => place.startsWith('1:')) && places.some((place) => place.startsWith('3:')), String(places));
  const last = await page.$$('#faults li:not([data-kind="note"]) .fault');
  await last[last.length - 1].click();
  assert.equal(await page.evaluate(() => document.activeElement.closest('.row').dataset.line), '3');
  await close(page);
});

step('the corpus is found by words, and a case is opened as a session', async () => {
  const page = await open(browser, address + 'corpus');
  await accessible(page, 'the corpus');
  await shot(page, 'corpus');
  const all = (await page.$$('.list li')).length;
  await page.type('[name="q"]', 'orphan-tool-result');
  await page.select('[name="class"]', 'pairing');
  await Promise.all([page.waitForNavigation(), page.click('form button')]);
  const found = (await page.$$('.list li')).length;
  assert.ok(found > 0 && found < all, `${found} of ${all}`);
  assert.ok((await text(page, '#count')).startsWith(found + ' of '));
  const title = await text(page, '.list li:first-child strong');
  await Promise.all([page.waitForNavigation(), page.click('.list li:first-child a')]);
  assert.equal(await text(page, 'h1'), title);
  assert.ok((await page.$$('.code .ln')).length > 3 && (await texts(page, '.sources li')).length > 0);
  await accessible(page, 'a case');
  await shot(page, 'case', { fullPage: true });
  await Promise.all([page.waitForNavigation(), page.click('a.button')]);
  await done(page);
  assert.ok((await page.$$('#faults li')).length > 0);
  await page.goto(address + 'corpus?q=xyzzy');
  assert.match(await text(page, '#main'), /Nothing is like that/);
  await close(page);
});

step('runs are shown as their reports', async () => {
  const page = await open(browser, address + 'runs');
  await accessible(page, 'the runs');
  await shot(page, 'runs');
  await Promise.all([page.waitForNavigation(), page.click('.list li:first-child a')]);
  assert.ok((await page.$$('#rows li')).length > 0, 'the report has no rows');
  await accessible(page, 'a run');
  await shot(page, 'run');
  await Promise.all([page.waitForNavigation(), page.click('.brand a')]);
  await top(page, '/runs');
  await Promise.all([page.waitForNavigation(), page.click('.list li:first-child .more a:nth-of-type(2)')]);
  assert.ok((await page.$$('.buckets li')).length > 0, 'nothing is compared');
  await close(page);
});

step('no text of a session is more than a text', async () => {
  const page = await open(browser, address);
  const evil = '</script><script>window.pwned=1</script><img src=x onerror="window.pwned=1">';
  await paste(page, JSON.stringify({ messages: [{ role: evil, content: evil }, { role: 'tool', tool_call_id: evil, content: evil, [evil]: evil }, { role: 'assistant', content: [{ type: evil }] }] }));
  await page.evaluate(() => { for (const button of document.querySelectorAll('#faults .fault')) button.click(); });
  await page.click('#as-text');
  assert.equal(await page.evaluate(() => window.pwned), undefined);
  assert.equal(await page.evaluate(() => document.querySelectorAll('img, iframe, object, embed, script:not([src])').length), 0);
  assert.ok((await rows(page, '#source')).includes('<img src=x onerror='));
  // A hostile address is a text too.
  await page.goto(address + 'corpus?q=' + encodeURIComponent('"><img src=x onerror=window.pwned=1>'));
  assert.equal(await page.evaluate(() => window.pwned), undefined);
  assert.equal(await page.evaluate(() => document.querySelectorAll('img').length), 0);
  await close(page);
});

step('a long session, and one of a single line, scroll as a short one', async () => {
  const page = await open(browser, address);
  const message = (at) => ({ role: at % 2 ? 'assistant' : 'user', content: 'a text of some length, number ' + at + ' ' + 'x'.repeat(40) });
  const messages = Array.from({ length: 6000 }, (_, at) => message(at));
  messages.push({ role: 'tool', tool_call_id: 'none', content: 'at the very end' });
  for (const [name, words] of [['line.json', JSON.stringify({ messages })], ['lines.json', JSON.stringify({ messages }, null, 1)]]) {
    const begun = Date.now();
    await upload(page, name, words);
    const took = Date.now() - begun;
    const button = (await page.$$('#faults .fault'))[0];
    await button.click();
    assert.ok((await rows(page, '#source')).includes('at the very end') || (await rows(page, '#source')).includes('"tool"'), 'the place is not in sight');
    const cost = await page.evaluate(() => {
      const box = document.getElementById('source');
      const times = [];
      let most = 0;
      for (let step = 0; step < 120; step += 1) {
        box.scrollTop = step * 977 % box.scrollHeight;
        const before = performance.now();
        views.source.draw();
        box.getBoundingClientRect();
        times.push(performance.now() - before);
        most = Math.max(most, box.querySelectorAll('.row').length);
      }
      times.sort((one, other) => one - other);
      return { quick: times[12], median: times[60], most };
    });
    console.log(`      ${name}, ${words.length} bytes: shown after ${took} ms; a step of scrolling ${cost.quick.toFixed(1)} ms, median ${cost.median.toFixed(1)} ms; ${cost.most} rows at most in the page`);
    assert.ok(cost.most < 120, `${cost.most} rows`);
    assert.ok(cost.quick < 16, `${cost.quick} ms`);
  }
  await close(page);
});

await walk(steps, browser, process.argv[4]);
