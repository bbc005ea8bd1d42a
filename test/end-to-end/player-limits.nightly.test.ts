/**
 * What the player does where the device does not decode a film and where the connection breaks; and two
 * subtitles at once.
 */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bars, hasFfmpeg, makeMedia, tone } from '../support/media/media-files.ts';
import { filmPlays } from '../support/pages/film-plays.ts';
import { hasBrowser, openBrowser } from '../support/servers/browser.ts';
import { allItems, jobsOver } from '../support/servers/scan.ts';
import { startServer, type TestServer } from '../support/servers/server.ts';

const password = 'correct horse battery';
const picture = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '24'];
const english = '1\n00:00:00,000 --> 00:00:29,000\nThe bridge is out.\n';
const french = '1\n00:00:00,000 --> 00:00:29,000\nLe pont est coupé.\n';

let media: string;
let server: TestServer;
let browser: Browser;
const items = new Map<string, string>();
const complaints: string[] = [];

function makeFilms(): void {
  const folder = path.join(media, 'films');
  mkdirSync(folder, { recursive: true });
  const put = (made: string, name: string): void => copyFileSync(made, path.join(folder, name));
  const film = (seconds: number, ...more: readonly string[]): readonly string[] => [
    ...[...bars(seconds), ...tone(seconds), ...picture, ...more],
  ];
  const alien = makeMedia('mp4', film(30, '-c:a', 'aac', '-movflags', '+faststart'));
  put(alien, 'Alien (1979).mp4');
  writeFileSync(path.join(folder, 'Alien (1979).en.srt'), english);
  writeFileSync(path.join(folder, 'Alien (1979).fr.srt'), french);
  put(makeMedia('mkv', film(240, '-c:a', 'ac3')), 'Brazil (1985).mkv');
}

/** A page of Grace, whose browser decodes what `isDecoded` says of a question. */
async function openPage(of: TestServer, isDecoded = 'true'): Promise<Page> {
  const context = await browser.newContext({
    ...{ baseURL: of.url, serviceWorkers: 'block', viewport: { width: 1280, height: 720 } },
  });
  await context.request.post('/api/auth/login', {
    data: { name: 'Grace', password },
    headers: { 'x-session': 'cookie' },
  });
  await context.addInitScript(`{
    const answer = ({ video, audio }) => ({ supported: ${isDecoded}, smooth: false, powerEfficient: false });
    navigator.mediaCapabilities.decodingInfo = async (asked) => {
      (window.decodings ??= []).push(asked);
      return answer(asked);
    };
  }`);
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  page.on('pageerror', (error) => void complaints.push(error.message));
  return page;
}

/** Opens a film; gives the session that begins first. */
async function watch(page: Page, id: string | undefined): Promise<Record<string, unknown>> {
  const begun = page.waitForResponse(
    (reply) =>
      reply.url().endsWith('/api/playback/sessions') && reply.request().method() === 'POST',
  );
  await page.goto(`/watch/${id}`);
  const { session = {} } = (await (await begun).json()) as {
    readonly session?: Record<string, unknown>;
  };
  return session;
}

async function addGrace(of: TestServer): Promise<void> {
  const made = await of.request('POST', '/api/users', { name: 'Grace', password, role: 'user' });
  expect(made.status).toBe(201);
}

