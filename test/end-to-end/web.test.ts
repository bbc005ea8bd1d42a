/**
 * The app in a real browser, over a real server: grids that hold any number of titles, arrow keys,
 * Back, live changes, languages, and the budgets of its files.
 */
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rounds } from '../support/run/nightly.ts';
import { testByNight } from '../support/run/test-by-night.ts';
import { eventually } from '../support/eventually.ts';
import { firstScripts } from '../support/pages/first-scripts.ts';
import { hasBrowser, openBrowser } from '../support/servers/browser.ts';
import { noJobs } from '../support/servers/scan.ts';
import { startServer, type TestServer } from '../support/servers/server.ts';

const password = 'correct horse battery';
/** More than a page holds at once, with several for each letter. */
const films = rounds(260, 1040);

let server: TestServer;
let browser: Browser;
let media: string;
let filmLibrary: string;
/** What no page may do: break its own policy, throw, or write an error. */
const complaints: string[] = [];

const make = (folder: string, name: string): void => {
  mkdirSync(path.join(media, folder), { recursive: true });
  writeFileSync(path.join(media, folder, name), name);
};

function makeMedia(): void {
  for (let at = 0; at < films; at += 1) {
    const title = `${String.fromCharCode(65 + (at % 26))} Film ${String(at).padStart(4, '0')}`;
    make('Films', `${title} (${1950 + (at % 70)}).mkv`);
  }
  for (const show of ['Empire', 'Northern Lights'])
    for (const season of [1, 2])
      for (const episode of [1, 2, 3])
        make(`Shows/${show}/Season ${season}`, `${show} S0${season}E0${episode}.mkv`);
}

async function addLibrary(name: string, type: string, folder: string): Promise<string> {
  const roots = [path.join(media, folder)];
  const { body } = await server.request('POST', '/api/libraries', { name, type, roots });
  return (body as { readonly library: { readonly id: string } }).library.id;
}

const countIn = async (id: string): Promise<number> =>
  (await server.get<{ library: { itemCount: number } }>(`/api/libraries/${id}`)).library.itemCount;

async function openPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  // It ends a wait that hangs: a scan takes long on a busy machine.
  page.setDefaultTimeout(120_000);
  page.on('pageerror', (error) => void complaints.push(error.message));
  page.on('console', (message) => {
    const isRefusal = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isRefusal) complaints.push(message.text());
  });
  return page;
}

type Cookies = Awaited<ReturnType<BrowserContext['cookies']>>;

/** Sessions by the name of their user: to check a password takes longer than to show most pages. */
const sessions = new Map<string, Cookies>();

async function signedIn(
  settings: NonNullable<Parameters<Browser['newContext']>[0]> = {},
  name = 'Grace',
): Promise<{ readonly page: Page; readonly close: () => Promise<void> }> {
  const context = await browser.newContext({ baseURL: server.url, ...settings });
  const page = await openPage(context);
  const session = sessions.get(name);
  if (session === undefined) {
    await context.request.post('/api/auth/login', {
      data: { name, password },
      headers: { 'x-session': 'cookie' },
    });
    sessions.set(name, await context.cookies());
  } else await context.addCookies(session);
  return { page, close: () => context.close() };
}

/** Holds the script of the app back until the function is called that this gives. */
async function holdScript(page: Page): Promise<() => void> {
  const held = Promise.withResolvers<null>();
  await page.route('**/web/main-*.js', async (route) => {
    await held.promise;
    await route.continue();
  });
  return () => held.resolve(null);
}

const focused = (page: Page): Promise<string> =>
  page.evaluate('document.activeElement.id || document.activeElement.textContent.trim()');

