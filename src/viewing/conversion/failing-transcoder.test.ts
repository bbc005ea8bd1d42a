/** Programs in the place of the transcoder that fail in all ways that it can. */
import { chmod, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../../kernel/index.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { systemClock } from '../../platform/clock.ts';
import type { ConversionWork } from '../transcoding/index.ts';
import { createConversions, type RunningConversions } from './create-conversions.ts';
import { createPartStore } from './part-store.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vitrine-failing-transcoder-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Fake {
  readonly version?: string;
  readonly encoders?: string;
  /** What it does when it converts. */
  readonly converting?: string;
}

/** A program that answers as a transcoder does, until it converts. */
async function fake({ version = '7.1', encoders = 'libx264', converting = 'exit 1' }: Fake) {
  const file = path.join(await mkdtemp(path.join(folder, 'program-')), 'ffmpeg');
  const script = `#!/bin/sh
case "$*" in
*-version*) echo "ffmpeg version ${version}" ;;
*-encoders*) echo " V....D ${encoders}  An encoder" ;;
*-filters*) echo " ... zscale  V->V  A filter" ;;
*testsrc2*) echo some bytes ;;
*) ${converting} ;;
esac
`;
  await writeFile(file, script);
  await chmod(file, 0o755);
  return file;
}

async function scene(fakeParts: Fake, cache = path.join(folder, 'cache')) {
  const ffmpeg = await fake(fakeParts);
  let started = 0;
  const conversions = createConversions({
    settings: { ffmpeg, mode: 'none', searchPath: process.env['PATH'] ?? '' },
    store: createPartStore(cache, async () => 1e9),
    openInput: async () => {
      started += 1;
      const file = await open(ffmpeg);
      return { fd: file.fd, close: () => file.close() };
    },
    ...{ threads: 1, clock: systemClock, log: silentLog, hangs: { idleMs: 300, busyMs: 60_000 } },
  });
  onTestFinished(conversions.close);
  return { conversions, ffmpeg, started: () => started };
}

const work: ConversionWork = {
  file: {
    ...{ id: 'film', uri: 'file:///film.mkv', roots: [], extension: 'mkv', size: 1, modifiedAt: 1 },
    ...{ contentKey: 'film', container: 'matroska', duration: 20, bitrate: null },
    streams: [{ index: 0, kind: 'audio', codec: 'ac3' }],
  },
  stream: 0,
  recipe: { kind: 'audio', audio: { codec: 'aac', channels: 2, kbps: 192, gainDb: 0 } },
  ...{ timescale: 1000, cuts: [0, 1000, 2000], duration: 4000, startTime: 0, sessionId: 'ada' },
};

/** Processes that were started of this program. */
const running = (ffmpeg: string): number =>
  readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(ffmpeg);
    } catch {
      return false;
    }
  }).length;

const refusal = (conversions: RunningConversions): Promise<unknown> =>
  conversions.segment(work, 0).then(
    () => 'no refusal',
    (error: unknown) => error,
  );

describe.skipIf(process.platform !== 'linux')('a transcoder', () => {
  test.each([
    ['too old', { version: '4.4.2' }, 'ffmpeg 4.4.2 is too old: 5.1 or later is needed.'],
    ['without the encoder', { encoders: 'mpeg4' }, 'ffmpeg 7.1 has no encoder libx264.'],
  ])('that is %s converts nothing, and the refusal says so', async (_, parts, why) => {
    const { conversions } = await scene(parts);

    expect(await refusal(conversions)).toMatchObject({
      code: 'transcoder_missing',
      fields: { why },
    });
  });

  test.each([
    ['dies at each start', 'exit 1'],
    ['hangs', 'sleep 60'],
    ['writes without end what is not a film', 'cat /dev/zero'],
    ['writes a head without end', 'while :; do printf "\\0\\0\\0\\010free"; done'],
    ['is killed', 'kill -9 $$'],
  ])('that %s is started twice, then not for a while, and none lives on', async (_, converting) => {
    const { conversions, ffmpeg, started } = await scene({ converting });

    const codes = [await refusal(conversions), await refusal(conversions)];

    expect(codes).toMatchObject([{ code: 'transcode_failed' }, { code: 'transcode_failed' }]);
    expect([started(), conversions.processes()]).toEqual([2, 0]);
    await eventually('no process is left', () => running(ffmpeg) === 0);
  });

  test('that works for a cache that cannot be written says that there is no room', async () => {
    const head = 'printf "\\0\\0\\0\\010ftyp\\0\\0\\0\\010moov"';
    const file = path.join(folder, 'a file and no folder');
    await writeFile(file, '');
    const { conversions } = await scene({ converting: head }, file);

    expect(await refusal(conversions)).toMatchObject({ code: 'insufficient_storage' });
    expect(await conversions.keptBytes()).toBe(0);
  });
});