describe.skipIf(!hasBrowser || !hasFfmpeg)('the player (needs Chromium and ffmpeg)', () => {
  beforeAll(async () => {
    media = mkdtempSync(path.join(tmpdir(), 'vitrine-limits-'));
    makeFilms();
    [server, browser] = await Promise.all([
      startServer({
        args: [
          ...['--library', `movies:Films:${path.join(media, 'films')}`],
          ...['--playback-conversions', '1'],
        ],
      }),
      openBrowser(),
    ]);
    await addGrace(server);
    await jobsOver(server);
    for (const { id, title } of await allItems(server)) items.set(title, id);
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    if (media !== undefined) rmSync(media, { recursive: true, force: true });
    expect(complaints).toEqual([]);
  });

  test('a film that is decoded slowly plays as it is, and the browser was asked for its size', async () => {
    const page = await openPage(server);
    expect(await watch(page, items.get('Alien'))).toMatchObject({ mode: 'direct' });
    await filmPlays(page);
    expect(await page.evaluate('window.decodings')).toMatchObject([
      { type: 'media-source', video: { width: 320, height: 180 } },
      { type: 'media-source', audio: { channels: '1', samplerate: 48_000 } },
    ]);
    await page.context().close();
  });

  test('a film whose conversion gives way to an admin stops, and says why', async () => {
    const page = await openPage(server, "video?.contentType.includes('avc1.640028') !== false");
    await watch(page, items.get('Alien'));
    await filmPlays(page);
    const client = { mse: ['video/mp4; codecs="avc1.640028"', 'audio/mp4; codecs="mp4a.40.2"'] };
    const body = { itemId: items.get('Brazil'), mode: 'convert', client: { ...client, src: [] } };
    const begun = await server.request('POST', '/api/playback/sessions', body);
    expect(begun.status).toBe(201);

    const problem = page.getByRole('alert');
    await problem.getByText(/^An admin needed the place of this playback/).waitFor();
    await problem.getByRole('button', { name: 'Try again' }).click();
    await problem.getByText(/^All places for playing this way are taken/).waitFor();

    const { session } = begun.body as { readonly session: { readonly id: string } };
    await server.request('DELETE', `/api/playback/sessions/${session.id}`);
    await page.context().close();
  });

  test('a film whose picture the browser refuses to decode is converted, and its picture plays', async () => {
    const page = await openPage(server, "video?.contentType.includes('avc1.640028') !== false");
    expect(await watch(page, items.get('Alien'))).toMatchObject({ mode: 'convert' });
    await filmPlays(page);
    expect(await page.evaluate("document.querySelector('video').videoWidth")).toBeGreaterThan(0);
    await page.context().close();
  });

  test('where nothing is converted, the refused picture is named, with ways out', async () => {
    const data = mkdtempSync(path.join(tmpdir(), 'vitrine-limits-data-'));
    const args = ['--library', `movies:Films:${path.join(media, 'films')}`];
    const own = await startServer({ data, args: [...args, '--ffmpeg', path.join(data, 'none')] });
    try {
      await addGrace(own);
      await jobsOver(own);
      const film = (await allItems(own)).find(({ title }) => title === 'Alien');
      const page = await openPage(own, 'video === undefined');
      await watch(page, film?.id);
      const problem = page.getByRole('alert');
      await problem.getByText(/larger or more complex/).waitFor();
      await problem.getByRole('link', { name: 'Download' }).waitFor();
      await problem.getByRole('button', { name: 'Open in another player' }).waitFor();
      await page.context().close();
    } finally {
      await own.stop();
      rmSync(data, { recursive: true, force: true });
    }
  });

  test('two subtitles have one look, and none covers the other', async () => {
    const page = await openPage(server);
    await watch(page, items.get('Alien'));
    await filmPlays(page);
    await page.keyboard.press('k');
    await page.mouse.move(200, 200);
    await page.getByRole('button', { name: 'Subtitles' }).click();
    const menu = page.getByRole('dialog');
    await menu.getByRole('button', { name: 'English' }).click();
    await menu.getByLabel('Second language').selectOption({ label: 'French' });
    await menu.getByRole('button', { name: '170 %' }).click();
    await menu.getByRole('button', { name: 'Yellow' }).click();
    const looks = (): Promise<
      Readonly<Record<'first' | 'second', { top: number; bottom: number; look: string }>>
    > =>
      page.evaluate(`(() => {
        const of = (text) => {
          const line = [...document.querySelectorAll('.captions p')].find((one) => one.textContent === text);
          const span = line.querySelector('span');
          const { top, bottom } = line.getBoundingClientRect();
          const { color, fontSize } = getComputedStyle(span);
          return { top, bottom, look: color + ' ' + fontSize };
        };
        return { first: of('The bridge is out.'), second: of('Le pont est coupé.') };
      })()`);
    await page.locator('.captions.yellow p').nth(1).waitFor();
    const below = await looks();
    expect(below.first.look).toMatch(/^rgb\(255, 225, 77\)/);
    expect(below.second.look).toBe(below.first.look);
    expect(below.second.bottom).toBeLessThanOrEqual(below.first.top);
    expect(below.second.top).toBeGreaterThan(360);

    await menu.getByRole('button', { name: 'Top', exact: true }).click();
    await page.locator('.captions.top').waitFor();
    const above = await looks();
    expect(above.second.top).toBeGreaterThanOrEqual(above.first.bottom);
    expect(above.second.bottom).toBeLessThan(360);
    await page.context().close();
  });

  test('a connection that breaks is said, and another try goes on at the same place', async () => {
    const page = await openPage(server);
    await watch(page, items.get('Brazil'));
    await filmPlays(page);
    await page.route(/\/api\//, (route) => route.abort('internetdisconnected'));
    await page.keyboard.press('8');
    const problem = page.getByRole('alert');
    await problem.getByText('The server does not answer. Is it running?').waitFor();
    await page.unroute(/\/api\//);
    await problem.getByRole('button', { name: 'Try again' }).click();
    await filmPlays(page, 190);
    expect(await problem.count()).toBe(0);
    await page.context().close();
  }, 120_000);
});