describe.skipIf(!hasBrowser)('the app (needs Chromium)', () => {
  beforeAll(async () => {
    media = mkdtempSync(path.join(tmpdir(), 'vitrine-web-'));
    makeMedia();
    [server, browser] = await Promise.all([startServer(), openBrowser()]);
    for (const [name, role] of Object.entries({ Grace: 'user', Ada: 'admin' })) {
      const made = await server.request('POST', '/api/users', { name, password, role });
      expect(made.status).toBe(201);
    }
    filmLibrary = await addLibrary('Films', 'movies', 'Films');
    const shows = await addLibrary('Shows', 'tv', 'Shows');
    await eventually('both libraries are scanned', async () => {
      const [ofFilms, ofShows] = [await countIn(filmLibrary), await countIn(shows)];
      return ofFilms === films && ofShows === 12;
    });
  });

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    if (media !== undefined) rmSync(media, { recursive: true, force: true });
    expect(complaints).toEqual([]);
  });

  test('shows series as shows with seasons and episodes', async () => {
    const { page, close } = await signedIn();
    await page.goto('/libraries');
    await page.getByRole('link', { name: /^Shows/ }).click();
    await page.locator('.grid .tile:not(.placeholder)').first().waitFor();
    expect(await page.locator('.grid .tile .title').allInnerTexts()).toEqual([
      'Empire',
      'Northern Lights',
    ]);

    await page.getByRole('link', { name: 'Empire' }).click();
    // It plays the episode that comes next, whichever season is looked at.
    const play = page.getByRole('link', { name: 'Play Season 1, episode 1' });
    await play.waitFor();
    const first = page.locator('.episode .still').first();
    expect(await play.getAttribute('href')).toBe(await first.getAttribute('href'));
    await page.getByRole('link', { name: /^Season 2/ }).click();
    await expect.poll(() => page.locator('.episode h3').count()).toBe(3);
    const address = page.url();
    await page.locator('.episode h3 a').nth(1).click();
    const neighbours = page.getByRole('navigation', { name: 'Episodes' }).getByRole('link');
    await expect.poll(() => neighbours.allInnerTexts()).toHaveLength(2);
    await page.goto(address);
    expect(new URL(page.url()).searchParams.get('season')).not.toBeNull();
    await close();
  });

  testByNight('holds a window of a long list, and goes to a letter at once', async () => {
    const { page, close } = await signedIn();
    await page.goto(`/libraries/${filmLibrary}`);
    await page.locator('.letters button').first().waitFor();
    const sizes: number[] = [];
    page.on('response', (reply) => {
      if (reply.url().includes('/api/items?'))
        void reply.headerValue('content-length').then((text) => sizes.push(Number(text)));
    });

    await page.getByRole('button', { name: 'S', exact: true }).click();
    await page
      .locator('.tile .title', { hasText: /^S Film/ })
      .first()
      .waitFor();
    await page.evaluate('scrollTo(0, document.body.scrollHeight)');
    await page
      .locator('.tile .title', { hasText: /^Z Film/ })
      .first()
      .waitFor();

    expect(await page.evaluate("document.querySelectorAll('*').length")).toBeLessThanOrEqual(400);
    expect(await page.locator('.grid-window .tile').count()).toBeLessThan(80);
    expect(await page.locator('*').count()).toBeLessThanOrEqual(400);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(20_000);
    await page.getByRole('button', { name: 'As a list' }).click();
    await page.locator('.grid.line .tile .title').first().waitFor();
    await page.waitForURL('**/*view=list');
    const columns = "getComputedStyle(document.querySelector('.grid-window')).gridTemplateColumns";
    expect(String(await page.evaluate(columns)).split(' ')).toHaveLength(1);
    expect(await page.locator('*').count()).toBeLessThanOrEqual(400);

    // A random order that is chosen once more is another one.
    const firstTitles = async (): Promise<string> => {
      await page.evaluate('scrollTo(0, 0)');
      return (await page.locator('.tile .title').allInnerTexts()).slice(0, 6).join();
    };
    const order = page.locator('.sort select');
    const orders: string[] = [];
    for (const sort of ['random', 'title', 'random', 'title']) {
      await order.selectOption(sort);
      await expect.poll(firstTitles).not.toBe(orders.at(-1));
      await expect.poll(firstTitles).toMatch(/^. Film .*,/);
      orders.push(await firstTitles());
    }
    expect(new Set(orders).size).toBe(3);
    await page.getByRole('button', { name: 'Reverse the order' }).click();
    await expect.poll(firstTitles).toMatch(/^Z Film/);

    // The app was built again, so a part of it is gone: the page is loaded again once, where it was.
    await page.route('**/web/palette-*.js', (route) => route.fulfill({ status: 404 }));
    await page.evaluate('globalThis.isOld = true; scrollTo(0, 2000)');
    await page.locator('.tile').nth(10).focus();
    const [tile, height] = [await focused(page), await page.evaluate('scrollY')];
    await page.keyboard.press('Control+k');
    await expect
      .poll(() => page.evaluate('globalThis.isOld ?? scrollY').catch(() => null))
      .toBe(height);
    await expect.poll(() => focused(page)).toBe(tile);
    await page.evaluate('globalThis.isOld = true');
    const isGone = page.waitForResponse('**/web/palette-*.js');
    await page.keyboard.press('Control+k');
    await isGone;
    await page.locator('.toasts').getByText(/./).first().waitFor();
    expect(await page.evaluate('globalThis.isOld')).toBe(true);
    await close();
  });

  testByNight(
    'asks for all that the first page needs at once, before its own scripts are there',
    async () => {
      const { page, close } = await signedIn();
      // Once its feed begins, a page reads again what may have changed before.
      await page.routeWebSocket(/\/api\/ws/, () => new Promise(() => {}));
      const asked: string[] = [];
      page.on('request', (request) => {
        const { pathname } = new URL(request.url());
        if (/^\/api\/(auth|profiles|home)\b/.test(pathname)) asked.push(pathname);
      });
      const all = ['/api/auth/me', '/api/home', '/api/profiles', '/api/profiles/me/preferences'];
      // The second time, the profile is known.
      for (const open of [
        () => page.goto('/', { waitUntil: 'commit' }),
        () => page.reload({ waitUntil: 'commit' }),
      ]) {
        asked.length = 0;
        const release = await holdScript(page);
        await open();
        await expect.poll(() => asked.toSorted()).toEqual(all);
        release();
        await page.locator('.row .tile').first().waitFor();
        expect(asked.toSorted()).toEqual(all);
      }
      await close();
    },
  );

  test('shows its frame and the look of the last time until its scripts are there', async () => {
    const { page, close } = await signedIn();
    const commit = { waitUntil: 'commit' } as const;
    await page.goto('/');
    await page.locator('.row .tile').first().waitFor();
    await page.evaluate(
      `localStorage.setItem('look', '{"lang":"de","dir":"rtl","data-theme":"light","onclick":"1"}')`,
    );
    const release = await holdScript(page);

    await page.reload(commit);

    await page.locator('#skeleton .brand').waitFor();
    const look = 'document.documentElement.outerHTML.match(/<html[^>]*>/)[0]';
    expect(await page.evaluate(look)).toBe(
      '<html lang="de" data-at="" dir="rtl" data-theme="light">',
    );
    release();
    await page.locator('.row .tile').first().waitFor();
    expect(await page.locator('#skeleton').count()).toBe(0);
    expect(await page.evaluate(look)).toBe('<html lang="en-US" data-at="" dir="ltr">');

    // A stranger sees nothing of it: neither when a session has ended, nor after that.
    await page.context().clearCookies();
    for (const open of [() => page.reload(commit), () => page.goto('/', commit)]) {
      const goOn = await holdScript(page);
      await open();
      await page.locator('#skeleton').waitFor({ state: 'attached' });
      await expect.poll(() => page.locator('#skeleton').isVisible()).toBe(false);
      goOn();
      await page.waitForURL('**/sign-in?**');
    }
    await close();
  });

  testByNight(
    'loads the document again when the server has other files than the page',
    async () => {
      const { page, close } = await signedIn();
      await page.goto('/');
      await page.locator('.row .tile').first().waitFor();
      await page.evaluate('window.isOldDocument = true');
      await page.route('**/web/search-*.js', (route) => route.fulfill({ status: 404 }), {
        times: 1,
      });

      await page.locator('nav a[href="/search"]').first().click();
      await page.locator('input[type="search"]').first().waitFor();

      expect(await page.evaluate('window.isOldDocument')).toBeUndefined();
      await close();
    },
  );

  testByNight('comes back to where one was, with the same tile focused', async () => {
    const { page, close } = await signedIn();
    await page.goto(`/libraries/${filmLibrary}`);
    await page.locator('.grid .tile:not(.placeholder)').first().waitFor();
    await page.evaluate('scrollTo(0, 5000)');
    const tile = page.locator('.grid .tile:not(.placeholder)').nth(16);
    await tile.waitFor();
    await tile.focus();
    const [id, top] = [await tile.getAttribute('id'), await page.evaluate('scrollY')];
    await page.keyboard.press('Enter');
    await page.locator('article h1').waitFor();

    const backMs: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      const isBack = `document.activeElement.id === '${id}' && Math.abs(scrollY - ${Number(top)}) <= 4`;
      backMs.push(
        await page.evaluate<number>(`new Promise((resolve) => {
          const begun = performance.now();
          const look = () => {
            if (${isBack}) resolve(performance.now() - begun);
            else requestAnimationFrame(look);
          };
          history.back();
          look();
        })`),
      );
      await page.goForward();
      await page.locator('article h1').waitFor();
    }
    // The best of three: the machine may be busy.
    expect(Math.min(...backMs)).toBeLessThanOrEqual(200);
    await close();
  });

  test('is used with arrow keys alone', async () => {
    const { page, close } = await signedIn({ viewport: { width: 1920, height: 1080 } });
    // A television that says so once is one from then on.
    for (const address of ['/?tv', '/']) {
      await page.goto(address);
      await page.locator('.row .tile').first().waitFor();
      const size = await page.evaluate('getComputedStyle(document.documentElement).fontSize');
      expect(size).toBe('24px');
    }
    // The keys are loaded after the page.
    const isInMain = async (): Promise<boolean> => {
      await page.keyboard.press('ArrowDown');
      return page.evaluate(
        "document.activeElement.closest('main') !== null && document.activeElement.tagName !== 'MAIN'",
      );
    };
    await expect.poll(isInMain).toBe(true);
    const rows = await page.locator('.row').count();
    for (let at = 0; at < rows * 3; at += 1) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    const box = await page.evaluate(`(() => {
      const { top, bottom, left, right } = document.activeElement.getBoundingClientRect();
      return top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth;
    })()`);
    expect(await page.evaluate("document.activeElement.classList.contains('tile')")).toBe(true);
    expect(box).toBe(true);
    await page.keyboard.press('Enter');
    await page.locator('h1:not(.unseen)').waitFor();
    await close();
  });

  testByNight('shows what a scan finds without a reload', async () => {
    const { page, close } = await signedIn();
    mkdirSync(path.join(media, 'More'));
    const id = await addLibrary('More', 'movies', 'More');
    // The feed of the page begins once all is over: nothing of it may be missed.
    let begin = (): void => {};
    const isOver = new Promise<void>((resolve) => (begin = resolve));
    await page.routeWebSocket(/\/api\/ws/, async (socket) => {
      await isOver;
      socket.connectToServer();
    });
    await page.goto(`/libraries/${id}`);
    await page.getByText('Nothing here yet').waitFor();
    make('More', 'Solaris (1972).mkv');
    await server.request('POST', '/api/jobs', { type: 'scan', libraryId: id });
    await noJobs(server);
    begin();
    await page.locator('.grid .tile', { hasText: 'Solaris' }).waitFor();
    make('More', 'Stalker (1979).mkv');
    await server.request('POST', '/api/jobs', { type: 'scan', libraryId: id });
    await page.locator('.grid .tile', { hasText: 'Stalker' }).waitFor();
    const { items } = await server.get<{ items: readonly { id: string; title: string }[] }>(
      `/api/items?libraryId=${id}`,
    );
    const changed = items.find(({ title }) => title === 'Stalker')?.id;
    await server.request('PATCH', `/api/items/${changed}`, { title: 'Stalker by night' });
    await page.locator('.grid .tile', { hasText: 'by night' }).waitFor();
    await close();
  });

  test('speaks German, and holds every word in its catalogue', async () => {
    const { page, close } = await signedIn({ locale: 'de-DE' });
    await page.goto('/libraries');
    await page.getByRole('heading', { name: 'Bibliotheken' }).waitFor();
    expect(await page.evaluate('document.documentElement.lang')).toBe('de-DE');

    await page.evaluate(
      "sessionStorage.setItem('locale', 'en-XA'); sessionStorage.setItem('dir', 'rtl')",
    );
    await page.goto(`/libraries/${filmLibrary}`);
    await page.locator('.grid .tile:not(.placeholder)').first().waitFor();
    const plain =
      await page.evaluate(`[...document.querySelectorAll('button, option, label span, .bar nav span')]
      .map((element) => element.textContent.trim())
      .filter((text) => /[a-z]{3}/.test(text) && !text.startsWith('[!!') && text !== 'Grace')`);
    expect(plain).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await close();
  });

  test('lets an admin read what a plugin asks, grant a part of it, and see it run', async () => {
    const { page, close } = await signedIn({}, 'Ada');
    const from = path.resolve(import.meta.dirname, '../../examples/notifier');
    cpSync(from, path.join(server.data, 'plugins/notifier'), { recursive: true });

    await page.goto('/admin/plugins');
    await page.getByRole('button', { name: 'Look for new plugins' }).click();
    await page.getByRole('link', { name: /^Notifier/ }).click();
    await page.getByText('It asks for your consent').waitFor();
    await page
      .getByRole('checkbox', { name: /library/i })
      .first()
      .uncheck();
    await page.getByRole('button', { name: 'Allow this and start it' }).click();
    await page.getByRole('heading', { name: 'What it may do' }).waitFor();
    await page.getByText('The last hour').waitFor();

    const { granted } = await server.get<{ granted: Record<string, unknown> }>(
      '/api/plugins/notifier/permissions',
    );
    expect(granted).toHaveProperty('kv');
    expect(granted).not.toHaveProperty('library');
    await page.getByRole('button', { name: 'Try this on what it did last' }).click();
    await page.locator('.dry-run [role=status]').waitFor();
    await close();
  });

  test('keeps the pages of admins to admins', async () => {
    const { page, close } = await signedIn();
    await page.goto('/admin/people');
    await page.getByText('These pages are for admins.').waitFor();
    await close();
  });

  testByNight('lets a television in by the code that it shows', async () => {
    const television = await browser.newContext({ baseURL: server.url });
    const screen = await openPage(television);
    await screen.goto('/sign-in');
    await screen.getByRole('link', { name: 'Sign in by another device' }).click();
    const code = await screen.locator('.pairing-code').innerText();
    await screen.getByRole('img', { name: 'A code for the camera of a phone' }).waitFor();
    const { page, close } = await signedIn();
    await page.goto('/me');
    await page.getByRole('link', { name: 'Add a device' }).click();

    await page.getByLabel('Code').fill('BBBB BBBB');
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.getByText('No device waits with this code.').waitFor();
    // A phone that scans the picture comes with the code in the address.
    await page.goto(`/pair/accept?code=${code.replaceAll(/\s/g, '')}`);
    await page.getByText('Chrome on Linux').waitFor();
    await page.getByLabel('Name in your list of devices').fill('The big screen');
    await page.getByRole('button', { name: 'Sign in on this device' }).click();
    await page.getByText('The device goes on by itself.').waitFor();

    await screen.getByRole('link', { name: 'Grace' }).waitFor();
    await page.goto('/account');
    await page.getByText('The big screen').waitFor();
    await television.close();
    await close();
  });

  test('says so where there is no page', async () => {
    const { page, close } = await signedIn();
    const reply = await page.goto('/nonsense');
    expect(reply?.status()).toBe(404);
    await page.getByRole('heading', { name: 'This page does not exist' }).waitFor();
    // The app knows what a person means by an address that no route takes.
    await page.goto('/lists/');
    await page.getByRole('heading', { name: 'Lists', level: 1 }).waitFor();
    const program = await fetch(`${server.url}/nonsense`);
    expect([program.status, program.headers.get('content-type')]).toEqual([
      404,
      expect.stringContaining('application/json'),
    ]);
    await close();
  });

  test('serves its files for ever and compressed, under one strict policy', async () => {
    const document = await fetch(`${server.url}/`, { headers: { accept: 'text/html' } });
    const html = await document.text();
    expect(document.headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self' blob:; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'; worker-src 'self'; manifest-src 'self'",
    );
    const [script = ''] = /\/web\/main-[A-Z0-9]+\.js/.exec(html) ?? [];
    const reply = await fetch(server.url + script, { headers: { 'accept-encoding': 'br' } });
    expect(reply.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(reply.headers.get('content-encoding')).toBe('br');
    expect(reply.headers.get('vary')?.toLowerCase()).toContain('accept-encoding');
    for (const name of ['..%2fserver.mjs', 'bundle.json', 'main.js', '%2e%2e%2fstamp'])
      expect((await fetch(`${server.url}/web/${name}`)).status).toBe(404);
  });
});

