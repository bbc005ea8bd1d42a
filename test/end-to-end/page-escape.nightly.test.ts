/**
 * Escape on every page of the route table: it closes what was opened over the page and gives the focus back
 * to what opened it; where nothing is open, it changes nothing.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { hasFfmpeg } from '../support/media/media-files.ts';
import { openWhole, startEveryPage, type EveryPage } from '../support/pages/every-page.ts';
import { hasBrowser } from '../support/servers/browser.ts';

let pages: EveryPage;

/** What lies over a page: windows, and menus of the player. */
const open = 'dialog[open]';
/** Pages in the whole window, which Escape leaves as the button at their top does. */
const fillsWindow = /^\/(watch|photos|read)\//;

/** What a press changes at once is drawn. */
const twoFrames =
  'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))';

/** A page that changes nothing on the server, and how to wait until it asks for nothing more. */
async function openPage(): Promise<{ readonly page: Page; readonly settle: () => Promise<void> }> {
  const { page } = await pages.signedIn({ serviceWorkers: 'block' });
  const pending = new Set<unknown>();
  const isMedia = (url: string): boolean => /\/(stream|file)\b|\.m4s|\.mp4/.test(url);
  page.on('request', (request) => isMedia(request.url()) || pending.add(request));
  page.on('requestfinished', (request) => void pending.delete(request));
  page.on('requestfailed', (request) => void pending.delete(request));
  page.on('framenavigated', () => pending.clear());
  await page.route(/\/api\//, (route) => {
    const { pathname } = new URL(route.request().url());
    return route.request().method() === 'GET' || pathname.startsWith('/api/playback/')
      ? route.continue()
      : route.abort();
  });
  // A button may load the document again; where another document would come, none does.
  const draw = (): Promise<void> =>
    page.evaluate(twoFrames).then(
      () => {},
      () => page.waitForLoadState(),
    );
  await page.route(/\/(install|sign-in)\b/, (route) => route.fulfill({ status: 204 }));
  const settle = async (): Promise<void> => {
    await draw();
    await eventually('the page asks for nothing', () => pending.size === 0);
    await draw();
  };
  return { page, settle };
}

interface Button {
  readonly name: string;
  readonly at: number;
}

/** The buttons of a page that can be pressed, one of each name. The dock, which belongs to all pages, has a test of its own. */
const buttonsOf = (page: Page): Promise<readonly Button[]> =>
  page.evaluate(`(() => {
    const known = new Set();
    return [...document.querySelectorAll('button')].flatMap((one, at) => {
      const name = (one.ariaLabel ?? one.textContent).trim().replace(/[0-9]+/g, '');
      if (one.disabled || !one.checkVisibility() || one.closest('.dock') || known.has(name)) return [];
      known.add(name);
      return { name, at };
    });
  })()`);

/** Whether something is open; another document has nothing open. */
const isOpen = (page: Page): Promise<boolean> =>
  page
    .evaluate<boolean>(`document.querySelector(${JSON.stringify(open)}) !== null`)
    .catch(() => false);

/** What Escape might change: the address, the place, the focus, the title, and what is open or chosen. */
const stateOf = (page: Page): Promise<unknown> =>
  page.evaluate(`(() => {
    const { localName, id, textContent } = document.activeElement;
    return [
      location.href, scrollY, localName, id, localName === 'main' ? '' : textContent,
      document.querySelector('main h1').textContent,
      document.querySelectorAll('[open], [aria-expanded=true], [aria-pressed=true]').length,
    ];
  })()`);

/** Presses a button and then Escape; says what is wrong then. */
async function pressAndEscape(
  { page, settle }: Awaited<ReturnType<typeof openPage>>,
  { at }: Button,
): Promise<'nothing opens' | 'right' | 'stays open' | 'the focus is elsewhere'> {
  const button = (await page.$$('button'))[at];
  await button?.focus();
  await page.keyboard.press('Enter');
  await settle();
  if (!(await isOpen(page))) return 'nothing opens';
  await page.keyboard.press('Escape');
  await settle();
  if (await isOpen(page)) return 'stays open';
  const hasFocus = await button?.evaluate((one) => one === one.ownerDocument.activeElement);
  return hasFocus === true ? 'right' : 'the focus is elsewhere';
}

