/** What a guest is offered, in a real browser: on every page each control is used, and the server refuses none. */
import type { Page, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { hasFfmpeg } from '../support/media/media-files.ts';
import {
  addList,
  openWhole,
  password,
  startEveryPage,
  type EveryPage,
} from '../support/pages/every-page.ts';
import { hasBrowser } from '../support/servers/browser.ts';

let pages: EveryPage;

/** One who made a list as a user, and is a guest from then on. */
async function addGuest(): Promise<string> {
  const { server } = pages;
  const user = { name: 'Gus', password, role: 'user' };
  const made = await server.request('POST', '/api/users', user);
  const { id } = (made.body as { readonly user: { readonly id: string } }).user;
  const list = await addList(server, 'Before', 'Gus');
  expect((await server.request('PATCH', `/api/users/${id}`, { role: 'guest' })).status).toBe(200);
  return list;
}

/** What may be pressed, chosen or ticked: that of a window over the page if there is one. */
const controls =
  'button:enabled, [role=option], summary, select:enabled, input[type=checkbox]:enabled, input[type=range]:enabled';

/** Marks the next control that was not used yet, and gives its name; `null` = there is none. */
const markNext = (used: ReadonlySet<string>): string => `(() => {
  document.querySelector('[data-next]')?.removeAttribute('data-next');
  const used = ${JSON.stringify([...used])};
  const over = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body;
  for (const one of over.querySelectorAll(${JSON.stringify(controls)})) {
    const name = one.tagName + ' ' + (one.getAttribute('aria-label') ?? one.name ?? '') + ' ' + one.textContent.trim().slice(0, 60);
    if (used.includes(name) || !one.checkVisibility({ checkVisibilityCSS: true })) continue;
    one.setAttribute('data-next', '');
    return name;
  }
  return null;
})()`;

/** Uses the marked control as its kind is used. */
const useMarked = `(() => {
  const one = document.querySelector('[data-next]');
  if (one.tagName === 'SELECT') {
    one.selectedIndex = (one.selectedIndex + 1) % one.options.length;
    one.dispatchEvent(new Event('change', { bubbles: true }));
  } else if (one.type === 'range') {
    one.value = one.min;
    one.dispatchEvent(new Event('input', { bubbles: true }));
    one.dispatchEvent(new Event('change', { bubbles: true }));
  } else one.click();
})()`;

/** It ends the session, and so says nothing of what is refused. */
const endsSession = /sign out/i;

/** Waits until a page has drawn what was done, and what it then sent was answered. */
async function settle(page: Page, sent: ReadonlySet<Request>): Promise<void> {
  await page.waitForFunction(
    'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))',
  );
  await eventually('what the page sent is answered', async () => sent.size === 0);
}

/** Uses each control of the page, and opens the page again where one led away. */
async function useAll(page: Page, address: string, sent: ReadonlySet<Request>): Promise<number> {
  const used = new Set<string>();
  for (;;) {
    if (new URL(page.url()).pathname !== new URL(address, page.url()).pathname)
      await openWhole(page, address);
    const name = await page.evaluate<string | null>(markNext(used));
    const isOver = (await page.locator('dialog[open]').count()) > 0;
    if (name === null && !isOver) return used.size;
    if (name === null) await page.keyboard.press('Escape');
    else used.add(name);
    if (name === null || endsSession.test(name)) continue;
    // Some choices load the page once more.
    await page.evaluate(useMarked).catch(() => page.waitForLoadState());
    await settle(page, sent).catch(() => openWhole(page, address));
  }
}

describe.skipIf(!hasBrowser || !hasFfmpeg)('a guest (needs Chromium and ffmpeg)', () => {
  beforeAll(async () => {
    pages = await startEveryPage();
  }, 120_000);

  afterAll(async () => {
    await pages?.close();
    expect(pages.complaints).toEqual([]);
  });

  test('is offered nothing on any page that the role may not do', async () => {
    const list = await addGuest();
    const { page, context } = await pages.signedIn({ serviceWorkers: 'block' }, 'Gus');
    // Keeping something may lead to a document outside of the app.
    await page.route(/\/install\b/, (route) => route.fulfill({ status: 204 }));
    const refused: string[] = [];
    const sent = new Set<Request>();
    page.on('request', (one) => void (one.method() !== 'GET' && sent.add(one)));
    page.on('requestfinished', (one) => void sent.delete(one));
    page.on('requestfailed', (one) => void sent.delete(one));
    page.on('response', (reply) => {
      const { pathname } = new URL(reply.url());
      if (reply.status() === 403)
        refused.push(`${new URL(page.url()).pathname}: ${reply.request().method()} ${pathname}`);
    });
    let uses = 0;
    const addresses = { ...pages.addresses, '/lists/:id': `/lists/${list}` };
    for (const address of Object.values(addresses)) {
      if (address.startsWith('/admin')) continue;
      await openWhole(page, address);
      uses += await useAll(page, address, sent);
      const tile = page.locator('main a.tile[href^="/items/"]').first();
      if ((await tile.count()) === 0) continue;
      await tile.click({ button: 'right' });
      await page.locator('dialog[open] .choice').first().waitFor();
      uses += await useAll(page, address, sent);
    }
    expect(refused).toEqual([]);
    expect(uses).toBeGreaterThan(100);
    await context.close();
  }, 900_000);
});
