/**
 * Every page of the route table in a real browser: what a checker of accessibility finds in light, in dark,
 * in forced colours and in three sizes; large zoom, other directions and languages; keys alone; and the words.
 */
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { strToU8, zipSync } from 'fflate';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bars, hasFfmpeg, makeMedia, tone } from '../support/media/media-files.ts';
import { walkByKeys } from '../support/pages/keys.ts';
import { makePng } from '../support/pictures/made-png.ts';
import { hasBrowser, openBrowser } from '../support/servers/browser.ts';
import { jobsOver } from '../support/servers/scan.ts';
import { startServer, type TestServer } from '../support/servers/server.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const password = 'correct horse battery';
const patterns = [
  ...readFileSync(new URL('../../src/console/web/routes.ts', import.meta.url), 'utf8').matchAll(
    /pattern: '(\/[^']*)'/g,
  ),
].map(([, pattern = '']) => pattern);

const sizes = {
  phone: { width: 390, height: 844 },
  desk: { width: 1440, height: 900 },
  television: { width: 1920, height: 1080 },
} as const;

let server: TestServer;
let browser: Browser;
let media: string;
/** The address of each pattern of the route table. */
let addresses: Readonly<Record<string, string>>;
/** What no page may do: throw, or write an error. */
const complaints: string[] = [];

function makeMediaTree(): void {
  const put = (made: string, ...to: readonly string[]): void => {
    const file = path.join(media, ...to);
    mkdirSync(path.dirname(file), { recursive: true });
    copyFileSync(made, file);
  };
  const write = (text: string | Uint8Array, ...to: readonly string[]): void => {
    const file = path.join(media, ...to);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  const picture = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '24'];
  const film = makeMedia('mp4', [
    ...[...bars(30), ...tone(30), ...picture, '-c:a', 'aac', '-movflags', '+faststart'],
  ]);
  put(film, 'films', 'Alien (1979)', 'Alien (1979).mp4');
  write(makePng({ width: 60, height: 90 }), 'films', 'Alien (1979)', 'poster.png');
  write(
    '<movie><title>Alien</title><plot>Nobody hears it.</plot><genre>Horror</genre><studio>North</studio><set><name>Space</name></set><actor><name>Ann Lee</name><role>Ripley</role></actor></movie>',
    ...['films', 'Alien (1979)', 'Alien (1979).nfo'],
  );
  for (const [season, episode] of [
    [1, 1],
    [1, 2],
    [2, 1],
  ])
    put(film, 'shows', 'Empire', `Season ${season}`, `Empire S0${season}E0${episode}.mp4`);
  const named = ['-metadata', 'album=Blue', '-metadata', 'artist=Quiet', '-metadata', 'title=Song'];
  const song = makeMedia('mp3', [...tone(20), '-c:a', 'libmp3lame', ...named]);
  put(song, 'music', 'Quiet', 'Blue', '01 - Song.mp3');
  const lanterns = { 'page 1.png': makePng({ width: 40, height: 60 }) };
  write(zipSync(lanterns), 'books', 'Lanterns v01.cbz');
  const chapter = strToU8('<html xmlns="http://www.w3.org/1999/xhtml"><h1>The pier</h1></html>');
  write(
    zipSync({
      'META-INF/container.xml': strToU8('<container><rootfile full-path="b.opf"/></container>'),
      'b.opf': strToU8(
        '<package><manifest><item id="1" href="one.xhtml"/></manifest><spine><itemref idref="1"/></spine></package>',
      ),
      'one.xhtml': chapter,
    }),
    ...['books', 'Ann Lee - Lighthouse.epub'],
  );
  write(makePng({ width: 90, height: 60 }), 'photos', 'Harbour', '2019-05-12 Dawn.png');
  write(makePng({ width: 60, height: 60 }), 'photos', 'Harbour', '2021-07-04 Noon.png');
}

interface Named {
  readonly id: string;
  readonly name: string;
}

