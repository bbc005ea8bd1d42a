/** Two people on one browser, one after the other: nothing of the first is shown or kept for the second. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { zipSync } from 'fflate';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { makePng } from '../support/pictures/made-png.ts';
import { goOffline, hasBrowser, openBrowser } from '../support/servers/browser.ts';
import { startServer, type TestServer } from '../support/servers/server.ts';

const password = 'correct horse battery';
const patient = { timeout: 120_000 };
let server: TestServer;
let browser: Browser;
let media: string;
const users = new Map<string, string>();
const books = new Map<string, string>();

/** A library that one person alone sees, with one comic. */
async function libraryOf(name: string, title: string): Promise<void> {
  const root = path.join(media, name);
  mkdirSync(root);
  const page = makePng({ width: 40, height: 60 });
  writeFileSync(path.join(root, `${title} v01.cbz`), zipSync({ 'page 1.png': page }));
  writeFileSync(path.join(root, `${title} v01.png`), page);
  const made = await server.request('POST', '/api/libraries', {
    ...{ name, type: 'books', roots: [root] },
  });
  const { library } = made.body as { library: { id: string } };
  const libraryAccess = [{ libraryId: library.id }];
  const user = { name, password, role: 'user', libraryAccess };
  const { body } = await server.request('POST', '/api/users', user);
  users.set(name, (body as { user: { id: string } }).user.id);
  await eventually('the comic is there', async () => {
    const { items } = await server.get<{ items: { id: string; libraryId: string }[] }>(
      '/api/items?limit=20',
    );
    const found = items.find(({ libraryId }) => libraryId === library.id);
    if (found !== undefined) books.set(name, found.id);
    return found !== undefined;
  });
}

const itemOf = (name: string): string => `/items/${books.get(name)}`;

async function openTab(context: BrowserContext, at: string): Promise<Page> {
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  await page.goto(at);
  return page;
}

async function signIn(page: Page, name: string, to: string): Promise<void> {
  await page.goto(`/sign-in?to=${encodeURIComponent(to)}`);
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(`**${to}`);
}

/** Keeps the item of the page on the device. */
async function keep(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Download to this device' }).click();
  await page
    .locator('.item')
    .getByRole('link', { name: 'Downloads', exact: true })
    .waitFor(patient);
}

/** Who may see what is kept, and whose things are. */
const device = (page: Page) =>
  page.evaluate<{ readonly opened: string | null; readonly kept: readonly string[] }>(`
    new Promise((resolve, reject) => {
      const asked = indexedDB.open('downloads', 1);
      asked.onerror = () => reject(asked.error);
      asked.onsuccess = () => {
        const of = asked.result.transaction(['opened', 'kept']);
        const [opened, kept] = [of.objectStore('opened').getAll(), of.objectStore('kept').getAll()];
        of.oncomplete = () => {
          asked.result.close();
          resolve({
            opened: opened.result[0]?.userId ?? null,
            kept: kept.result.map(({ userId }) => userId),
          });
        };
      };
    })`);

const statusOf = (page: Page, address: string): Promise<number> =>
  page.evaluate<number>(`fetch(${JSON.stringify(address)}).then(({ status }) => status)`);

const marksOf = async (name: string): Promise<unknown> => {
  const { body } = await server.request('POST', '/api/auth/login', { name, password });
  const authorization = `Bearer ${(body as { sessionToken: string }).sessionToken}`;
  const reply = await fetch(`${server.url}/api/items/${books.get('Ada')}`, {
    headers: { authorization },
  });
  const { item } = (await reply.json()) as { item?: { favourite: boolean } };
  return item?.favourite;
};

describe.skipIf(!hasBrowser)('two people on one browser (need Chromium)', () => {
  beforeAll(async () => {
    media = mkdtempSync(path.join(tmpdir(), 'vitrine-two-people-'));
    [server, browser] = await Promise.all([startServer(), openBrowser()]);
    await libraryOf('Ada', 'Lanterns');
    await libraryOf('Ben', 'Ferry');
  });

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    rmSync(media, { recursive: true, force: true });
  });

  test('the second one gets no picture, no download and no tile of the first one', async () => {
    const context = await browser.newContext({ baseURL: server.url });
    const page = await openTab(context, '/sign-in');
    await signIn(page, 'Ada', itemOf('Ada'));
    await keep(page);
    const item = JSON.stringify(await server.get(`/api/items/${books.get('Ada')}`));
    const [, picture] = /"(\/api\/assets\/[^"?]+)/.exec(item) ?? [];
    const address = `${picture}?width=320&format=webp`;
    const addresses = [
      address,
      `/downloads/picture/${books.get('Ada')}`,
      `/api/items/${books.get('Ada')}`,
    ];
    const asAda = await Promise.all(addresses.map((one) => statusOf(page, one)));
    const second = await openTab(context, '/me');
    await second.getByRole('button', { name: 'Sign out' }).first().click();
    await second.waitForURL('**/sign-in*');
    expect
      .soft(
        await page.waitForURL('**/sign-in*', { timeout: 20_000 }).then(
          () => 'left',
          () => 'stays',
        ),
      )
      .toBe('left');

    await signIn(second, 'Ben', '/libraries');
    const asBen = await Promise.all(addresses.map((one) => statusOf(second, one)));
    await goOffline(context);
    await second.goto('/downloads');
    await expect
      .poll(() => second.evaluate<number>('document.body.innerText.length'), patient)
      .toBeGreaterThan(0);

    expect.soft(asAda).toEqual([200, 200, 200]);
    expect.soft(asBen).toEqual([404, 404, 404]);
    expect(await second.getByText('Lanterns').count()).toBe(0);
    expect((await device(second)).kept).toEqual([]);
    await context.close();
  });

  test('a tab that still runs as the first one changes nothing of either', async () => {
    const context = await browser.newContext({ baseURL: server.url });
    // It hears nothing of the other tabs, like one that the browser holds in the background.
    await context.addInitScript(`
      if (sessionStorage.getItem('deaf') !== null)
        addEventListener('storage', (event) => event.stopImmediatePropagation(), true);`);
    const deaf = await openTab(context, '/sign-in');
    await deaf.evaluate("sessionStorage.setItem('deaf', '1')");
    await signIn(deaf, 'Ada', itemOf('Ada'));
    await deaf.getByRole('button', { name: 'Favourite' }).first().waitFor();
    const other = await openTab(context, '/sign-in');
    await signIn(other, 'Ben', itemOf('Ben'));
    await keep(other);
    const before = await device(other);

    await deaf.getByRole('button', { name: 'Favourite' }).first().click();
    await deaf.getByRole('button', { name: 'Download to this device' }).click();
    await deaf.evaluate('document.querySelector(\'a[href="/downloads"]\')?.click()');
    await deaf.evaluate('document.querySelector(\'a[href="/me"]\')?.click()');
    await deaf.waitForURL('**/me');

    expect(before).toEqual({ opened: users.get('Ben'), kept: [users.get('Ben')] });
    expect.soft(await device(other)).toEqual(before);
    expect([await marksOf('Ada'), await marksOf('Ben')]).toEqual([false, undefined]);
    await context.close();
  });
});
