/**
 * Sentences of the web app that take seconds to show in a real browser: a series that goes on, a book of
 * many parts, arrow keys from the sofa, music without a gap, and a server that is away for a while.
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
const poll = { timeout: 60_000, interval: 50 } as const;
const picture = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '24'];
const photoCount = 24;

let media: string;
let server: TestServer;
let browser: Browser;
const items = new Map<string, string>();
/** What no page may do: throw, or break its policy. */
const complaints: string[] = [];

function makeLibraries(): void {
  const put = (made: string, ...to: readonly string[]): void => {
    const file = path.join(media, ...to);
    mkdirSync(path.dirname(file), { recursive: true });
    copyFileSync(made, file);
  };
  const mp4 = (seconds: number, ...more: readonly string[]): string =>
    makeMedia('mp4', [
      ...[...bars(seconds), ...tone(seconds), ...picture, '-c:a', 'aac', ...more],
      ...['-movflags', '+faststart'],
    ]);
  const film = mp4(30, '-metadata:s:a:0', 'language=eng');
  for (const name of ['Alien', 'Brazil', 'Cube', 'Eden', 'Fargo', 'Gattaca'])
    put(film, 'films', `${name} (1990)`, `${name} (1990).mp4`);
  const french = mp4(30, '-metadata:s:a:0', 'language=fra');
  put(french, 'films', 'Amelie (2001)', 'Amelie (2001).mp4');
  for (const episode of [1, 2, 3, 4])
    put(mp4(8), 'shows', 'Empire', 'Season 1', `Empire S01E0${episode}.mp4`);
  for (let at = 0; at < 104; at += 1) {
    // The second letter is there so that none is an article.
    const name = `${String.fromCharCode(65 + (at % 26))}z Show ${String(at).padStart(3, '0')}`;
    const folder = path.join(media, 'many', name, 'Season 1');
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, `${name} S01E01.mkv`), name);
  }
  const part = makeMedia('mp3', [...tone(10), '-c:a', 'libmp3lame']);
  for (let at = 1; at <= 6; at += 1) put(part, 'books', 'Jane Austen', 'Emma', `Emma - 0${at}.mp3`);
  const named = ['-metadata', 'album=Blue', '-metadata', 'artist=Quiet', '-metadata', 'title=Song'];
  put(
    makeMedia('mp3', [...tone(120), '-c:a', 'libmp3lame', ...named]),
    ...['music', 'Quiet', 'Blue', '01 - Song.mp3'],
  );
  for (let at = 1; at <= photoCount; at += 1) {
    const day = String(at).padStart(2, '0');
    const drawn = `mandelbrot=size=1600x1200:rate=1:maxiter=500:start_scale=${3 / at}`;
    const photo = makeMedia('jpg', ['-f', 'lavfi', '-i', drawn, '-frames:v', '1', '-q:v', '3']);
    put(photo, 'photos', 'Harbour', `2021-07-${day} View.jpg`);
  }
}

async function addUser(one: TestServer, name: string): Promise<void> {
  const made = await one.request('POST', '/api/users', { name, password, role: 'user' });
  expect(made.status).toBe(201);
}

/** A page of somebody, on a device of their own. */
async function signedIn(
  name: string,
  settings: NonNullable<Parameters<Browser['newContext']>[0]> = {},
): Promise<Page> {
  const context = await browser.newContext({ baseURL: server.url, ...settings });
  await context.request.post('/api/auth/login', {
    data: { name, password },
    headers: { 'x-session': 'cookie' },
  });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  page.on('pageerror', (error) => void complaints.push(error.message));
  page.on('console', ({ text }) => {
    if (/Content Security Policy/.test(text())) complaints.push(text());
  });
  return page;
}

const libraryId = async (name: string): Promise<string> => {
  const { libraries } = await server.get<{ libraries: readonly { id: string; name: string }[] }>(
    '/api/libraries',
  );
  return libraries.find((one) => one.name === name)?.id ?? '';
};

/** The seconds before the slash of `0:05 / 1:00`. */
const dockTime = async (page: Page): Promise<number> => {
  const [, minutes = '', seconds = ''] =
    /(\d+):(\d\d) \//.exec(await page.locator('.dock .times').innerText()) ?? [];
  return Number(minutes) * 60 + Number(seconds);
};

