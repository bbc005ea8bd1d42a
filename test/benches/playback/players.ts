/**
 * What viewers see: the first picture and far seeks in Chromium, as new segments against the raw file
 * and against a process for each viewer; and how a server answers others while fifty watch a film.
 */
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { hasFfmpeg, makeMedia } from '../../support/media/media-files.ts';
import { openPlayer, type PlayerPage } from '../../support/playback/player-page.ts';
import { hasBrowser, openBrowser } from '../../support/servers/browser.ts';
import { allItems, jobsOver } from '../../support/servers/scan.ts';
import { startServer, type TestServer } from '../../support/servers/server.ts';
import { median, quantile, type Figure } from '../figure.ts';
import { startCopying } from './copying-server.ts';
import { film } from './segments.ts';
import { watchApart } from './viewers.ts';
import { sized } from '../size.ts';

const rounds = sized(3, 1);
const places = [0.8, 0.3, 0.6, 0.1, 0.5];
const minutes = sized(5, 1);
const viewers = sized(50, 3);
const watchMs = sized(20_000, 2000);

interface Session {
  readonly url: string;
  readonly firstUrls: readonly string[];
  readonly firstUrl: string | null;
  readonly kind: string;
  readonly progressUrl: string;
  readonly tracks: readonly { readonly kind: string; readonly url: string | null }[];
}

/** The figure 2 of the design of playback, and fifty viewers; or one of both. */
export async function benchPlayers(
  only: 'pictures' | 'viewers' | null = null,
): Promise<readonly Figure[]> {
  if (!hasFfmpeg || !hasBrowser) {
    console.error('The figures of players need ffmpeg and Chromium.');
    return [];
  }
  const folder = await mkdtemp(path.join(tmpdir(), 'vitrine-players-'));
  const minute = makeMedia('mp4', film);
  const long = ['-stream_loop', String(minutes - 1), '-i', minute, '-c', 'copy'];
  const files = { MP4: makeMedia('mp4', long), MKV: makeMedia('mkv', long) };
  for (const [name, file] of Object.entries(files)) {
    const place = path.join(folder, `${name} (2001)`, `${name} (2001).${name.toLowerCase()}`);
    await mkdir(path.dirname(place));
    await copyFile(file, place);
  }
  const server = await startServer({ args: ['--library', `movies:Films:${folder}`] });
  const browser = await openBrowser();
  try {
    await jobsOver(server);
    const items = new Map<string, string>();
    for (const { id, files: own } of await allItems(server))
      for (const { uri } of own) items.set(uri.endsWith('.mkv') ? 'MKV' : 'MP4', id);
    const player = await openPlayer(browser, server.url);
    const figures: Figure[] = [];
    for (const [name, file] of only === 'viewers' ? [] : Object.entries(files)) {
      const session = begin(server, player, items.get(name) ?? '');
      figures.push(...(await firstsAndSeeks(name, file, { server, player, session, browser })));
    }
    if (only === 'pictures') return figures;
    const session = await begin(server, player, items.get('MP4') ?? '')('remux');
    return [...figures, await whileOthersWatch(server, session, items.get('MP4') ?? '')];
  } finally {
    await browser.close();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

type Begin = (mode: 'direct' | 'remux') => Promise<Session>;

const begin =
  (server: TestServer, player: PlayerPage, itemId: string): Begin =>
  async (mode) => {
    const { files } = await server.get<{
      files: readonly { candidates: readonly string[] }[];
    }>(`/api/items/${itemId}/playback-info`);
    const client = await player.test(files[0]?.candidates ?? []);
    const body = { itemId, client, mode };
    const reply = await server.request('POST', '/api/playback/sessions', body);
    if (reply.status !== 201) throw new Error(JSON.stringify(reply.body));
    return (reply.body as { readonly session: Session }).session;
  };

async function firstsAndSeeks(
  name: string,
  file: string,
  {
    server,
    player,
    session,
    browser,
  }: {
    readonly server: TestServer;
    readonly player: PlayerPage;
    readonly session: Begin;
    readonly browser: Browser;
  },
): Promise<readonly Figure[]> {
  const ways = ['raw', 'ours', 'process'] as const;
  const firsts: Record<(typeof ways)[number], number[]> = { raw: [], ours: [], process: [] };
  const seeks: typeof firsts = { raw: [], ours: [], process: [] };
  for (let round = 0; round < rounds; round++)
    for (const way of ways) {
      const { firstMs, seekMs } =
        way === 'process'
          ? await withProcess(file, browser)
          : await measured(server, player, await session(way === 'raw' ? 'direct' : 'remux'));
      firsts[way].push(firstMs);
      seeks[way].push(...seekMs);
    }
  const against = (what: string, of: typeof firsts, goals: readonly [number, number]): Figure[] => [
    {
      ...{ name: `${name}: ${what} in Chromium, against the raw file`, unit: 'ms', goal: goals[0] },
      ...{ ours: median(of.ours), bare: median(of.raw) },
    },
    {
      ...{ name: `${name}: ${what}, against a process`, unit: 'ms', goal: goals[1] },
      ...{ ours: median(of.ours), bare: median(of.process) },
    },
  ];
  return [...against('first picture', firsts, [1.3, 0.8]), ...against('far seek', seeks, [2, 0.7])];
}

/** Ends the session, so that nothing of it goes on while the next one is measured. */
async function measured(server: TestServer, player: PlayerPage, session: Session) {
  try {
    return await player.measure(session, places);
  } finally {
    await server.request('DELETE', session.progressUrl);
  }
}

/** The same film from a server that starts a process, in a page of that server. */
async function withProcess(file: string, browser: Browser) {
  const { url, stop } = await startCopying(file, minutes * 60);
  const { page, measure } = await openPlayer(browser, new URL(url).origin);
  try {
    return await measure({ url, kind: 'hls' }, places);
  } finally {
    await page.close();
    await stop();
  }
}

/** Each viewer takes a segment of picture and sound as fast as the film plays. */
async function whileOthersWatch(
  server: TestServer,
  { tracks }: Session,
  itemId: string,
): Promise<Figure> {
  const lists = tracks.flatMap(({ kind, url }) =>
    kind === 'subtitle' || url === null ? [] : [url],
  );
  const segments = await Promise.all(
    lists.map(async (list) => {
      const url = new URL(list, server.url);
      const text = await (await fetch(url)).text();
      const names = text.split('\n').filter((line) => /^\d+\.m4s$/.test(line));
      return names.map((one) => new URL(one, url));
    }),
  );
  const count = segments[0]?.length ?? 0;
  const pause = (minutes * 60_000) / count;
  const idle = await answerTimes(server, itemId, 5000);
  const lines = segments.map((track) => track.map(({ href }) => href));
  const watching = watchApart({ segments: lines, viewers, pause, watchMs });
  const loaded = await answerTimes(server, itemId, watchMs);
  await watching;
  return {
    name: `p95 of an item while ${viewers} watch in new segments, against idle`,
    ...{ ours: quantile(loaded, 0.95), bare: quantile(idle, 0.95), unit: 'ms', goal: 2 },
  };
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function answerTimes(server: TestServer, itemId: string, ms: number): Promise<number[]> {
  const times: number[] = [];
  for (const end = performance.now() + ms; performance.now() < end;) {
    const from = performance.now();
    await server.get(`/api/items/${itemId}`);
    times.push(performance.now() - from);
    await wait(20);
  }
  return times;
}
