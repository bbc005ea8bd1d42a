/**
 * The acceptance matrix of playback: files as people have them, in a real browser. Each has its
 * picture and its sound, and shows the right picture at each place.
 */
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cagedTranscoder, cageNeeded } from '../support/media/caged.ts';
import {
  matrixFiles,
  matrixRate,
  matrixSeconds,
  oddFiles,
  songFiles,
  type MatrixFile,
  type MatrixWays,
} from '../support/playback/matrix-files.ts';
import { openPlayer, type PlayerPage, type ShownPicture } from '../support/playback/player-page.ts';
import { sampleOf } from '../support/run/nightly.ts';
import { hasBrowser, openBrowser } from '../support/servers/browser.ts';
import { allItems, jobsOver } from '../support/servers/scan.ts';
import { startServer, type TestServer } from '../support/servers/server.ts';

const canRun = hasBrowser && cagedTranscoder.kind === 'ready';

/** Five by day. */
const films = sampleOf(matrixFiles, 5);
const oddFilms = sampleOf(oddFiles, 1);
const songs = sampleOf(songFiles, 1);
/** What this browser plays directly, others get as new segments; MP4 has no Vorbis. */
const inSegments = sampleOf(
  films.filter(
    ({ name, video, audio }) => video === 'direct' && audio === 'direct' && !/vorbis/.test(name),
  ),
  1,
);

let folder: string;
let server: TestServer;
let browser: Browser;
let player: PlayerPage;
const items = new Map<string, string>();

async function put(place: string, file: string): Promise<void> {
  await mkdir(path.dirname(path.join(folder, place)), { recursive: true });
  await copyFile(file, path.join(folder, place));
}

beforeAll(async () => {
  if (!canRun) return;
  folder = await mkdtemp(path.join(tmpdir(), 'vitrine-matrix-'));
  for (const { name, extension, make } of [...films, ...oddFilms])
    await put(path.join('Films', `${name} (2001)`, `${name} (2001).${extension}`), make());
  for (const { name, extension, make } of songs)
    await put(path.join('Songs', 'Artist', `${name} (2001)`, `01 Song.${extension}`), make());
  const libraries = ['movies:Films', 'music:Songs'].flatMap((one) => [
    '--library',
    `${one}:${path.join(folder, one.slice(-5))}`,
  ]);
  server = await startServer({ args: [...libraries, '--playback-conversions', '16'] });
  [browser] = await Promise.all([openBrowser(), jobsOver(server)]);
  player = await openPlayer(browser, server.url);
  for (const { id, files } of await allItems(server))
    for (const { uri } of files) items.set(decodeURIComponent(uri.split('/').at(-2) ?? ''), id);
}, 120_000);

afterAll(async () => {
  await browser?.close();
  await server?.stop();
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
});

interface Session {
  readonly url: string;
  readonly kind: string;
  readonly duration: number;
  readonly progressUrl: string;
  readonly tracks: readonly { kind: string; way: string; isSelected: boolean }[];
}

async function begin(name: string, mode: 'auto' | 'remux'): Promise<Session> {
  const itemId = items.get(`${name} (2001)`);
  const info = await server.get<{ files: readonly { candidates: readonly string[] }[] }>(
    `/api/items/${itemId}/playback-info`,
  );
  const client = await player.test(info.files[0]?.candidates ?? []);
  const { status, body } = await server.request('POST', '/api/playback/sessions', {
    ...{ itemId, client, mode },
  });
  expect([status, body]).toEqual([201, expect.anything()]);
  return (body as { session: Session }).session;
}

/** Plays it, and checks what was seen and heard. */
async function expectPlayed(
  { name, seconds = matrixSeconds, pictures }: MatrixFile,
  { video, audio }: MatrixWays,
  mode: 'auto' | 'remux' = 'auto',
): Promise<void> {
  const session = await begin(name, mode);

  const played = await player.play(session, pictures, mode === 'remux');

  expect([wayOf(session, 'video'), wayOf(session, 'audio')]).toEqual([video, audio]);
  const { faults, hasPicture, hasSound, duration } = played;
  expect({ faults, hasPicture, hasSound }).toEqual({
    ...{ faults: [], hasPicture: video !== undefined, hasSound: audio !== undefined },
  });
  expect(Math.abs(duration - seconds)).toBeLessThan(0.1);
  expect(Math.abs(duration - session.duration)).toBeLessThan(0.1);
  for (const { at, shown } of video === undefined ? [] : played.sought) {
    const [from, to] = pictures ?? [0, seconds];
    if (at < from || at > to) continue;
    expect(shown && isOff(shown)).toBeLessThanOrEqual(1.1);
    expect(Math.abs(at - (shown?.mediaTime ?? 0))).toBeLessThanOrEqual(1.1 / matrixRate);
  }
  await server.request('DELETE', session.progressUrl);
}

const wayOf = ({ tracks }: Session, kind: string): string | undefined =>
  tracks.find((track) => track.kind === kind && track.isSelected)?.way;

/**
 * Pictures between the one that is shown and the one of its time. Containers put the first picture up
 * to a packet of sound later, and AVI one picture.
 */
const isOff = ({ mediaTime, number }: ShownPicture): number =>
  Math.abs(number - mediaTime * matrixRate);

describe.skipIf(!canRun)(`in a browser ${cageNeeded}`, () => {
  test.each(films)('$name plays', (file) => expectPlayed(file, file));

  test.each(oddFilms)('$name plays', (file) => expectPlayed(file, file, file.mode));

  test.each(songs)('$name plays', (file) => expectPlayed(file, file));

  test.each(inSegments)('$name plays in new segments', (file) =>
    expectPlayed(file, { video: 'copy', audio: 'copy' }, 'remux'),
  );
});