/** Where the focus is: whether it is seen, in the window and with contrast, and what has it. */
const focusNow = `(() => {
  const now = document.activeElement;
  const shown = now.matches('.tile') ? now.querySelector('.picture') : now;
  const { top, left, bottom, right } = shown.getBoundingClientRect();
  const style = getComputedStyle(shown);
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  const lightOf = (colour) => {
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [red, green, blue] = [...canvas.getImageData(0, 0, 1, 1).data].map((part) => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [line, ground] = [style.outlineColor, getComputedStyle(document.body).backgroundColor].map(lightOf);
  return {
    id: now.id,
    name: (now.getAttribute('aria-label') ?? now.textContent).trim(),
    isInWindow: top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth,
    isSeen: style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) >= 2,
    contrast: (Math.max(line, ground) + 0.05) / (Math.min(line, ground) + 0.05),
  };
})()`;

interface Focus {
  readonly id: string;
  readonly name: string;
  readonly isInWindow: boolean;
  readonly isSeen: boolean;
  readonly contrast: number;
}

describe.skipIf(!hasBrowser || !hasFfmpeg)('the app (needs Chromium and ffmpeg)', () => {
  beforeAll(async () => {
    media = mkdtempSync(path.join(tmpdir(), 'vitrine-acceptance-'));
    makeLibraries();
    const libraries = {
      ...{ films: 'movies:Films', shows: 'tv:Shows', many: 'tv:Many', books: 'audiobooks:Books' },
      ...{ music: 'music:Music', photos: 'photos:Photos' },
    };
    [server, browser] = await Promise.all([
      startServer({
        args: Object.entries(libraries).flatMap(([folder, name]) => [
          ...['--library', `${name}:${path.join(media, folder)}`],
        ]),
      }),
      openBrowser(),
    ]);
    await jobsOver(server, 120_000);
    for (const { id, title, files } of await allItems(server))
      items.set(/Empire S01E0\d/.exec(decodeURIComponent(files[0]?.uri ?? ''))?.[0] ?? title, id);
    for (const name of ['Grace', 'Ben', 'Cleo', 'Dora', 'Eve']) await addUser(server, name);
  }, 240_000);

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    if (media !== undefined) rmSync(media, { recursive: true, force: true });
    expect(complaints).toEqual([]);
  });

  test('an episode goes on with the next one, and the show stands in one row of the home page', async () => {
    const page = await signedIn('Grace');
    const ofEpisode = (number: number): string => `/watch/${items.get(`Empire S01E0${number}`)}`;
    await page.goto(ofEpisode(3));
    await filmPlays(page);
    await page.keyboard.press('9');
    await page.waitForURL(`**${ofEpisode(4)}**`);
    await filmPlays(page);
    const { completed } = (
      (await (
        await page.request.get(`/api/items/${items.get('Empire S01E03')}/playback`)
      ).json()) as {
        readonly playback: { readonly completed: boolean };
      }
    ).playback;
    expect(completed).toBe(true);

    await page.goto('/');
    await page.locator('.row .tile').first().waitFor();
    const rows = page.locator('.row', {
      has: page.locator(`.tile[href="/items/${items.get('Empire S01E04')}"]`),
    });
    await expect.poll(() => rows.count(), poll).toBe(1);
    const ofShow = page.locator('.row', { has: page.locator('.tile', { hasText: 'Empire' }) });
    const names = await ofShow.locator('h2').allInnerTexts();
    expect(names.filter((name) => !name.startsWith('New in'))).toHaveLength(1);
    await page.context().close();
  });

  test('a book of six parts is one length: it goes on over the parts, and after a reload in its third one', async () => {
    const page = await signedIn('Ben');
    const id = items.get('Emma');
    await page.goto(`/items/${id}`);
    await page.locator('#play').click();
    const bar = page.getByRole('slider', { name: 'Position' });
    await expect.poll(() => bar.getAttribute('max'), poll).toBe('60');
    await bar.fill('8');
    await expect.poll(() => dockTime(page), poll).toBeGreaterThan(10);
    const kept = async (): Promise<{ completed: boolean; position: number }> =>
      (
        (await (await page.request.get(`/api/items/${id}/playback`)).json()) as {
          readonly playback: { readonly completed: boolean; readonly position: number };
        }
      ).playback;
    expect((await kept()).completed).toBe(false);
    await bar.fill('24');
    await expect.poll(() => dockTime(page), poll).toBeGreaterThan(24);
    await page.locator('#dock-toggle').click();
    await expect.poll(async () => (await kept()).position, poll).toBeGreaterThan(24);

    await page.reload();
    await page.locator('#play').click();
    await expect.poll(() => dockTime(page), poll).toBeGreaterThanOrEqual(24);
    expect(await dockTime(page)).toBeLessThan(30);
    expect(await kept()).toMatchObject({ completed: false });
    await page.context().close();
  });

  test('a television is used with arrow keys alone: a film is found, played and paused, and the focus comes back', async () => {
    const page = await signedIn('Cleo', { viewport: { width: 1920, height: 1080 } });
    await page.goto('/?tv');
    await page.locator('.row .tile').first().waitFor();
    const seen: Focus[] = [];
    const press = async (key: string): Promise<Focus> => {
      await page.keyboard.press(key);
      const now = await page.evaluate<Focus>(focusNow);
      seen.push(now);
      return now;
    };
    // The keys are loaded after the page.
    const isInMain = async (): Promise<boolean> => {
      await page.keyboard.press('ArrowDown');
      return page.evaluate("document.activeElement.matches('main *')");
    };
    await expect.poll(isInMain, poll).toBe(true);
    const rows = page.locator('.row');
    const at = async (): Promise<number> =>
      page.evaluate(
        "[...document.querySelectorAll('.row')].indexOf(document.activeElement.closest('.row'))",
      );
    const wanted = await rows.evaluateAll((all) =>
      all.findIndex((row) => /New in Films/.test(row.textContent ?? '')),
    );
    expect(wanted).toBeGreaterThanOrEqual(1);
    for (let step = 0; step < 12 && (await at()) < wanted; step += 1) await press('ArrowDown');
    expect(await at()).toBe(wanted);
    for (let step = 0; step < 12; step += 1) await press('ArrowLeft');
    let tile = await press('ArrowRight');
    for (let step = 0; step < 3; step += 1) tile = await press('ArrowRight');
    expect(await page.evaluate("document.activeElement.matches('.row .tile:nth-child(5)')")).toBe(
      true,
    );

    await page.keyboard.press('Enter');
    await page.locator('#play').waitFor();
    const isPlay = async (): Promise<boolean> => (await press('ArrowDown')).id === 'play';
    await expect.poll(isPlay, poll).toBe(true);
    await page.keyboard.press('Enter');
    await filmPlays(page);
    await page.keyboard.press('Enter');
    await expect
      .poll(() => page.evaluate("document.querySelector('video').paused"), poll)
      .toBe(true);
    await page.goBack();
    await page.locator('#play').waitFor();
    await page.goBack();
    await expect.poll(() => page.evaluate('document.activeElement.id'), poll).toBe(tile.id);
    seen.push(await page.evaluate<Focus>(focusNow));

    expect(seen.filter(({ isInWindow, isSeen }) => !isInWindow || !isSeen)).toEqual([]);
    expect(Math.min(...seen.map(({ contrast }) => contrast))).toBeGreaterThanOrEqual(3);
    await page.context().close();
  });

  test('music goes on over five changes of the page without a gap', async () => {
    const page = await signedIn('Dora');
    await page.addInitScript(`
      const play = HTMLMediaElement.prototype.play;
      HTMLMediaElement.prototype.play = function () {
        globalThis.heard = this;
        return play.call(this);
      };`);
    await page.goto(`/items/${items.get('Song')}`);
    await page.locator('#play').click();
    const time = (): Promise<number> => page.evaluate('globalThis.heard?.currentTime ?? 0');
    await expect.poll(time, poll).toBeGreaterThan(1);
    await page.evaluate(`(() => {
      globalThis.halts = [];
      for (const name of ['pause', 'waiting', 'emptied', 'seeking'])
        heard.addEventListener(name, () => halts.push(name));
      globalThis.begun = [performance.now(), heard.currentTime];
    })()`);
    for (const to of ['/libraries', '/search', '/lists', '/', '/me']) {
      const link = page.locator(`nav a[href="${to === '/me' ? '/profiles' : to}"]`);
      const address = (await link.count()) > 0 ? link : page.locator(`nav a[href="${to}"]`);
      await address.first().click();
      await page.locator('main h1, main .row').first().waitFor({ state: 'attached' });
    }
    const { halts, behind } = await page.evaluate<{ halts: string[]; behind: number }>(`({
      halts,
      behind: (performance.now() - begun[0]) / 1000 - (heard.currentTime - begun[1]),
    })`);
    expect(halts).toEqual([]);
    // The clock of the sound is read in steps.
    expect(Math.abs(behind)).toBeLessThan(0.3);
    await page.context().close();
  });

  test('the pictures of a grid of photos are at most 10 kB a tile', async () => {
    const page = await signedIn('Eve', { viewport: { width: 1440, height: 900 } });
    const bytes: number[] = [];
    page.on('response', (reply) => {
      if (/\/api\/assets\//.test(reply.url()))
        void reply.body().then(
          (body) => bytes.push(body.length),
          () => undefined,
        );
    });
    await page.goto(`/libraries/${await libraryId('Photos')}`);
    await expect.poll(() => bytes.length, poll).toBe(photoCount);
    expect(bytes.reduce((sum, one) => sum + one, 0) / photoCount).toBeLessThanOrEqual(10_000);
    await page.context().close();
  });

  test('the letters beside a list of shows go to the first show of a letter', async () => {
    const page = await signedIn('Eve');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.goto(`/libraries/${await libraryId('Many')}`);
    const rail = page.getByRole('navigation', { name: 'Letters' });
    await expect.poll(() => rail.getByRole('button').count(), poll).toBe(26);
    await rail.getByRole('button', { name: 'S', exact: true }).click();
    const first = page.locator('.tile', { hasText: 'Sz Show 018' });
    await first.waitFor();
    await expect
      .poll(async () => (await first.boundingBox())?.y ?? -1, poll)
      .toBeGreaterThanOrEqual(0);
    expect((await first.boundingBox())?.y).toBeLessThan(500);
    await expect
      .poll(() => rail.locator('[aria-current=true]').innerText(), poll)
      .toMatch(/^[ST]$/);
    expect(asked.filter((route) => route === '/api/entities/letters').length).toBeGreaterThan(0);
    await page.context().close();
  });

  test('a library is narrowed to a language of the sound, which stands in the address', async () => {
    const page = await signedIn('Eve');
    await page.goto(`/libraries/${await libraryId('Films')}`);
    const chip = page.getByRole('combobox', { name: 'Language' });
    await expect.poll(() => chip.locator('option').allInnerTexts(), poll).toContain('French');
    await chip.selectOption({ label: 'French' });
    await expect
      .poll(() => page.locator('.grid .tile .title').allInnerTexts(), poll)
      .toEqual(['Amelie']);
    expect(new URL(page.url()).searchParams.get('language')).toBe('fr');
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await expect.poll(() => page.locator('.grid .tile').count(), poll).toBe(7);
    await page.context().close();
  });

  test('each form of a piece of a plugin is drawn, on the page of a film and over the film', async () => {
    const page = await signedIn('Eve');
    const piece = { pluginId: 'sampler', slot: 'detail-sections' };
    const fields = [
      { key: 'Ships', value: '4' },
      { key: 'Port', itemId: items.get('Brazil') },
    ];
    const layouts = ['key-value', 'list', 'chips', 'gallery'].map((layout) => ({
      ...{ ...piece, type: 'metadata', id: layout, title: `Facts as ${layout}`, layout, fields },
    }));
    const inputs = [
      'text',
      'number',
      'slider',
      'toggle',
      'select',
      'multi-select',
      'string-list',
      'color',
    ];
    const form = {
      ...{ ...piece, type: 'form', id: 'form', title: 'A form' },
      fields: inputs.map((input) => ({
        ...{ key: input, label: `By ${input}`, input, options: ['a', 'b'], min: 0, max: 9 },
      })),
      submit: { rpcMethod: 'go', label: 'Send it' },
    };
    const action = { ...piece, type: 'action', id: 'act', label: 'Do it', rpcMethod: 'go' };
    const given: Readonly<Record<string, readonly object[]>> = {
      'ui.item.detail.panels': [...layouts, form],
      'ui.item.detail.actions': [{ ...action, slot: 'detail-actions' }],
      'ui.player.overlays': [{ ...action, slot: 'player-overlay', label: 'Rate it now' }],
    };
    const asked: string[] = [];
    await page.route('**/api/plugins/views/*', (route) => {
      const { pathname, searchParams } = new URL(route.request().url());
      const view = pathname.split('/').at(-1) ?? '';
      asked.push(`${view} ${Object.keys(JSON.parse(searchParams.get('context') ?? '{}')).join()}`);
      return route.fulfill({ json: given[view] ?? [] });
    });
    await page.goto(`/items/${items.get('Alien')}`);
    for (const { title } of layouts)
      await page.locator('.piece', { hasText: title }).getByText('Ships').waitFor();
    const drawn = page.locator('.piece', { hasText: 'A form' });
    for (const input of inputs) await drawn.getByLabel(`By ${input}`).waitFor();
    await drawn.getByRole('button', { name: 'Send it' }).waitFor();
    await page.getByRole('button', { name: 'From plugins' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Do it', exact: true }).waitFor();
    await page.keyboard.press('Escape');

    await page.locator('#play').click();
    await filmPlays(page);
    await page.mouse.move(200, 200);
    await page.getByRole('button', { name: 'From plugins' }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: 'Rate it now', exact: true })
      .waitFor();
    expect(asked).toContain('ui.player.overlays itemId,sessionId');
    await page.context().close();
  });
});

