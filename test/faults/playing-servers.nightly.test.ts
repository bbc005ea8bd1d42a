/** Players behind haproxy, with each request at the next of three servers, of which two fail. */
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cagedTranscoder } from '../support/media/caged.ts';
import { bars, hasFfmpeg, makeMedia, tone } from '../support/media/media-files.ts';
import { playThrough, type Played } from '../support/playback/patient-player.ts';
import { hasHaproxy, startBalancer, type Balancer } from '../support/servers/balancer.ts';
import { startCluster, type TestCluster } from '../support/servers/cluster.ts';
import { allItems, jobsOver } from '../support/servers/scan.ts';
import { until } from '../support/servers/server.ts';
import { hasPostgres } from '../support/storage/postgres.ts';

const films = 20;
/** Where nothing may be converted, all are copied. */
const converted = cagedTranscoder.kind === 'ready' ? 5 : 0;
const seconds = 24;
const atOnce = 4;
const longestGapMs = 5000;
const patienceMs = 2000;

describe.skipIf(!hasPostgres() || !hasHaproxy() || !hasFfmpeg)(
  'twenty films behind haproxy (needs PostgreSQL, haproxy and ffmpeg)',
  { timeout: 300_000 },
  () => {
    let folder: string;
    let cluster: TestCluster;
    let balancer: Balancer;
    let itemIds: readonly string[];
    /** How long a piece takes at most where nothing fails. */
    let usualMs = 0;

    beforeAll(async () => {
      folder = await mkdtemp(path.join(tmpdir(), 'vitrine-players-'));
      const inputs = [...bars(seconds, '320x240', '12'), ...tone(seconds)];
      const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '24', '-pix_fmt', 'yuv420p'];
      const copied = makeMedia('mkv', [...inputs, ...h264, '-c:a', 'aac', '-shortest']);
      const old = makeMedia('avi', [
        ...inputs,
        ...['-c:v', 'mpeg4', '-q:v', '3', '-c:a', 'mp3', '-shortest'],
      ]);
      for (let no = 0; no < films; no += 1) {
        const [kind, file] = no < converted ? ['avi', old] : ['mkv', copied];
        const at = path.join(folder, 'films', `Film ${no} (2001)`);
        await mkdir(at, { recursive: true });
        await copyFile(file, path.join(at, `Film ${no} (2001).${kind}`));
      }
      cluster = await startCluster(3, [
        ...['--library', `movies:Films:${folder}/films`, '--scan-hours', '0'],
        ...['--blobs', `${folder}/blobs`, '--internal-listen', '127.0.0.1:0'],
        ...['--playback-conversions', '8'],
      ]);
      const [first] = cluster.servers;
      if (first === undefined) throw new Error('No server started.');
      await jobsOver(first, 120_000);
      itemIds = (await allItems(first)).map(({ id }) => id);
      const ports = cluster.servers.map(({ url }) => Number(new URL(url).port));
      balancer = await startBalancer(ports, { patienceMs: 1000 });
      await until('all are ready', async () => (await balancer.up()) === 3);
    }, 300_000);

    afterAll(async () => {
      await balancer?.stop();
      await cluster?.end();
      await rm(folder, { recursive: true, force: true });
    });

    function tell(what: string, all: readonly Played[]): void {
      const sum = (of: (one: Played) => number) => all.reduce((total, one) => total + of(one), 0);
      const failed = sum((one) => one.failed.length);
      const longest = Math.round(Math.max(...all.map((one) => one.longestWaitMs)));
      console.log(`${what}: ${sum((one) => one.asked)} requests, ${failed} failed, ${longest} ms`);
    }

    test('are played with no playlist, segment and report that fails', async () => {
      const played: Played[] = [];
      const rest = [...itemIds];
      const player = async (): Promise<void> => {
        for (let id = rest.shift(); id !== undefined; id = rest.shift())
          played.push(await playThrough(balancer.url, id, { patienceMs: 60_000 }));
      };
      await Promise.all(Array.from({ length: atOnce }, player));

      tell(`${films} films, ${converted} of them converted`, played);
      usualMs = Math.max(...played.map((one) => one.longestWaitMs));
      expect(played).toHaveLength(films);
      expect(played.flatMap(({ failed }) => failed)).toEqual([]);
    });

    test('go on within five seconds after one server was killed and one froze', async () => {
      const [, frozen, killed] = cluster.servers;
      if (frozen === undefined || killed === undefined) throw new Error('A server is missing.');
      let isDone = false;
      const strike = async (segment: number): Promise<void> => {
        if (segment !== 1 || isDone) return;
        isDone = true;
        process.kill(frozen.pid, 'SIGSTOP');
        await killed.kill();
      };
      const some = [...itemIds.slice(0, 1), ...itemIds.slice(-3)];
      try {
        const played = await Promise.all(
          some.map((id) =>
            playThrough(balancer.url, id, {
              patienceMs: Math.max(patienceMs, usualMs),
              at: strike,
            }),
          ),
        );

        tell('With one server killed and one frozen', played);
        expect(isDone).toBe(true);
        // A busy machine needs longer for each piece.
        expect(Math.max(...played.map((one) => one.longestWaitMs))).toBeLessThan(
          Math.max(longestGapMs, 3 * usualMs),
        );
      } finally {
        process.kill(frozen.pid, 'SIGCONT');
      }
    });
  },
);