/** An address for each pattern: pages of one thing show one that is there. */
async function findAddresses(): Promise<Readonly<Record<string, string>>> {
  const idOf = async (type: string): Promise<string> => {
    const { entities } = await server.get<{ entities: readonly Named[] }>(
      `/api/entities?type=${type}`,
    );
    return entities[0]?.id ?? '';
  };
  const { items } = await server.get<{ items: readonly { id: string; title: string }[] }>(
    '/api/items?limit=50',
  );
  const item = (title: RegExp): string => items.find((one) => title.test(one.title))?.id ?? '';
  const { libraries } = await server.get<{ libraries: readonly Named[] }>('/api/libraries');
  const { users } = await server.get<{ users: readonly Named[] }>('/api/users');
  const [show, season] = [await idOf('show'), await idOf('season')];
  const ada = users.find(({ name }) => name === 'Ada')?.id ?? '';
  const { body } = await server.request('POST', '/api/collections', {
    ...{ name: 'Evening', kind: 'playlist', distributedId: 'evening', sortBy: 'manual' },
  });
  const list = (body as { collection?: { id: string } }).collection?.id ?? '';
  return {
    '/libraries/:id': `/libraries/${libraries.find(({ name }) => name === 'Films')?.id}`,
    '/items/:id': `/items/${item(/Alien/)}`,
    '/photos/:id': `/photos/${item(/Noon/)}`,
    '/read/:id': `/read/${item(/Lighthouse/)}`,
    '/watch/:id': `/watch/${item(/Alien/)}`,
    '/lists/:id': `/lists/${list}`,
    '/plugins/:id': '/plugins/tmdb',
    '/shows/:id': `/shows/${show}`,
    '/shows/:id/seasons/:season': `/shows/${show}/seasons/${season}`,
    '/seasons/:id': `/seasons/${season}`,
    '/albums/:id': `/albums/${await idOf('album')}`,
    '/artists/:id': `/artists/${await idOf('artist')}`,
    '/people/:id': `/people/${await idOf('person')}`,
    '/genres/:id': `/genres/${await idOf('genre')}`,
    '/series/:id': `/series/${await idOf('series')}`,
    '/studios/:id': `/studios/${await idOf('studio')}`,
    '/entities/:id': `/entities/${await idOf('person')}`,
    '/search': '/search?q=a',
    '/admin/libraries/:id': `/admin/libraries/${libraries[0]?.id}`,
    '/admin/items/:id': `/admin/items/${item(/Alien/)}`,
    '/admin/entities/:id': `/admin/entities/${await idOf('person')}`,
    '/admin/plugins/:id': '/admin/plugins/tmdb',
    '/admin/people/:id': `/admin/people/${ada}`,
    ...Object.fromEntries(
      patterns.filter((one) => !/[:]|^\/search$/.test(one)).map((one) => [one, one]),
    ),
  };
}

async function signedIn(
  settings: NonNullable<Parameters<Browser['newContext']>[0]>,
): Promise<{ readonly page: Page; readonly context: BrowserContext }> {
  const context = await browser.newContext({
    ...{ baseURL: server.url, bypassCSP: true, reducedMotion: 'reduce', ...settings },
  });
  await context.request.post('/api/auth/login', {
    data: { name: 'Ada', password },
    headers: { 'x-session': 'cookie' },
  });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  page.on('pageerror', (error) => void complaints.push(error.message));
  return { page, context };
}

/** Opens a page and waits until it has all that it shows first. */
async function open(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.waitForFunction(
    "document.querySelector('main h1, main .problem') && !document.querySelector('[aria-busy=true]')",
  );
}

const eachPage = (): readonly string[] => Object.values(addresses);

/** What axe finds on the page by these rules. Texts of a book are the author's. */
async function flaws(page: Page, runOnly: readonly string[]): Promise<readonly string[]> {
  return page.evaluate<readonly string[]>(`(async () => {
    if (window.axe === undefined) { ${axe} }
    const found = await window.axe.run({ exclude: ['iframe'] }, { runOnly: ${JSON.stringify(runOnly)} });
    return found.violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 160)).join(' '));
  })()`);
}

const rules = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'];

const isWider = 'Math.max(0, document.documentElement.scrollWidth - innerWidth)';

/** The languages that a person may choose. */
const languageTags = [
  ...readFileSync(
    new URL('../../src/console/web/pages/language-list.tsx', import.meta.url),
    'utf8',
  ).matchAll(/\b([a-z]{2})\b/g),
].map(([, tag = '']) => tag);

/** What no message to people holds: a route, a code, an id. */
const notForPeople = /(GET|POST|PUT|PATCH|DELETE) \/api|[a-z]+_[a-z]+|[0-9a-f]{8}-/;

/** Its texts outside of code, and its names for screen readers. */
const wordsOf = `(() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const words = [];
  while (walker.nextNode())
    if (!walker.currentNode.parentElement.closest('code, pre, script, style'))
      words.push(walker.currentNode.data);
  for (const element of document.body.querySelectorAll('*'))
    for (const name of ['aria-label', 'title', 'placeholder', 'alt'])
      words.push(element.getAttribute(name) ?? '');
  return words;
})()`;