/** Sizes after gzip, in bytes: shell and home; the sign-in; each other page; all styles. */
test('the files of the app are within their budgets', () => {
  const dist = path.resolve(import.meta.dirname, '../../dist/web');
  const size = (name: string): number => gzipSync(readFileSync(path.join(dist, name))).length;
  const scripts = readdirSync(dist).filter((name) => name.endsWith('.js'));
  const main = scripts.filter((name) => name.startsWith('main-'));
  const home = scripts.filter((name) => name.startsWith('home-'));
  // Loaded when something needs it: hls.js, libpgs, assjs as `ass-…`, and the documents of the PDF reader.
  const pages = scripts.filter((name) => !/^(chunk|early|main|hls|ass|libpgs|pdf)-/.test(name));
  const sum = (names: readonly string[]): number => names.map(size).reduce((a, b) => a + b, 0);

  const early = scripts.filter((name) => name.startsWith('early-'));
  const atStart = [...firstScripts(dist, [...early, ...main, ...home])];
  expect(sum(atStart)).toBeLessThanOrEqual(35_000);
  // With the document and its styles, all come at once: a browser loads six files at a time.
  expect(atStart.length).toBeLessThanOrEqual(4);
  const atSignIn = [
    ...firstScripts(
      dist,
      scripts.filter((name) => /^documents-[A-Z0-9]+\.js$/.test(name)),
    ),
  ];
  expect(sum(atSignIn)).toBeLessThanOrEqual(15_000);
  expect(atSignIn.length).toBeLessThanOrEqual(2);
  for (const name of readdirSync(dist).filter((one) => one.endsWith('.css')))
    expect({ name, isWithin: size(name) <= 8_000 }).toEqual({ name, isWithin: true });
  // The words of the pages for admins, in one language, are a part of the 60 kB of those pages.
  const most = (name: string): number => (/^(de|en)-/.test(name) ? 16_000 : 12_000);
  for (const name of pages)
    expect({ name, isWithin: size(name) <= most(name) }).toEqual({ name, isWithin: true });
});
