/** The player of the web app in a real browser: films, what must be converted, books and music. */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isNightly } from '../support/run/nightly.ts';
import { testByNight } from '../support/run/test-by-night.ts';
import { cagedTranscoder } from '../support/media/caged.ts';
import { bars, hasFfmpeg, keepFile, makeMedia, tone } from '../support/media/media-files.ts';
import { box, filmWithPictures } from '../support/media/picture-subtitles.ts';
import { filmPlays } from '../support/pages/film-plays.ts';
import { goOffline, hasBrowser, openBrowser } from '../support/servers/browser.ts';
import { allItems, jobsOver } from '../support/servers/scan.ts';
import { adminToken, startServer, type TestServer } from '../support/servers/server.ts';

const seconds = 30;
const font = '/usr/share/fonts/truetype/dejavu/DejaVuSerif.ttf';
const picture = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '24'];
const french = '1\n00:00:20,000 --> 00:00:29,000\nLe pont est coupé.\n';
const german = `[Script Info]
ScriptType: v4.00+
[V4+ Styles]
Format: Name, Fontname, Fontsize
Style: Default,Arial,20
[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
Dialogue: 0,0:00:20.00,0:00:29.00,Default,,0,0,0,,{\\an8\\b1}Die Brücke ist gesperrt.
`;
/** It tries to have styles of its own, to be markup, to be large, to be slow and to be everywhere. */
const hostile = `[Script Info]
PlayResX: 1e9
[V4+ Styles]
Format: Name, Fontname, Fontsize, Alignment
Style: Default,Arial";position:fixed;inset:0;background:red;",9999999,5
[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
Dialogue: 999999,0:00:20.00,0:00:29.00,Default,,0,0,0,,{\\fs12\\fnx";position:fixed;inset:0;pointer-events:auto;background:url(/api/me);"}<img src=x onerror=alert(1)><script>alert(1)</script>
Dialogue: 0,0:00:20.00,0:00:29.00,Default,,0,0,0,Banner;0.0000001,{\\t(0,100000000000,3,\\fs9999999\\bord999999\\blur999999)}large
${'Dialogue: 0,0:00:20.00,0:00:29.00,Default,,0,0,0,,{\\p1\\blur99}m 0 0 l 9999999 9999999{\\p0}many\n'.repeat(3000)}`;
const subtitles = '1\n00:00:20,000 --> 00:00:29,000\nThe <i>bridge</i> is out.\n';

let media: string;
let server: TestServer;
let browser: Browser;
let context: BrowserContext;
let page: Page;
const complaints: string[] = [];
let refusesPictures = false;
const items = new Map<string, string>();

function makeLibraries(): void {
  const put = (made: string, ...to: readonly string[]): void => {
    const file = path.join(media, ...to);
    mkdirSync(path.dirname(file), { recursive: true });
    copyFileSync(made, file);
  };
  // So high and of such a rate that smaller pictures are offered, and would be taken at first.
  const rate = ['-b:v', '9M', '-maxrate', '9M', '-bufsize', '9M', '-vf', 'noise=alls=70:allf=t'];
  const high = [...bars(12, '640x480'), ...tone(12), ...picture, ...rate];
  const alien = makeMedia('mp4', [
    ...[...bars(seconds), ...tone(seconds), '-i', keepFile('srt', french), ...picture],
    ...['-c:s', 'mov_text', '-metadata:s:s:0', 'language=fra', '-c:a', 'aac'],
    ...['-movflags', '+faststart'],
  ]);
  put(alien, 'films', 'Alien (1979)', 'Alien (1979).mp4');
  writeFileSync(path.join(media, 'films', 'Alien (1979)', 'Alien (1979).en.srt'), subtitles);
  writeFileSync(path.join(media, 'films', 'Alien (1979)', 'Alien (1979).de.ass'), german);
  writeFileSync(path.join(media, 'films', 'Alien (1979)', 'Alien (1979).nl.ass'), hostile);
  put(filmWithPictures(), 'films', 'Sunrise (1927)', 'Sunrise (1927).mkv');
  if (isNightly) putFilmsOfTheNight(put);
  put(makeMedia('mkv', [...high, '-c:a', 'ac3']), 'films', 'Brazil (1985)', 'Brazil (1985).mkv');
  const sound = makeMedia('mp3', [...tone(4), '-c:a', 'libmp3lame']);
  for (const number of ['01', '02', '03'])
    put(sound, 'books', 'Jane Austen', 'Emma', `Emma - ${number}.mp3`);
  for (const number of [1, 2]) {
    const tags = ['-metadata', 'album=Blue', '-metadata', 'artist=Quiet'];
    const named = ['-metadata', `title=Song ${number}`, '-metadata', `track=${number}`, ...tags];
    const song = makeMedia('mp3', [...tone(20), '-c:a', 'libmp3lame', ...named]);
    put(song, 'music', 'Quiet', 'Blue', `0${number} - Song ${number}.mp3`);
  }
}

