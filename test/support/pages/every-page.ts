/**
 * A library that has something for every page of the route table, a server over it, and a browser.
 * Each pattern of the table has an address here: pages of one thing show one that is there.
 */
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { strToU8, zipSync } from 'fflate';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { bars, makeMedia, tone } from '../media/media-files.ts';
import { makePng } from '../pictures/made-png.ts';
import { openBrowser } from '../servers/browser.ts';
import { jobsOver } from '../servers/scan.ts';
import { startServer, type TestServer } from '../servers/server.ts';

/** Of every person. */
export const password = 'correct horse battery';

/** The patterns of the route table. */
export const patterns: readonly string[] = [
  ...readFileSync(new URL('../../../packages/app/web/routes.ts', import.meta.url), 'utf8').matchAll(
    /pattern: '(\/[^']*)'/g,
  ),
].map(([, pattern = '']) => pattern);

/** The pages, and how to open them. */
export interface EveryPage {
  readonly server: TestServer;
  /** The address of each pattern of the route table. */
  readonly addresses: Readonly<Record<string, string>>;
  /** What no page may do: throw. */
  readonly complaints: readonly string[];
  /** A page of Ada, an admin, or of another person with her password, on a device of its own. */
  readonly signedIn: (
    settings: NonNullable<Parameters<Browser['newContext']>[0]>,
    name?: string,
  ) => Promise<{ readonly page: Page; readonly context: BrowserContext }>;
  readonly close: () => Promise<void>;
}

interface Named {
  readonly id: string;
  readonly name: string;
}

function makeMediaTree(media: string): void {
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
  write('Quiet/Blue/01 - Song.mp3\n', 'music', 'Slow.m3u');
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

/** A list of a person. Nobody else sees it. */
export async function addList(server: TestServer, name: string, owner: string): Promise<string> {
  const signIn = await server.request('POST', '/api/auth/login', { name: owner, password });
  const { sessionToken } = signIn.body as { readonly sessionToken: string };
  const made = await fetch(`${server.url}/api/collections`, {
    method: 'POST',
    headers: { authorization: `Bearer ${sessionToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name, kind: 'playlist', distributedId: 'evening', sortBy: 'manual' }),
  });
  const { collection } = (await made.json()) as { readonly collection: Named };
  return collection.id;
}

/** An address for each pattern: pages of one thing show one that is there. */
async function findAddresses(server: TestServer): Promise<Readonly<Record<string, string>>> {
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
  const list = await addList(server, 'Evening', 'Ada');
  const libraryOf = (wanted: string): string =>
    libraries.find(({ name }) => name === wanted)?.id ?? '';
  const music = libraryOf('Music');
  const { playlists } = await server.get<{ playlists: readonly { readonly id: string }[] }>(
    `/api/libraries/${music}/playlists`,
  );
  return {
    '/libraries/:id': `/libraries/${libraryOf('Films')}`,
    '/libraries/:id/playlists/:fileId': `/libraries/${music}/playlists/${playlists[0]?.id}`,
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

/**
 * Opens a page and waits until it has all that it shows first. A busy server may refuse what the start of
 * the app needs; that is told in the middle of the window, and the app starts again by itself.
 */
export async function openWhole(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.waitForFunction(
    "document.querySelector('main:not(.centered) h1') && !document.querySelector('[aria-busy=true]')",
  );
}

/** Starts the server and the browser, and waits until all is scanned. The caller closes it. */
export async function startEveryPage(): Promise<EveryPage> {
  const media = mkdtempSync(path.join(tmpdir(), 'vitrine-every-page-'));
  makeMediaTree(media);
  const libraries = ['movies:Films', 'tv:Shows', 'music:Music', 'books:Books', 'photos:Photos'];
  const [server, browser] = await Promise.all([
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
  const complaints: string[] = [];
  return {
    server,
    complaints,
    addresses: await findAddresses(server),
    async signedIn(settings, name = 'Ada') {
      const context = await browser.newContext({
        ...{ baseURL: server.url, bypassCSP: true, reducedMotion: 'reduce', ...settings },
      });
      await context.request.post('/api/auth/login', {
        data: { name, password },
        headers: { 'x-session': 'cookie' },
      });
      const page = await context.newPage();
      page.setDefaultTimeout(60_000);
      page.on('pageerror', (error) => void complaints.push(error.message));
      return { page, context };
    },
    async close() {
      await browser.close();
      await server.stop();
      rmSync(media, { recursive: true, force: true });
    },
  };
}
