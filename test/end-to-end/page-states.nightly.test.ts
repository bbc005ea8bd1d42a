/**
 * The headings of pages in a real browser: of every page of the route table while it waits for the server,
 * where the server fails and after another try, and of what a search finds.
 */
import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasFfmpeg } from '../support/media/media-files.ts';
import { openWhole, startEveryPage, type EveryPage } from '../support/pages/every-page.ts';
import { hasBrowser } from '../support/servers/browser.ts';

let pages: EveryPage;

/** What the start of the app needs: who is in, as which profile, with which preferences. */
const isOfStart = /^\/api\/(auth\/me|profiles|profiles\/me\/preferences|health)$/;

/** The texts of the headings of the page. */
const headings = (page: Page): Promise<readonly string[]> =>
  page.evaluate("[...document.querySelectorAll('main h1')].map((one) => one.textContent.trim())");

describe.skipIf(!hasBrowser || !hasFfmpeg)('every page (needs Chromium and ffmpeg)', () => {
  beforeAll(async () => {
    pages = await startEveryPage();
  }, 120_000);

  afterAll(async () => {
    await pages?.close();
    expect(pages.complaints).toEqual([]);
  });

  test('has one heading while the server does not answer, and where it fails', async () => {
    const { page, context } = await pages.signedIn({ serviceWorkers: 'block' });
    const found: string[] = [];
    let answer: (route: Route) => Promise<void> = async () => {};
    await page.route(
      ({ pathname }) =>
        (pathname.startsWith('/api/') && !isOfStart.test(pathname)) || pathname === '/metrics',
      (route) => (route.request().method() === 'GET' ? answer(route) : route.continue()),
    );
    const look = async (address: string, how: string): Promise<void> => {
      const texts = await headings(page);
      if (texts.length !== 1 || texts[0] === '') found.push(`${address} ${how}: ${texts.join()}`);
    };
    for (const address of Object.values(pages.addresses)) {
      const held: Route[] = [];
      answer = async (route) => void held.push(route);
      await page.goto(address);
      await page.waitForSelector('main');
      await page.waitForFunction("document.querySelector('main h1')").catch(() => {});
      await look(address, 'while it waits');
      answer = (route) => route.fulfill({ status: 500, json: { error: 'internal error' } });
      await Promise.all(held.map((route) => answer(route)));
      await page.waitForFunction("!document.querySelector('main [aria-busy=true]')");
      await look(address, 'where it failed');
      const problem = page.locator('main [role=alert]').first();
      if ((await problem.count()) > 0 && (await problem.getByRole('button').count()) === 0)
        found.push(`${address}: no way to try again`);
    }
    expect(found).toEqual([]);
    await context.close();
  }, 300_000);

  test('says that the server failed, and shows what it answers to another try', async () => {
    const { page, context } = await pages.signedIn({ serviceWorkers: 'block' });
    await page.addInitScript("addEventListener('click', () => (window.isPressed = true), true)");
    await page.route(/\/api\/(items|entities|libraries|collections)\/[^/]+$/, async (route) =>
      (await page.evaluate('window.isPressed === true'))
        ? route.continue()
        : route.fulfill({ status: 500, json: { error: 'internal error' } }),
    );
    for (const [pattern, title] of [
      ['/items/:id', 'Alien'],
      ['/libraries/:id', 'Films'],
      ['/lists/:id', 'Evening'],
      ['/people/:id', 'Ann Lee'],
    ] as const) {
      await openWhole(page, pages.addresses[pattern] ?? '');
      expect(await headings(page)).toEqual(['This page could not be loaded']);
      await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
      expect(await page.getByRole('alert').count()).toBe(0);
    }
    await context.close();
  }, 120_000);

  test('shows what is found below a heading for each kind', async () => {
    const { page, context } = await pages.signedIn({ serviceWorkers: 'block' });
    const outline = async (words: string): Promise<readonly string[]> => {
      await openWhole(page, `/search?q=${words}`);
      await page.getByRole('region', { name: 'Results' }).waitFor();
      return page.evaluate(
        "[...document.querySelectorAll('main :is(h1, h2, h3)')].map((one) => one.localName + ' ' + one.textContent.trim())",
      );
    };
    // What the scan found reaches the index a little later.
    for (const [words, below] of [
      ['Empire', ['h1 Search', 'h2 Shows', 'h2 Seasons', 'h2 3 titles']],
      ['Quiet', ['h1 Search', 'h2 Artists', 'h2 Albums', 'h2 1 track']],
      ['Ann', ['h1 Search', 'h2 People', 'h2 2 titles']],
    ] as const)
      await expect.poll(() => outline(words), { timeout: 60_000 }).toEqual(below);
    await context.close();
  });
});