describe.skipIf(!hasBrowser || !hasFfmpeg)('a server (needs Chromium and ffmpeg)', () => {
  let folder: string;
  let data: string;
  let own: TestServer;
  let page: Page;

  const start = (...args: readonly string[]): Promise<TestServer> =>
    startServer({
      data,
      args: ['--library', `movies:Films:${folder}`, '--ffmpeg', path.join(data, 'none'), ...args],
    });

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'vitrine-away-'));
    data = mkdtempSync(path.join(tmpdir(), 'vitrine-away-data-'));
    const alien = [...bars(12), ...tone(12), ...picture, '-c:a', 'ac3'];
    copyFileSync(makeMedia('mkv', alien), path.join(folder, 'Alien (1979).mkv'));
    [own, browser] = await Promise.all([start(), openBrowser()]);
    await jobsOver(own);
    await addUser(own, 'Grace');
    const context = await browser.newContext({ baseURL: own.url });
    await context.request.post('/api/auth/login', {
      data: { name: 'Grace', password },
      headers: { 'x-session': 'cookie' },
    });
    page = await context.newPage();
    page.setDefaultTimeout(60_000);
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    await own?.stop();
    for (const one of [folder, data])
      if (one !== undefined) rmSync(one, { recursive: true, force: true });
  });

  test('that converts nothing names the stream that this browser cannot play, and ways out', async () => {
    const [film] = await allItems(own);
    await page.goto(`/watch/${film?.id}`);
    const problem = page.getByRole('alert');
    await problem.getByText(/does not know the codec of the sound/).waitFor();
    await problem.getByText(/ask an admin to install ffmpeg/).waitFor();
    const file = problem.getByRole('link', { name: 'Download' });
    expect(await file.getAttribute('href')).toBe(`/api/files/${film?.files[0]?.id}/stream`);
    await problem.getByRole('button', { name: 'Open in another player' }).waitFor();
    const list = page.waitForEvent('download');
    await problem.getByRole('button', { name: 'Open in another player' }).click();
    const lines = await (await (await list).createReadStream()).toArray();
    const text = Buffer.concat(lines as Buffer[]).toString();
    expect(text).toMatch(/^#EXTM3U\n#EXTINF:-1,Alien\nhttp/);
    const [, , url = ''] = text.split('\n');
    // The player has no session of this browser.
    expect((await fetch(url, { headers: { range: 'bytes=0-3' } })).status).toBe(206);
  });

  test('that is away for thirty seconds is told by a banner, and the page goes on by itself', async () => {
    await page.goto('/libraries');
    await page.locator('main .card').first().click();
    await page.locator('.grid .tile', { hasText: 'Alien' }).waitFor();
    await page.evaluate('globalThis.isOld = true');
    const { port } = new URL(own.url);

    await own.stop();
    const gone = Date.now();
    await page.locator('.banner').getByText('The server does not answer').waitFor();
    copyFileSync(path.join(folder, 'Alien (1979).mkv'), path.join(folder, 'Brazil (1985).mkv'));
    await expect.poll(() => Date.now() - gone, poll).toBeGreaterThan(30_000);
    own = await start('--port', port);

    await page.locator('.banner').waitFor({ state: 'detached' });
    await page.locator('.grid .tile', { hasText: 'Brazil' }).waitFor();
    expect(await page.evaluate('globalThis.isOld')).toBe(true);
  }, 180_000);
});
