/**
 * The smallest player: a page with a `<video>`, and hls.js for playlists. It plays a session as a
 * client does, and says what is seen and heard. It is the full hls.js: the light one plays no sound
 * that has a playlist of its own.
 */
import { readFileSync } from 'node:fs';
import { createRequire, stripTypeScriptTypes } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { matrixBits } from './matrix-files.ts';

/** What a browser plays of the candidates of a file. */
export interface TestedTypes {
  readonly mse: readonly string[];
  readonly src: readonly string[];
}

/** A picture that is shown: its time by the browser, and the number in it. */
export interface ShownPicture {
  /** Seconds. */
  readonly mediaTime: number;
  readonly number: number;
}

/** What was seen and heard. */
export interface Played {
  /** Seconds. */
  readonly duration: number;
  /** The first picture, and those at the places that were sought; empty without pictures. */
  readonly first: ShownPicture | null;
  readonly sought: readonly {
    /** Seconds. */
    readonly at: number;
    readonly shown: ShownPicture | null;
  }[];
  readonly hasPicture: boolean;
  readonly hasSound: boolean;
  /** Seconds of the last moment. */
  readonly ended: number;
  /** What the player complains about. */
  readonly faults: readonly string[];
  /** Milliseconds until the first picture, or sound; and of each seek. */
  readonly firstMs: number;
  readonly seekMs: readonly number[];
}

/** A session as far as a player needs it. */
export interface PlayedSession {
  readonly url: string;
  readonly kind: string;
  readonly firstUrls?: readonly string[];
  readonly firstUrl?: string | null;
}

export interface PlayerPage {
  readonly test: (candidates: readonly string[]) => Promise<TestedTypes>;
  /** `pictures`: between which seconds there are pictures. */
  readonly play: (
    session: PlayedSession,
    pictures?: readonly [from: number, to: number],
    /** Whether all of it is loaded before the first seek: segments then arrive in their order. */
    isLoadedFirst?: boolean,
  ) => Promise<Played>;
  /** Only the times: until the first picture, and of seeks to parts of the length. */
  readonly measure: (
    session: PlayedSession,
    places: readonly number[],
  ) => Promise<Pick<Played, 'firstMs' | 'seekMs'>>;
  readonly page: Page;
}

/** What the player of the web app does so that the first picture comes sooner. */
const helps = ['first-answers.ts', 'quick-start.ts'].map((name) =>
  stripTypeScriptTypes(
    readFileSync(new URL(`../../../packages/app/web/player/${name}`, import.meta.url), 'utf8'),
  ).replaceAll(/^export /gm, ''),
);

const hls = readFileSync(createRequire(import.meta.url).resolve('hls.js/dist/hls.min.js'), 'utf8');

