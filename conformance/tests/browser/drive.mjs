// Chromium, and pages of which every message and request is kept.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const tools = createRequire(path.join(process.env.WIRECANON_BROWSER, 'package.json'));
const puppeteer = (await import(pathToFileURL(tools.resolve('puppeteer-core')))).default;
const axe = readFileSync(tools.resolve('axe-core/axe.min.js'), 'utf8');

export async function start() {
  return puppeteer.launch({
    executablePath: process.env.CHROMIUM,
    // A container has no user namespaces; the pages are ours.
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  });
}

// Opens a file of the folder or an address, and holds that nothing is asked of any other place and nothing goes wrong.
export async function open(browser, where, { hash = '', width = 1280, height = 900, scheme = 'light' } = {}) {
  const page = await browser.newPage();
  const isAddress = where.startsWith('http://');
  const url = isAddress ? where : pathToFileURL(where).href;
  const own = isAddress ? new URL(url).origin + '/' : url;
  page.said = [];
  page.on('console', (message) => page.said.push(`console ${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => page.said.push(`error: ${error.message}`));
  page.on('dialog', (dialog) => { page.said.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
  page.on('request', (request) => {
    if (!request.url().startsWith(own) && !request.url().startsWith('blob:' + own) && request.url() !== 'data:,') page.said.push(`request: ${request.url()}`);
  });
  await page.setViewport({ width, height });
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
  await page.goto(url + hash, { waitUntil: 'load' });
  return page;
}

export async function close(page) {
  assert.deepEqual(page.said, []);
  await page.close();
}

// What axe-core finds wrong; every rule of it that is about accessibility.
export async function accessible(page, where) {
  await page.evaluate(axe);
  const found = await page.evaluate(async () => {
    const { violations } = await window.axe.run(document, { resultTypes: ['violations'] });
    return violations.flatMap((one) => one.nodes.map((node) => `${one.id}: ${one.help}: ${node.html.slice(0, 200)} ${node.failureSummary}`));
  });
  assert.deepEqual(found, [], where);
}

export const text = (page, selector) => page.$eval(selector, (element) => element.innerText.trim());
export const texts = (page, selector) => page.$$eval(selector, (list) => list.map((element) => element.innerText.trim()));
export const seen = (page, selector) => page.$eval(selector, (element) => !element.closest('[hidden]'));
export const focused = (page) => page.evaluate(() => document.activeElement.textContent.trim());
export const settle = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

// The steps of a script, one after the other: each has a line, and one that fails does not keep the others from being tried.
export async function walk(steps, browser, only) {
  let failed = 0;
  for (const [name, body] of steps.filter(([name]) => !only || name.includes(only))) {
    try {
      await body();
      console.log(`ok    ${name}`);
    } catch (error) {
      failed += 1;
      console.log(`FAIL  ${name}\n${error.stack}`);
    }
  }
  await browser.close();
  process.exit(failed === 0 ? 0 : 1);
}