/** Films that only tests by night play. */
function putFilmsOfTheNight(put: (made: string, ...to: readonly string[]) => void): void {
  const sounds = ['-map', '0', '-map', '1', '-map', '2', ...picture, '-c:a', 'aac'];
  const languages = ['-metadata:s:a:0', 'language=eng', '-metadata:s:a:1', 'language=fra'];
  const twice = [...bars(60), ...tone(60), ...tone(60, 44_100), ...sounds, ...languages];
  put(makeMedia('mov', twice), 'films', 'Fargo (1996)', 'Fargo (1996).mov');
  writeFileSync(path.join(media, 'films', 'Fargo (1996)', 'Fargo (1996).de.sup'), box(2, 12));
  put(filmWithPictures('vobsub'), 'films', 'Tabu (1931)', 'Tabu (1931).mkv');
  if (existsSync(font)) {
    // No device has a font of this name.
    const bytes = readFileSync(font).toString('latin1');
    const [old, name] = ['DejaVu Serif', 'ZejaVu Serif'].map((text) =>
      Buffer.from(text, 'utf16le').swap16().toString('latin1'),
    );
    const renamed = bytes.replaceAll(old ?? '', name ?? '');
    const attached = keepFile('ttf', Buffer.from(renamed, 'latin1'));
    const script = keepFile('ass', german.replace('Arial', 'ZejaVu Serif').replace(':20', ':01'));
    const film = makeMedia('mkv', [
      ...[...bars(12), ...tone(12), '-i', script, ...picture, '-c:a', 'aac', '-c:s', 'ass'],
      ...['-metadata:s:s:0', 'language=deu', '-attach', attached],
      ...['-metadata:s:t', 'mimetype=application/x-truetype-font'],
    ]);
    put(film, 'films', 'Metropolis (1927)', 'Metropolis (1927).mkv');
  }
}

interface Shown {
  readonly time: number;
  readonly width: number;
  readonly sound: number;
  readonly url: string;
}

/** What the video of the page shows now. */
const shown = (): Promise<Shown> =>
  page.evaluate(`(() => {
    const video = document.querySelector('video');
    return {
      time: video?.currentTime ?? 0,
      width: video?.videoWidth ?? 0,
      sound: video?.webkitAudioDecodedByteCount ?? 0,
      url: video?.currentSrc ?? '',
    };
  })()`);

const poll = { timeout: 120_000, interval: 50 } as const;
const clock = (): Promise<string> => page.locator('.dock .times').innerText();
/** The seconds before the slash of `0:05 / 0:12`. */
const dockTime = async (): Promise<number> => Number(/:(\d\d) \//.exec(await clock())?.[1]);

/** What is drawn of picture subtitles, in 320x180: the colour in the box, and beside it. */
const drawn = (): Promise<unknown> =>
  page.evaluate(`(() => {
    const { width, height } = document.querySelector('canvas.picture-captions');
    const context = document.querySelector('canvas.picture-captions').getContext('2d');
    const at = (x, y) => [...context.getImageData(x, y, 1, 1).data];
    return { size: [width, height], inside: at(160, 140), beside: at(160, 60) };
  })()`);
/** Whether the picture of the film is white where the box is, and beside it. */
const inPicture = (): Promise<unknown> =>
  page.evaluate(`(() => {
    const context = new OffscreenCanvas(320, 180).getContext('2d');
    context.drawImage(document.querySelector('video'), 0, 0, 320, 180);
    return [140, 60].map((y) => context.getImageData(160, y, 1, 1).data[0] > 180);
  })()`);
const whiteBox = { size: [320, 180], inside: [235, 235, 235, 255], beside: [0, 0, 0, 0] };

/** The text that assjs draws, in the page. */
const styledText = `document.querySelector('.styled-captions > div').shadowRoot.querySelector('[data-text]')`;

async function openTexts(): Promise<void> {
  await page.mouse.move(200, 200);
  await page.getByRole('button', { name: 'Subtitles' }).click();
}

/** Chooses a subtitle in the menu. */
async function chooseText(name: string): Promise<void> {
  await openTexts();
  await page.getByRole('dialog').getByRole('button', { name }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
}

/** The delay of the subtitles after so many presses of a button of the menu. */
async function delayAfter(presses: number, button: 'earlier' | 'later' = 'later'): Promise<string> {
  await openTexts();
  for (let press = 0; press < presses; press += 1)
    await page.getByRole('button', { name: `Show subtitles ${button}` }).click();
  const text = await page.getByRole('dialog').locator('output').innerText();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  return text;
}

async function play(title: string): Promise<void> {
  await page.goto(`/items/${items.get(title)}`);
  await page.locator('#play').click();
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const password = 'correct horse battery';

/** A page of a person who is signed in by a session, on a device of their own. */
async function ownDevice(name: string): Promise<Page> {
  const made = await server.request('POST', '/api/users', { name, password, role: 'user' });
  expect(made.status).toBe(201);
  const own = await browser.newContext({ baseURL: server.url });
  const one = await own.newPage();
  one.setDefaultTimeout(120_000);
  one.on('pageerror', (error) => void complaints.push(error.message));
  one.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) complaints.push(message.text());
  });
  await signIn(one, name);
  return one;
}