const script = `
const patienceMs = 20000;
const soon = (what, promise) => Promise.race([
  promise,
  new Promise((_, reject) => setTimeout(() => reject(new Error(what + ' did not come')), patienceMs)),
]);
const event = (target, name) => soon(name, new Promise((resolve) =>
  target.addEventListener(name, resolve, { once: true })));

window.testTypes = (candidates) => {
  const video = document.createElement('video');
  return {
    mse: candidates.filter((type) => MediaSource.isTypeSupported(type)),
    src: candidates.filter((type) => video.canPlayType(type) !== ''),
  };
};

const canvas = new OffscreenCanvas(320, 180);
const drawing = canvas.getContext('2d', { willReadFrequently: true });
const numberIn = (video) => {
  drawing.drawImage(video, 0, 0, 320, 180);
  let number = 0;
  for (let bit = 0; bit < ${matrixBits}; bit++) {
    const [red] = drawing.getImageData((bit + 0.5) * 320 / ${matrixBits}, 90, 1, 1).data;
    if (red > 128) number += 2 ** bit;
  }
  return number;
};
const picture = (video, isWanted = () => true) => soon('a picture', new Promise((resolve) => {
  const look = (_, { mediaTime }) => {
    if (isWanted(mediaTime)) resolve({ mediaTime, number: numberIn(video) });
    else video.requestVideoFrameCallback(look);
  };
  video.requestVideoFrameCallback(look);
}));
const moved = async (video, isThere) => {
  while (!isThere()) await event(video, 'timeupdate');
};

// As docs/playback.md says: what comes first asked for at once, without a worker, with the picture that
// the server chose.
const open = (video, { firstUrls = [], firstUrl = null }) => {
  const loaders = loadersOver(askFirst(firstUrls, firstUrl), Hls);
  const { config, settle } = quickStart(Hls);
  video.addEventListener('canplay', settle, { once: true });
  const options = { enableWorker: false, startFragPrefetch: true, maxBufferLength: 10 };
  const hls = new Hls({ ...options, ...config, ...loaders });
  hls.on(Hls.Events.MANIFEST_PARSED, () => {
    hls.startLevel = hls.firstLevel;
  });
  return hls;
};

window.playSession = async ({ url, kind, from, to, isLoadedFirst, ...asked }) => {
  const video = document.createElement('video');
  video.muted = true;
  document.body.append(video);
  const faults = [];
  let hls = null;
  let whole = null;
  const begun = performance.now();
  try {
    if (kind === 'hls') {
      hls = open(video, asked);
      hls.on(Hls.Events.ERROR, (_, { details, fatal, error }) => {
        // What is not needed any longer, since the viewer goes elsewhere.
        if (details === 'aborted') return;
        faults.push(details + (fatal ? ' (fatal)' : '') + ': ' + (error?.message ?? ''));
      });
      whole = soon('the rest', new Promise((resolve) =>
        hls.once(Hls.Events.BUFFERED_TO_END, resolve)));
      whole.catch(() => undefined);
      hls.loadSource(url);
      hls.attachMedia(video);
    } else video.src = url;
    await soon('the start', video.play());
    const hasPicture = video.videoWidth > 0;
    const first = hasPicture ? await picture(video) : null;
    if (!hasPicture) await moved(video, () => video.currentTime > 0);
    const firstMs = performance.now() - begun;
    await moved(video, () => video.webkitAudioDecodedByteCount > 0 || video.currentTime > 1);
    video.pause();
    if (isLoadedFirst) await whole;
    const sought = [];
    const seekMs = [];
    for (const part of [0.6, 0.2]) {
      const at = video.duration * part;
      const begin = performance.now();
      const there = event(video, 'seeked');
      const hasOne = hasPicture && at > from && at < to;
      const shown = hasOne ? picture(video, (time) => Math.abs(time - at) < 1) : null;
      video.currentTime = at;
      await there;
      sought.push({ at, shown: await shown });
      seekMs.push(performance.now() - begin);
    }
    const hasSound = video.webkitAudioDecodedByteCount > 0;
    await whole;
    // Chromium does not always find the very last frames of a FLAC file.
    video.currentTime = video.duration - (hasPicture ? 0.2 : 1);
    const over = event(video, 'ended');
    await soon('the end', video.play());
    await over;
    return { duration: video.duration, first, sought, hasPicture, hasSound, firstMs, seekMs,
      ended: video.currentTime, faults };
  } catch (error) {
    const { currentTime, readyState, videoWidth, webkitAudioDecodedByteCount: heard } = video;
    const buffered = [...Array(video.buffered.length).keys()].map((at) =>
      video.buffered.start(at) + '-' + video.buffered.end(at));
    throw new Error(error.message + ' ' + JSON.stringify({ currentTime, readyState, videoWidth, heard,
      buffered, faults, media: video.error?.message }));
  } finally {
    hls?.destroy();
    video.removeAttribute('src');
    video.load();
    video.remove();
  }
};

window.measureSession = async ({ url, kind, places, ...asked }) => {
  const video = document.createElement('video');
  video.muted = true;
  document.body.append(video);
  let hls = null;
  const begun = performance.now();
  try {
    if (kind === 'hls') {
      hls = open(video, asked);
      hls.loadSource(url);
      hls.attachMedia(video);
    } else video.src = url;
    const shown = picture(video);
    await soon('the start', video.play());
    await shown;
    const firstMs = performance.now() - begun;
    video.pause();
    const seekMs = [];
    for (const part of places) {
      const at = video.duration * part;
      const begin = performance.now();
      const there = event(video, 'seeked');
      const next = picture(video, (time) => Math.abs(time - at) < 1);
      video.currentTime = at;
      await Promise.all([there, next]);
      seekMs.push(performance.now() - begin);
    }
    return { firstMs, seekMs };
  } finally {
    hls?.destroy();
    video.removeAttribute('src');
    video.load();
    video.remove();
  }
};
`;

/** Opens the player at the origin of the server. */
export async function openPlayer(browser: Browser, origin: string): Promise<PlayerPage> {
  const page = await browser.newPage();
  const url = `${origin}/player-of-a-test`;
  await page.route(url, (route) => route.fulfill({ contentType: 'text/html', body: '<body>' }));
  await page.goto(url);
  await page.unroute(url);
  await page.evaluate([hls, ...helps, script].join('\n;'));
  const call = async <Answer>(name: string, value: unknown): Promise<Answer> =>
    page.evaluate(`${name}(${JSON.stringify(value)})`);
  return {
    page,
    test: (candidates) => call('testTypes', candidates),
    measure: ({ url, kind, firstUrls, firstUrl }, places) =>
      call('measureSession', { url, kind, firstUrls, firstUrl, places }),
    play: ({ url, kind, firstUrls, firstUrl }, [from, to] = [-1, 1e9], isLoadedFirst = false) =>
      call('playSession', { url, kind, firstUrls, firstUrl, from, to, isLoadedFirst }),
  };
}