describe.skipIf(!hasBrowser || !hasFfmpeg)('Escape (needs Chromium and ffmpeg)', () => {
  beforeAll(async () => {
    pages = await startEveryPage();
  }, 120_000);

  afterAll(async () => {
    await pages?.close();
    expect(pages.complaints).toEqual([]);
  });

  test('changes nothing on a page with nothing open', async () => {
    const { page, settle } = await openPage();
    const changed: string[] = [];
    for (const address of Object.values(pages.addresses)) {
      if (fillsWindow.test(address)) continue;
      await openWhole(page, address);
      await settle();
      const before = await stateOf(page);
      await page.keyboard.press('Escape');
      await settle();
      if (!isDeepStrictEqual(await stateOf(page), before)) changed.push(address);
    }
    expect(changed).toEqual([]);
    await page.context().close();
  }, 300_000);

  test('closes what a button opened, and the button has the focus again', async () => {
    const own = await openPage();
    const { page, settle } = own;
    const wrong: string[] = [];
    const opened: string[] = [];
    for (const address of Object.values(pages.addresses)) {
      await openWhole(page, address);
      await settle();
      for (const button of await buttonsOf(page)) {
        const found = await pressAndEscape(own, button);
        if (found === 'right') {
          opened.push(`${address}: ${button.name}`);
          continue;
        }
        if (found !== 'nothing opens') wrong.push(`${address}, ${button.name}: ${found}`);
        await openWhole(page, address);
        await settle();
      }
    }
    expect(wrong).toEqual([]);
    expect(opened.length).toBeGreaterThan(20);
    await page.context().close();
  }, 900_000);

  test('closes a panel of the dock, from the panel and from its button, which has the focus then', async () => {
    const { page } = await openPage();
    await page.goto(pages.addresses['/albums/:id'] ?? '');
    await page.getByRole('button', { name: /^Play/ }).first().click();
    const dock = page.locator('.dock');
    const panel = dock.locator('.dock-panel');
    await dock.waitFor();
    for (const name of ['Queue', 'Sleep timer']) {
      const button = dock.getByRole('button', { name, exact: true });
      const hasFocus = (): Promise<boolean> =>
        button.evaluate((one) => one === one.ownerDocument.activeElement);
      await button.press('Enter');
      await panel.locator('button:focus').waitFor();
      await page.keyboard.press('Escape');
      await panel.waitFor({ state: 'detached' });
      expect(await hasFocus()).toBe(true);
      await button.press('Enter');
      await panel.locator('button:focus').waitFor();
      await button.focus();
      await page.keyboard.press('Escape');
      await panel.waitFor({ state: 'detached' });
      expect(await hasFocus()).toBe(true);
    }
    await page.context().close();
  });

  test('closes the palette alone, and what had the focus has it again, also where keys play or turn pages', async () => {
    const { page, settle } = await openPage();
    for (const pattern of ['/', '/watch/:id', '/photos/:id', '/read/:id', '/admin/settings']) {
      const address = pages.addresses[pattern] ?? '';
      await openWhole(page, address);
      await settle();
      const before = page.locator('main :is(a, button):visible').first();
      const opener = await before.elementHandle();
      await opener?.focus();
      await page.keyboard.press('Control+k');
      const field = page.locator('.palette-field:focus');
      await field.waitFor();
      await page.keyboard.type('i k');
      expect({ pattern, typed: await field.inputValue() }).toEqual({ pattern, typed: 'i k' });
      await page.keyboard.press('Escape');
      await settle();
      const hasFocus = await opener?.evaluate((one) => one === one.ownerDocument.activeElement);
      const { pathname, search } = new URL(page.url());
      expect({ at: pathname + search, isOpen: await isOpen(page), hasFocus }).toEqual({
        ...{ at: address, isOpen: false, hasFocus: true },
      });
    }
    await page.context().close();
  }, 120_000);

  test('closes the upper one of two windows, then the other one; each gives the focus back', async () => {
    const { page, settle } = await openPage();
    const { users } = await pages.server.get<{ users: readonly { id: string; name: string }[] }>(
      '/api/users',
    );
    const userId = users.find(({ name }) => name === 'Ada')?.id;
    await pages.server.request('POST', '/api/profiles', { userId, name: 'Kid' });
    const focused = (): Promise<string> =>
      page.evaluate(
        '(document.activeElement.ariaLabel ?? document.activeElement.textContent).trim()',
      );
    for (const address of ['/profiles', `/admin/people/${userId}`]) {
      await openWhole(page, address);
      await page.getByRole('button', { name: 'Change Kid' }).press('Enter');
      const remove = page.locator('dialog').getByRole('button', { name: 'Delete the profile' });
      await remove.press('Enter');
      await page.locator('dialog', { hasText: 'Delete this profile?' }).waitFor();
      const seen: unknown[] = [];
      for (let windows = 2; windows > 0; windows -= 1) {
        await page.keyboard.press('Escape');
        await settle();
        seen.push([await page.locator('dialog[open]').count(), await focused()]);
      }
      expect({ address, seen }).toEqual({
        ...{
          address,
          seen: [
            [1, 'Delete the profile'],
            [0, 'Change Kid'],
          ],
        },
      });
    }
    await openWhole(page, '/');
    const tile = page.locator('a.tile[href^="/items/"]').first();
    await tile.press('ContextMenu');
    await page.getByRole('button', { name: 'Add to a list' }).press('Enter');
    await page.getByRole('heading', { name: 'Add to a list' }).waitFor();
    await page.keyboard.press('Escape');
    await settle();
    expect(await isOpen(page)).toBe(false);
    expect(await tile.evaluate((one) => one === one.ownerDocument.activeElement)).toBe(true);
    await page.context().close();
  }, 120_000);
});