async function signIn(one: Page, name: string): Promise<void> {
  const headers = { 'x-session': 'cookie' };
  const reply = await one.request.post('/api/auth/login', { data: { name, password }, headers });
  expect(reply.status()).toBe(200);
}

/**
 * Keeps an album by one press: it goes on after a reload, stops where that is wanted, says what is
 * missing, and keeps nothing of what does not fit.
 */
async function keepAlbum(one: Page): Promise<void> {
  const { entities } = await server.get<{ entities: readonly { readonly id: string }[] }>(
    '/api/entities?type=album',
  );
  const button = (name: string) => one.locator('.entity').getByRole('button', { name });
  const files = '**/api/files/*/stream';
  await one.goto(`/albums/${entities[0]?.id}`);
  await button('Download to this device').waitFor();
  const estimate = 'navigator.storage.estimate';
  await one.evaluate(`${estimate} = async () => ({ quota: 17_000_000, usage: 16_900_000 })`);
  await button('Download to this device').click();
  await one
    .getByText(/not enough space on this device: this needs .* and 100 kB are free/)
    .waitFor();

  await one.reload();
  // No byte of a song comes for now.
  await one.route(files, (route) => (route.request().method() === 'GET' ? null : route.fallback()));
  await button('Download to this device').click();
  await button('Stop the download').waitFor();
  await one.reload();
  await button('Stop the download').click();
  await button('Download the other 2').waitFor();
  await one.reload();
  await one.getByRole('link', { name: '0 of 2 on this device' }).waitFor();
  await one.unroute(files);
  await button('Download the other 2').click();
  await one.locator('.entity').getByRole('link', { name: 'Downloads', exact: true }).waitFor();
}

/** The statuses with which the service worker answers these ranges of a kept file. */
const statuses = (one: Page, url: string, ranges: readonly string[]): Promise<unknown> =>
  one.evaluate(`Promise.all(${JSON.stringify(ranges)}.map(async (range) => {
    const reply = await fetch(${JSON.stringify(url)}, { headers: { range } });
    return [reply.status, reply.headers.get('content-range'), (await reply.blob()).size];
  }))`);