describe.skipIf(!hasBrowser || !hasFfmpeg)('every page (needs Chromium and ffmpeg)', () => {
  beforeAll(async () => {
    media = mkdtempSync(path.join(tmpdir(), 'vitrine-every-page-'));
    makeMediaTree();
    const libraries = ['movies:Films', 'tv:Shows', 'music:Music', 'books:Books', 'photos:Photos'];
    [server, browser] = await Promise.all([
      startServer({
        args: libraries.flatMap((one) => {
          const [, name = ''] = one.split(':');
          return ['--library', `${one}:${path.join(media, name.toLowerCase())}`];
        }),
      }),
      openBrowser(),
    ]);
    await server.request('POST', '/api/users', { name: 'Ada', password, role: 'admin' });
    await jobsOver(server);
    addresses = await findAddresses();
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    if (media !== undefined) rmSync(media, { recursive: true, force: true });
    expect(complaints).toEqual([]);
  });

  test('has an address here', () => {
    expect(patterns.length).toBeGreaterThan(40);
    expect(patterns.filter((pattern) => addresses[pattern] === undefined)).toEqual([]);
    expect(eachPage().filter((address) => /\/(undefined)?(\/|$)/.test(address.slice(1)))).toEqual(
      [],
    );
  });

  test.each(Object.entries(sizes))(
    'is accessible on a %s, in light, in dark and in forced colours, and needs no scrolling sideways',
    async (size, viewport) => {
      const { page, context } = await signedIn({ viewport });
      const found: string[] = [];
      for (const address of eachPage()) {
        const shown =
          size === 'television' ? `${address}${address.includes('?') ? '&' : '?'}tv` : address;
        await open(page, shown);
        const note = (how: string, texts: readonly string[]): void =>
          void found.push(...texts.map((text) => `${address} ${how}: ${text}`));
        await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none' });
        note('in light', await flaws(page, rules));
        await page.emulateMedia({ colorScheme: 'dark', forcedColors: 'none' });
        note('in dark', await flaws(page, ['color-contrast']));
        await page.emulateMedia({ colorScheme: 'dark', forcedColors: 'active' });
        note('in forced colours', await flaws(page, ['color-contrast']));
        const wider = await page.evaluate<number>(isWider);
        if (wider > 0) note('is wider', [`${wider} px`]);
      }
      expect(found).toEqual([]);
      await context.close();
    },
    900_000,
  );

  test('fits a window of 1280 pixels at 400 %', async () => {
    const { page, context } = await signedIn({ viewport: { width: 320, height: 256 } });
    const wide: string[] = [];
    for (const address of eachPage()) {
      await open(page, address);
      const wider = await page.evaluate<number>(isWider);
      if (wider > 0) wide.push(`${address}: ${wider} px`);
    }
    expect(wide).toEqual([]);
    await context.close();
  }, 300_000);

  test('says a route, a code or an id to nobody', async () => {
    const { page, context } = await signedIn({ viewport: sizes.desk });
    const said: string[] = [];
    for (const address of eachPage()) {
      if (/^\/admin\/(logs|audit)$/.test(address)) continue;
      await open(page, address);
      for (const words of await page.evaluate<readonly string[]>(wordsOf))
        if (notForPeople.test(words)) said.push(`${address}: ${words}`);
    }
    expect(said).toEqual([]);
    await context.close();
  }, 300_000);

  test('has no words beside the catalogue, and is mirrored without scrolling sideways', async () => {
    const { page, context } = await signedIn({ viewport: sizes.desk });
    await context.addInitScript(
      "sessionStorage.setItem('locale', 'en-XA'); sessionStorage.setItem('dir', 'rtl')",
    );
    // Plugins and people have names of their own, and the browser names languages.
    const { plugins } = await server.get<{ plugins: readonly Named[] }>('/api/plugins');
    const { users } = await server.get<{ users: readonly Named[] }>('/api/users');
    const languages = new Intl.DisplayNames(['en'], { type: 'language' });
    const names = new Set([
      ...[...plugins, ...users].map(({ name }) => name),
      ...languageTags.map((tag) => languages.of(tag) ?? tag),
    ]);
    const found: string[] = [];
    for (const address of eachPage()) {
      await page.setViewportSize(sizes.desk);
      await open(page, address);
      const plain = await page.evaluate<readonly string[]>(
        `[...document.querySelectorAll('button, option, label, h2, legend, summary, dt, th, .empty p, .fine, .bar nav span')]
          .filter((element) => !element.closest('.piece') && element.querySelector('bdi, code, select, input, small') === null && element.closest('bdi') === null)
          .map((element) => element.textContent.trim())
          .filter((text) => /[a-z]{3}/.test(text) && !text.includes('[!!'))`,
      );
      found.push(...plain.filter((text) => !names.has(text)).map((text) => `${address}: ${text}`));
      for (const viewport of [sizes.desk, sizes.phone]) {
        await page.setViewportSize(viewport);
        const wider = await page.evaluate<number>(isWider);
        if (wider > 0) found.push(`${address} at ${viewport.width}: ${wider} px wider`);
      }
    }
    expect(found).toEqual([]);
    await context.close();
  }, 300_000);

  test('is walked by keys alone, in the order of the document, and each stop is seen', async () => {
    const { page, context } = await signedIn({ viewport: sizes.desk });
    const missed: string[] = [];
    for (const address of eachPage()) {
      await open(page, address);
      // What comes after the page is a stop as well. A film is loaded for long.
      if (!address.startsWith('/watch/')) await page.waitForLoadState('networkidle');
      const jumps = await page.evaluate<number>(
        `[...document.querySelectorAll('[tabindex]')].filter(({ tabIndex }) => tabIndex > 0).length`,
      );
      if (jumps > 0) missed.push(`${address}: an order of its own`);
      missed.push(...(await walkByKeys(page)).map((text) => `${address}: ${text}`));
    }
    expect(missed).toEqual([]);
    await context.close();
  }, 600_000);
});
