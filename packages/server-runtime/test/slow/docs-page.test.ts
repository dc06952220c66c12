import { existsSync } from 'node:fs';
import { reference } from '@repo/bookstore/generated/document';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, type TestServer } from '../support/server.ts';

/**
 * The API reference in a real browser. Scripts for the page are strings: its content security policy forbids the `eval` that
 * the driver uses for functions.
 */

const chromium = process.env.CHROMIUM ?? ['/usr/bin/chromium', '/usr/bin/google-chrome'].find(existsSync);
/** A folder for screenshots. Default: none are taken. */
const screenshots = process.env.SCREENSHOTS;

// The test sends the first operation. It has marks that the contract may have nowhere.
const { paths, ...shown } = JSON.parse(reference);
shown.paths = { '/books': paths['/books'], ...paths };
Object.assign(shown.paths['/books'].get, { deprecated: true, 'x-badges': [{ name: 'beta' }] });
const operations: { summary: string; 'x-codeSamples': { source: string }[] }[] = Object.values<object>(shown.paths)
  .flatMap((item) => Object.values(item))
  .filter(({ summary }) => summary);

let server: TestServer;
let browser: Browser;

beforeAll(async () => {
  if (!chromium) return;
  server = await startServer({ reference: JSON.stringify(shown) });
  const args = ['--no-sandbox', '--disable-dev-shm-usage'];
  browser = await puppeteer.launch({ executablePath: chromium, args, timeout: 0 });
});

afterAll(async () => {
  await browser?.close();
  await server?.close();
});

const textOf = (page: Page) => page.evaluate('document.body.innerText') as Promise<string>;

/** The page at a width, and all hosts that it requested. */
async function open(width: number, scheme = 'light') {
  // Each page has its own context, because it stores the chosen sample language.
  const page = await (await browser.createBrowserContext()).newPage();
  // Only the time limit of the test applies.
  page.setDefaultTimeout(0);
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
  const hosts = new Set<string>();
  const violations: string[] = [];
  page.on('console', (message) => /Content Security Policy/.test(message.text()) && violations.push(message.text()));
  page.on('request', (request) => {
    const { protocol, host } = new URL(request.url());
    if (protocol.startsWith('http')) hosts.add(host);
  });
  await page.setViewport({ width, height: 900, isMobile: width < 600 });
  await page.goto(`${server.origin}/docs`, { waitUntil: 'load' });
  await expect.poll(() => textOf(page)).toContain('enterprise');
  return { page, hosts, violations };
}

/** Clicks the first visible button with this label. */
async function click(page: Page, label: string): Promise<void> {
  const find = `[...document.querySelectorAll('button')].find((button) =>
    button.checkVisibility() && button.innerText.trim().startsWith(${JSON.stringify(label)}))`;
  await expect.poll(() => page.evaluate(`${find} !== undefined`)).toBe(true);
  await page.evaluate(`${find}.click()`);
}

describe.skipIf(!chromium)('in Chromium (npm does not bring it: install it or set CHROMIUM)', () => {
  test.each([
    [1400, 'light'],
    [400, 'dark'],
  ])('%i pixels wide, %s: the page is complete and requests this server only', async (width, scheme) => {
    const { page, hosts, violations } = await open(width, scheme);
    const pickers = `[...document.querySelectorAll('[data-testid="client-picker"]')]`;
    const labels = () => page.evaluate(`${pickers}.map(({ innerText }) => innerText.trim())`) as Promise<string[]>;
    const expected = [
      ...['deprecated', 'beta', ...Object.keys(shown['x-rate-limit-plans']), '100,000', 'X-RateLimit-Remaining'],
      ...operations.flatMap(({ summary, 'x-codeSamples': [sdk] }) => [summary, ...(sdk?.source.split('\n') ?? [])]),
    ];
    // Sections are rendered when scrolled to.
    const height = () => page.evaluate('document.documentElement.scrollHeight') as Promise<number>;
    const missing = async () => {
      for (let top = 0; top < (await height()); top += 700) await page.evaluate(`scrollTo(0, ${top})`);
      const text = (await textOf(page)).toLowerCase();
      return expected.filter((part) => !text.includes(part.toLowerCase()));
    };
    await expect.poll(missing).toEqual([]);
    const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await page.evaluate(overflow)).toBeLessThanOrEqual(0);
    if (screenshots) await page.screenshot({ path: `${screenshots}/docs-${width}-${scheme}.png`, fullPage: true });

    // Each operation has two samples: SDK, then curl.
    await expect.poll(labels).toEqual(operations.map(() => '@repo/bookstore'));
    await page.evaluate(`${pickers}[0].click()`);
    const options = `[...document.querySelectorAll('[role=option]')]`;
    const texts = () => page.evaluate(`${options}.map(({ innerText }) => innerText.trim())`);
    await expect.poll(texts).toEqual(['@repo/bookstore', 'curl']);
    await page.evaluate(`${options}[1].click()`);
    await expect.poll(labels).toEqual(operations.map(() => 'curl'));
    for (const {
      'x-codeSamples': [, curl],
    } of operations)
      expect(await textOf(page)).toContain(/^curl .*'/m.exec(curl?.source ?? '')?.[0]);
    expect([[...hosts], violations]).toEqual([[new URL(server.origin).host], []]);
    await page.close();
  });

  test('a reader types a key and sends a request from the page', async () => {
    await server.bookstore.createBook({ title: 'From the page', storeId: 7, format: 'hardcover' });
    const { page } = await open(1400);
    const sent: string[] = [];
    page.on('response', (response) => {
      if (response.url().includes('/v1/books')) sent.push(`${response.request().method()} ${response.status()}`);
    });
    const key = await page.waitForSelector('input[placeholder*="oken" i]', { visible: true });
    await key?.type(server.apiKey);
    await click(page, 'Test Request');
    // The click is repeated until the dialog is ready.
    const send = async () => {
      await click(page, 'Send');
      return sent;
    };
    await expect.poll(send, { interval: 1_000 }).toContain('GET 200');
    await expect.poll(() => textOf(page)).toContain('From the page');
    await click(page, 'Code Snippet');
    if (screenshots) await page.screenshot({ path: `${screenshots}/docs-request.png` });
    await page.close();
  });
});