describe.skipIf(!hasBrowser || !hasFfmpeg)('the player (needs Chromium and ffmpeg)', () => {
  beforeAll(async () => {
    media = mkdtempSync(path.join(tmpdir(), 'vitrine-player-'));
    makeLibraries();
    server = await startServer({
      args: [
        ...['--library', `movies:Films:${media}/films`],
        ...['--library', `audiobooks:Books:${media}/books`],
        ...['--library', `music:Music:${media}/music`],
      ],
    });
    browser = await openBrowser();
    await jobsOver(server);
    for (const { id, title } of await allItems(server)) items.set(title, id);
    context = await browser.newContext({
      baseURL: server.url,
      extraHTTPHeaders: { authorization: `Bearer ${adminToken}` },
    });
    page = await context.newPage();
    page.on('pageerror', (error) => void complaints.push(error.message));
    page.on('console', (message) => {
      const { url } = message.location();
      // What is under way when its session ends is refused, and what cannot be copied; a test refuses
      // pictures.
      const isRefused = url.includes('.sup')
        ? refusesPictures
        : /404|422/.test(message.text()) && url.includes('/api/playback/sessions/');
      if (message.type() === 'error' && !isRefused) complaints.push(`${message.text()} ${url}`);
    });
  });

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    if (media !== undefined) rmSync(media, { recursive: true, force: true });
    expect(complaints).toEqual([]);
  });

  test('a film plays as it is, with subtitles at their time, and goes on where one left it', async () => {
    await play('Alien');
    await filmPlays(page);
    const { width, sound, url } = await shown();
    expect([width, sound > 0, new URL(url).pathname.endsWith('/file')]).toEqual([320, true, true]);

    await page.keyboard.press('c');
    await page.keyboard.press('7');
    await page.locator('.captions p').waitFor();
    expect((await shown()).time).toBeGreaterThan(20.9);

    await page.keyboard.press('k');
    await page.keyboard.press('Escape');
    await page.waitForURL(/\/items\//);
    await expect.poll(() => page.evaluate('document.activeElement.id'), poll).toBe('play');
    await page.locator('#play').click();
    await expect.poll(async () => (await shown()).time, poll).toBeGreaterThan(20.9);
  });

  testByNight(
    'subtitles beside the film and in it, of every kind of text, are chosen by name',
    async () => {
      const caption = page.locator('.captions, .styled-captions');
      for (const [name, text] of [
        ['English', 'The bridge is out.'],
        ['German', 'Die Brücke ist gesperrt.'],
        ['French', 'Le pont est coupé.'],
      ] as const) {
        await chooseText(name);
        await page.keyboard.press('7');
        await caption.getByText(text).waitFor();
        if (name === 'English') expect(await caption.locator('i').innerText()).toBe('bridge');
      }
      expect(await delayAfter(3, 'earlier')).toBe('-0.75 s');

      // The choice is kept for the profile.
      await page.reload();
      await filmPlays(page);
      await page.keyboard.press('7');
      await caption.getByText('Le pont est coupé.').waitFor();

      // So is the delay, for this film alone.
      expect(await delayAfter(0)).toBe('-0.75 s');
      await play('Fargo');
      await filmPlays(page);
      expect(await delayAfter(0)).toBe('0 s');
      await play('Alien');
      await filmPlays(page);
      expect(await delayAfter(3, 'later')).toBe('0 s');
    },
  );

  testByNight(
    'subtitles of ASS have their styles, at their time, in every size of the window',
    async () => {
      const line = page.locator('.styled-captions').getByText('Die Brücke ist gesperrt.');
      const shownAs = (): Promise<{ weight: string; size: number; top: number }> =>
        page.evaluate(`(() => {
        const one = ${styledText};
        const { fontWeight, fontSize } = getComputedStyle(one);
        const top = one.getBoundingClientRect().top / innerHeight;
        return { weight: fontWeight, size: Number.parseFloat(fontSize), top };
      })()`);
      await page.setViewportSize({ width: 1280, height: 720 });
      await chooseText('German');
      await page.keyboard.press('7');
      await line.waitFor();
      const large = await shownAs();
      // A size of 20 in a script of 288 lines, with what the font needs between lines; above.
      expect(large).toMatchObject({ weight: '700', top: expect.closeTo(0, 1) });
      expect((large.size * 288) / 720).toBeGreaterThan(13);
      expect((large.size * 288) / 720).toBeLessThan(20.5);

      await page.setViewportSize({ width: 640, height: 360 });
      await expect.poll(async () => (await shownAs()).size, poll).toBeCloseTo(large.size / 2, 0);

      // A seek takes it away, and the delay brings it later.
      await page.setViewportSize({ width: 1280, height: 720 });
      await page.keyboard.press('k');
      await page.keyboard.press('6');
      await expect.poll(() => line.count(), poll).toBe(0);
      await page.keyboard.press('7');
      await line.waitFor();
      await openTexts();
      const [later, earlier] = ['later', 'earlier'].map((way) =>
        page.getByRole('button', { name: `Show subtitles ${way}` }),
      );
      for (let press = 0; press < 5; press += 1) await later?.click();
      await expect.poll(() => line.count(), poll).toBe(0);
      for (let press = 0; press < 5; press += 1) await earlier?.click();
      await line.waitFor();

      await page.getByRole('button', { name: 'With the styles of the film' }).click();
      await page.locator('.captions').getByText('Die Brücke ist gesperrt.').waitFor();
      await page.getByRole('button', { name: 'With the styles of the film' }).click();
      await line.waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    },
  );

  testByNight('a hostile script changes nothing but its own box', async () => {
    const names = (): Promise<readonly string[]> =>
      page.evaluate(
        `[...document.querySelectorAll('head > *, body > *, img, iframe, script')].map(({ localName }) => localName)`,
      );
    await chooseText('Dutch');
    await page.keyboard.press('5');
    const before = await names();
    await page.keyboard.press('7');
    // The markup is text.
    await page.locator('.styled-captions').getByText('<img src=x onerror=alert(1)>').waitFor();
    await expect.poll(names, poll).toEqual(before);
    const drawn = await page.evaluate<Record<string, unknown>>(`(() => {
      const { shadowRoot } = document.querySelector('.styled-captions > div');
      const all = [...shadowRoot.querySelectorAll('*')];
      const looks = all.map((one) => getComputedStyle(one));
      return {
        markup: all.filter(({ localName }) => !/^(div|span|svg|defs|filter|fe[A-Z].*|symbol|path|use)$/.test(localName)).length,
        fixed: looks.filter(({ position, pointerEvents }) => position === 'fixed' || pointerEvents !== 'none').length,
        pictures: looks.filter(({ backgroundImage }) => backgroundImage !== 'none').length,
        isFew: all.length < 5000,
      };
    })()`);
    expect(drawn).toEqual({ markup: 0, fixed: 0, pictures: 0, isFew: true });
    // The page below can be pressed, and answers.
    const { time } = await shown();
    await page.mouse.click(300, 300);
    await expect.poll(async () => (await shown()).time, poll).toBeGreaterThan(time);
    await chooseText('French');
  });

  test('a part is repeated from its start to its end', async () => {
    await page.keyboard.press('1');
    await page.keyboard.press('r');
    await page.locator('.player-repeat', { hasText: '0:03 – …' }).waitFor();
    await page.keyboard.press('l');
    await page.keyboard.press('r');
    await page.locator('.player-repeat', { hasText: '0:03 – 0:1' }).waitFor();
    await page.keyboard.press('9');
    await expect.poll(async () => (await shown()).time, poll).toBeLessThan(15);
    await page.keyboard.press('r');
    await expect.poll(() => page.locator('.player-repeat').count(), poll).toBe(0);
  });

  testByNight(
    'another sound is heard without a new session, while the picture goes on',
    async () => {
      await play('Fargo');
      await filmPlays(page);
      const before = await shown();
      const begun: string[] = [];
      page.on('request', (request) => {
        if (request.method() === 'POST') begun.push(request.url());
      });
      await page.mouse.move(200, 200);
      await page.getByRole('button', { name: 'Sound', exact: true }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'French' }).click();
      const loaded = (): Promise<number> =>
        page.evaluate(
          `performance.getEntriesByType('resource').filter(({ name }) => /\\/a2\\/.*m4s$/.test(name)).length`,
        );
      await expect.poll(loaded, poll).toBeGreaterThan(0);
      const { time } = await shown();
      await expect.poll(async () => (await shown()).time, poll).toBeGreaterThan(time + 1);
      expect([(await shown()).url, begun]).toEqual([before.url, []]);
      const chosen = page.getByRole('dialog').getByRole('button', { name: 'French' });
      expect(await chosen.getAttribute('aria-pressed')).toBe('true');
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    },
  );

  testByNight('subtitles that are pictures beside the film are drawn too', async () => {
    await play('Fargo');
    await filmPlays(page);
    await chooseText('German');
    await page.keyboard.press('1');
    await expect.poll(drawn, poll).toEqual(whiteBox);
    await page.keyboard.press('3');
    await expect.poll(drawn, poll).toEqual({ ...whiteBox, inside: [0, 0, 0, 0] });
  });

  testByNight.skipIf(!existsSync(font))('a script has the fonts that are in its file', async () => {
    await play('Metropolis');
    await filmPlays(page);
    await chooseText('German');
    await page.keyboard.press('3');
    const line = page.locator('.styled-captions').getByText('Die Brücke ist gesperrt.');
    await line.waitFor();
    const family = await page.evaluate<string>(`getComputedStyle(${styledText}).fontFamily`);
    const faces = `[...document.fonts].map(({ family, status }) => [family, status])`;
    expect(await page.evaluate(faces)).toEqual([[family.replaceAll('"', ''), 'loaded']]);

    // They are gone with the film.
    await page.keyboard.press('Escape');
    await expect.poll(() => page.evaluate('document.fonts.size'), poll).toBe(0);
  });

  testByNight(
    'subtitles that are pictures are drawn by the browser, over the film as it is',
    async () => {
      await play('Sunrise');
      await filmPlays(page);
      expect(new URL((await shown()).url).pathname).toMatch(/\/file$/);
      await page.keyboard.press('k');
      await chooseText('Track 1');
      for (const [key, isShown] of [
        ['3', true],
        ['5', false],
        ['7', true],
        ['9', false],
        ['3', true],
      ] as const) {
        await page.keyboard.press(key);
        await expect
          .poll(drawn, poll)
          .toMatchObject(isShown ? whiteBox : { ...whiteBox, inside: [0, 0, 0, 0] });
      }
    },
  );

  testByNight('subtitles that are pictures come when the server can read them again', async () => {
    refusesPictures = true;
    const refuse = { status: 503, json: { error: 'The text cannot be read now.' } };
    await page.route('**/*.sup?*', (route) => route.fulfill(refuse), { times: 1 });
    await play('Sunrise');
    await filmPlays(page);
    await page.keyboard.press('k');
    await chooseText('Track 1');
    await page.keyboard.press('3');
    await expect.poll(drawn, poll).toMatchObject(whiteBox);

    await page.route('**/*.sup?*', (route) => route.fulfill({ ...refuse, status: 422 }));
    await page.reload();
    await page.getByRole('status').getByText('These subtitles cannot be shown.').waitFor();
    await page.unroute('**/*.sup?*');
    refusesPictures = false;
  });

  testByNight.skipIf(cagedTranscoder.kind !== 'ready')(
    'subtitles that are pictures, and that no browser draws, are drawn by the server when they are chosen',
    async () => {
      await play('Tabu');
      await filmPlays(page);
      expect(new URL((await shown()).url).pathname).toMatch(/\/file$/);
      await chooseText('English · drawn by the server');
      await expect.poll(async () => (await shown()).url, poll).toMatch(/^blob:/);
      await page.keyboard.press('k');
      await page.keyboard.press('3');
      await expect.poll(inPicture, poll).toEqual([true, false]);
      await page.keyboard.press('5');
      await expect.poll(inPicture, poll).toEqual([false, false]);
      await page.keyboard.press('c');
      await expect.poll(async () => (await shown()).url, poll).toMatch(/\/file$/);
    },
  );

  test.skipIf(cagedTranscoder.kind !== 'ready')(
    'sound that the browser does not know is heard, and the page says why',
    async () => {
      await play('Brazil');
      await filmPlays(page);
      const { width, sound, url } = await shown();
      expect([width, sound > 0, url.startsWith('blob:')]).toEqual([640, true, true]);
      // Smaller pictures are there for slow connections, as a busy machine may be; it begins with this one.
      const loaded = await page.evaluate<readonly string[]>(
        `performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => /\\/v0\\/.*m4s/.test(name))`,
      );
      expect(loaded[0]).toContain('/v0/copy/');

      await page.mouse.move(200, 200);
      await page.getByRole('button', { name: 'Quality' }).click();
      await page.getByText('does not know the codec of the sound').waitFor();
    },
  );

  testByNight.skipIf(cagedTranscoder.kind !== 'ready')(
    'a film of which a part cannot be copied goes on converted, without a question',
    async () => {
      const copied = /\/(?:first|v0\/copy\/\d+\.m4s)$/;
      const refusal = { status: 422, json: { error: 'Damaged.', code: 'segment_refused' } };
      await page.route(copied, (route) => route.fulfill(refusal));
      await play('Fargo');
      await filmPlays(page);
      const converted = await page.evaluate<number>(
        `performance.getEntriesByType('resource').filter(({ name }) => /\\/v0\\/h264-.*m4s/.test(name)).length`,
      );
      expect([converted > 0, await page.locator('.player-problem').count()]).toEqual([true, 0]);
      await page.unroute(copied);
    },
  );

  testByNight('a book goes on over its parts', async () => {
    await play('Emma');
    const bar = page.getByRole('slider', { name: 'Position' });
    await expect.poll(() => bar.getAttribute('max'), poll).toBe('12');
    await bar.fill('3');
    await expect.poll(dockTime, poll).toBeGreaterThan(4);
    await page.locator('#dock-toggle').click();
    // The place that the server knows is that of the clock, which shows whole seconds.
    const distance = async (): Promise<number> => {
      const { item } = await server.get<{
        item: { playback: { completed: boolean; position: number } | null };
      }>(`/api/items/${items.get('Emma')}`);
      const { completed = true, position = 0 } = item.playback ?? {};
      return completed ? Infinity : Math.abs(position - (await dockTime()));
    };
    await expect.poll(distance, poll).toBeLessThan(1.5);
  });

  testByNight('music goes on while one browses', async () => {
    await play('Song 1');
    // Until then the dock shows the book of before.
    await page.locator('.dock .title', { hasText: 'Song 1' }).waitFor();
    await expect.poll(dockTime, poll).toBeGreaterThan(0);
    for (const to of ['/libraries', '/search', '/']) {
      const before = await dockTime();
      await page.locator(`nav a[href="${to}"]`).click();
      await page.waitForURL((url) => url.pathname === to);
      expect(await dockTime()).toBeGreaterThanOrEqual(before);
    }
    const now = await dockTime();
    await expect.poll(dockTime, poll).toBeGreaterThan(now);
  });

  testByNight('the queue of the dock is there after a reload, and waits for Play', async () => {
    await expect.poll(dockTime, poll).toBeGreaterThan(1);
    const before = await dockTime();
    await page.reload();
    await page.locator('.dock .title', { hasText: 'Song 1' }).waitFor();
    await expect.poll(dockTime, poll).toBeGreaterThanOrEqual(before);
    await page.locator('#dock-toggle').click();
    await expect.poll(dockTime, poll).toBeGreaterThan(before + 1);
  });

  testByNight(
    'a film is kept on the device and plays without the server, which is then told',
    async () => {
      const one = await ownDevice('Grace');
      const id = items.get('Alien');
      // A portal of a hotel answers everything.
      await one.route('**/api/files/*/stream', (route) =>
        route.request().method() === 'GET'
          ? route.fulfill({ contentType: 'text/html', body: '<h1>Room number?</h1>' })
          : route.fallback(),
      );
      await one.goto(`/items/${id}`);
      await one.getByRole('button', { name: 'Download to this device' }).click();
      await one
        .locator('.item')
        .getByRole('link', { name: /Downloads/ })
        .click();
      await one.getByText('What came was not the file.').waitFor();
      await one.unroute('**/api/files/*/stream');
      await one.getByRole('button', { name: 'Go on with the download of Alien' }).click();
      await one.getByRole('button', { name: 'Play Alien' }).waitFor();
      for (const colorScheme of ['light', 'dark'] as const) {
        await one.emulateMedia({ colorScheme });
        const flaws = await one.evaluate(`(async () => {
        if (window.axe === undefined) { ${axe} }
        await Promise.all(document.getAnimations().map(({ finished }) => finished));
        return (await window.axe.run()).violations.map(({ id }) => id);
      })()`);
        expect({ colorScheme, flaws }).toEqual({ colorScheme, flaws: [] });
      }
      await one.goto(`/items/${items.get('Brazil')}`);
      await one.getByRole('button', { name: 'Download to this device' }).click();
      await one.getByText('This file needs conversion').waitFor();
      await keepAlbum(one);

      await goOffline(one.context());
      await one.goto('/');
      await one.getByRole('link', { name: /Downloads on this device/ }).click();
      await one.getByRole('button', { name: 'Play Alien' }).click();
      const played = (): Promise<unknown> =>
        one.evaluate(`(() => {
        const video = document.querySelector('video');
        return { moves: video?.currentTime > 2, width: video?.videoWidth };
      })()`);
      await expect.poll(played, poll).toEqual({ moves: true, width: 320 });
      const url = await one.evaluate<string>(`document.querySelector('video').currentSrc`);
      const { size } = (
        await server.get<{ item: { files: readonly { size: number }[] } }>(`/api/items/${id}`)
      ).item.files[0] ?? { size: 0 };
      expect(await statuses(one, url, ['bytes=5-14', 'bytes=-3', `bytes=${size}-`])).toEqual([
        [206, `bytes 5-14/${size}`, 10],
        [206, `bytes ${size - 3}-${size - 1}/${size}`, 3],
        [416, `bytes */${size}`, 0],
      ]);
      await one.keyboard.press('c');
      await one.keyboard.press('k');
      // A page that goes away gets no answers of its database any longer; where it was is kept all the same.
      await one.evaluate('IDBObjectStore.prototype.get = () => ({})');
      await one.keyboard.press('6');
      const isAt = `document.querySelector('video').currentTime`;
      await expect.poll(() => one.evaluate(isAt), poll).toBeGreaterThan(5);
      const leftAt = Math.floor(Number(await one.evaluate(isAt)));
      await one.goto('/downloads');
      await one.getByRole('button', { name: 'Play Alien' }).waitFor();

      const position = async (): Promise<number> => {
        const reply = await one.request.get(`/api/items/${id}/playback`);
        const { playback } = (await reply.json()) as { readonly playback: { position: number } };
        return playback.position;
      };
      expect(await position()).toBe(0);
      await one.evaluate('globalThis.isWithoutServer = true');
      await one.context().setOffline(false);
      await expect.poll(position, poll).toBeGreaterThanOrEqual(leftAt);
      // The whole app comes back by itself, with a load that would end another one.
      const isBack = async (): Promise<unknown> =>
        one.evaluate('globalThis.isWithoutServer === undefined').catch(() => false);
      await expect.poll(isBack, poll).toBe(true);
      await one.getByRole('button', { name: 'Play Alien' }).waitFor();

      // The session ends elsewhere: nothing of it is shown, until the same person is in again.
      const { sessions } = (await (await one.request.get('/api/auth/sessions')).json()) as {
        readonly sessions: readonly { readonly id: string }[];
      };
      const { users } = await server.get<{ users: readonly { id: string; name: string }[] }>(
        '/api/users',
      );
      const grace = users.find(({ name }) => name === 'Grace')?.id;
      for (const session of sessions)
        await server.request('DELETE', `/api/users/${grace}/sessions/${session.id}`);
      await one.goto('/downloads');
      await one.waitForURL('**/sign-in?**');
      expect(await statuses(one, url, ['bytes=5-14'])).toEqual([[404, null, 0]]);
      await signIn(one, 'Grace');
      await one.goto('/downloads');
      await one.getByRole('button', { name: 'Play Alien' }).waitFor();

      // Another profile of the user sees nothing of it.
      await server.request('POST', '/api/profiles', { name: 'Child', userId: grace });
      const changeTo = async (profile: string): Promise<void> => {
        await one.goto('/profiles');
        await one.locator('.choose', { hasText: profile }).click();
        await one.waitForURL((now) => now.pathname === '/');
        await one.goto('/downloads');
      };
      await changeTo('Child');
      await one.getByText('Nothing is on this device yet.').waitFor();
      expect(await statuses(one, url, ['bytes=5-14'])).toEqual([[404, null, 0]]);
      await changeTo('Grace');
      await one.getByRole('button', { name: 'Play Alien' }).waitFor();

      // What the server no longer shows is removed; the rest stays.
      const { libraries } = await server.get<{
        libraries: readonly { readonly id: string; readonly name: string }[];
      }>('/api/libraries');
      const films = libraries.find(({ name }) => name === 'Films')?.id;
      await server.request('PATCH', `/api/users/${grace}`, {
        libraryAccess: [{ libraryId: films }],
      });
      const later = await one.context().newPage();
      await later.goto('/downloads');
      await later.getByRole('button', { name: 'Play Alien' }).waitFor();
      await expect
        .poll(() => later.getByRole('button', { name: 'Play Song 1' }).count(), poll)
        .toBe(0);
      await later.close();

      await one.goto('/me');
      await one.getByRole('button', { name: 'Sign out' }).click();
      await one.waitForURL('**/sign-in');
      expect(await statuses(one, url, ['bytes=5-14'])).toEqual([[404, null, 0]]);
      const left = await one.evaluate(`new Promise((resolve) => {
      const request = indexedDB.open('downloads');
      request.onsuccess = () => {
        const count = request.result.transaction('parts').objectStore('parts').count();
        count.onsuccess = () => resolve(count.result);
      };
    })`);
      expect(left).toBe(0);
      await one.context().close();
    },
  );

  testByNight(
    'an admin sees what is played, and ends it; finished jobs leave their list',
    async () => {
      const played = async (id: string | undefined): Promise<number> => {
        const { sessions } = await server.get<{ sessions: readonly { readonly itemId: string }[] }>(
          '/api/playback/sessions',
        );
        return sessions.filter((one) => one.itemId === id).length;
      };
      const itemId = items.get('Fargo');
      await server.request('POST', '/api/playback/sessions', {
        itemId,
        client: { mse: [], src: [], profile: 'vlc' },
      });
      await page.goto('/admin');
      const ends = page.getByRole('button', { name: /^End Fargo of / });
      await ends.first().waitFor();
      // Sessions of earlier tests end by themselves meanwhile.
      const shownAndPlayed = async (): Promise<readonly number[]> => [
        await ends.count(),
        await played(itemId),
      ];
      const isSame = async (): Promise<boolean> => {
        const [shown, now] = await shownAndPlayed();
        return shown === now;
      };
      await expect.poll(isSame, poll).toBe(true);
      const [before = 0] = await shownAndPlayed();
      await ends.first().click();
      await expect.poll(() => ends.count(), poll).toBeLessThan(before);
      await expect.poll(isSame, poll).toBe(true);

      await page.goto('/admin/jobs');
      await page.getByRole('button', { name: 'Remove finished jobs' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Remove finished jobs' }).click();
      await page.getByText('The finished jobs were removed.').waitFor();
      const { counts } = await server.get<{ counts: object }>('/api/jobs');
      expect(counts).toMatchObject({ completed: 0, failed: 0, cancelled: 0 });
    },
  );
});
