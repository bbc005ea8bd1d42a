import { chmod, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { testByNight } from '../../../test/support/run/test-by-night.ts';
import { silentLog } from '../../../kernel/index.ts';
import { cagedTranscoder, cageNeeded, machineCage } from '../../../test/support/media/caged.ts';
import { bars, makeMedia } from '../../../test/support/media/media-files.ts';
import { systemClock } from '../../platform/clock.ts';
import type { Notice } from '../../platform/notifications/index.ts';
import type { ConversionWork } from '../transcoding/index.ts';
import { answerOf } from './caged-answer.ts';
import { createCages, type Cage } from './cage.ts';
import { createConversions } from './create-conversions.ts';
import { deviceNotice } from './device-notice.ts';
import { devicePlaces, findHardware, type HardwareMode } from './hardware.ts';
import { createPartStore } from './part-store.ts';
import { deviceSets, hardwareKinds, type DevicePlace } from './picture-encoders.ts';
import { escapeTest } from './test-arguments.ts';

const present = await devicePlaces();

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vitrine-hardware-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const searchPath = process.env['PATH'] ?? '';

/** A transcoder that has devices for which its program answers. */
async function withProgram(script: string): Promise<Cage> {
  const program = path.join(await mkdtemp(path.join(folder, 'program-')), 'ffmpeg');
  await writeFile(program, `#!/bin/sh\n${script}\n`);
  await chmod(program, 0o755);
  const [cage] = createCages({ program, mode: 'none', searchPath });
  if (cage === undefined || !('run' in cage)) throw new Error('There is no cage.');
  return cage;
}

const places = ['/dev/dri/renderD128', '/dev/dri/renderD129', '/dev/video0'];
const encoders = new Set(['h264_vaapi', 'hevc_vaapi', 'h264_v4l2m2m']);
const found = async (script: string, mode: Exclude<HardwareMode, 'none'> = 'auto') =>
  findHardware(await withProgram(script), { mode, encoders, places });

describe.skipIf(process.platform === 'win32')('an encoder of a device', () => {
  test('is the first one that encodes in the cage, with the codecs that it encodes', async () => {
    const script = `case "$*" in *renderD129*h264_vaapi*) echo film ;; *) exit 1 ;; esac`;

    expect(await found(script)).toEqual({
      kind: 'found',
      encoder: { kind: 'vaapi', devices: ['/dev/dri/renderD129'], codecs: ['h264'] },
    });
  });

  test('that is listed and does not encode is not used, and the reasons are told', async () => {
    expect(await found('echo "no such device" >&2; exit 1')).toEqual({
      kind: 'none',
      why: [
        'nvenc: there is no device for it.',
        'qsv: this ffmpeg has no encoder h264_qsv.',
        'vaapi on /dev/dri/renderD128: no such device',
        'vaapi on /dev/dri/renderD129: no such device',
        'v4l2m2m on /dev/video0: no such device',
      ].join(' '),
    });
  });

  test('of another kind than the admin allows is not tried', async () => {
    expect(await found('echo film', 'nvenc')).toMatchObject({ kind: 'none' });
    expect(await found('echo film', 'v4l2m2m')).toMatchObject({ encoder: { kind: 'v4l2m2m' } });
  });
});

describe.skipIf(cagedTranscoder.kind === 'missing')(`devices in the cage ${cageNeeded}`, () => {
  test('are there for a run that has them, and for no other', async () => {
    const look = (devices: readonly DevicePlace[]) =>
      answerOf(machineCage(), escapeTest('/dev/null'), { devices });

    const refused = /No such file|Permission denied/;
    expect((await look([])).said).toMatch(refused);
    const allowed = await look(['/dev/null' as DevicePlace]);
    expect(allowed.said).not.toMatch(refused);
    const other = await answerOf(machineCage(), escapeTest('/etc/hostname'), {
      devices: ['/dev/null' as DevicePlace],
    });
    expect(other.said).toMatch(refused);
  });

  for (const kind of hardwareKinds) {
    const has = deviceSets(kind, present).length > 0;
    test.skipIf(!has)(
      `${kind} encodes (needs a device${has ? '' : ', and there is none'})`,
      async () => {
        if (cagedTranscoder.kind !== 'ready') return;
        const { cage, encoders: listed } = cagedTranscoder;
        const answer = await findHardware(cage, { mode: kind, encoders: listed, places: present });
        expect(answer).toMatchObject({ kind: 'found' });
      },
    );
  }
});

const seconds = 4;
const work = (more: Partial<ConversionWork> = {}): ConversionWork => ({
  file: {
    ...{ id: 'film', uri: 'file:///film.mkv', roots: [], extension: 'mkv', size: 1, modifiedAt: 1 },
    ...{ contentKey: 'film', container: 'matroska', duration: seconds, bitrate: null },
    streams: [{ index: 0, kind: 'video', codec: 'h264' }],
  },
  stream: 0,
  recipe: {
    kind: 'video',
    video: {
      ...{ codec: 'h264', height: 144, kbps: 150 },
      ...{ toneMap: false, deinterlace: false, burn: null },
    },
  },
  ...{ timescale: 1000, cuts: [0, 1000, 2000], duration: seconds * 1000 },
  ...{ startTime: 0, sessionId: 'ada', ...more },
});

testByNight.skipIf(cagedTranscoder.kind === 'missing')(
  `a picture for which the device fails is encoded on the processor ${cageNeeded}`,
  async () => {
    // Stands before the real transcoder: the device encodes the test, and fails for films.
    const script = `case "$*" in
*-encoders*) echo " V....D h264_v4l2m2m  Device"; ffmpeg "$@" ;;
*testsrc2*h264_v4l2m2m*) echo film ;;
*h264_v4l2m2m*) echo "device is lost" >&2; exit 1 ;;
*) exec ffmpeg "$@" ;;
esac`;
    const program = path.join(folder, 'ffmpeg');
    await writeFile(program, `#!/bin/sh\nPATH=${searchPath}\n${script}\n`);
    await chmod(program, 0o755);
    const source = await open(
      makeMedia('mkv', [...bars(seconds, '160x120', '25'), '-c:v', 'libx264']),
    );
    onTestFinished(() => source.close());
    const told: Notice[] = [];
    const conversions = createConversions({
      settings: {
        ffmpeg: program,
        mode: 'none',
        searchPath,
        hardware: 'v4l2m2m',
        places: ['/dev/video0'],
      },
      store: createPartStore(path.join(folder, 'parts'), async () => 1e9),
      openInput: async () => ({ fd: source.fd, close: async () => undefined }),
      deviceRests: (kind) => void told.push(deviceNotice(kind)),
      ...{ threads: 1, clock: systemClock, log: silentLog },
    });
    onTestFinished(conversions.close);
    const ready = await conversions.transcoder();
    expect(ready).toMatchObject({ encoder: { kind: 'v4l2m2m' } });

    const init = await buffer((await conversions.init(work())).body);
    const segment = await buffer((await conversions.segment(work(), 0)).body);

    expect([init.toString('latin1', 4, 8), segment.length > 0]).toEqual(['ftyp', true]);
    expect([conversions.encodesInSoftware(), told]).toEqual([false, []]);

    const { file } = work();
    for (const contentKey of ['second', 'third'])
      await conversions.init(work({ file: { ...file, contentKey }, sessionId: contentKey }));

    expect(conversions.encodesInSoftware()).toBe(true);
    expect(told).toMatchObject([
      {
        title: {
          english: 'The device that encodes pictures (v4l2m2m) failed three times within an hour.',
        },
      },
    ]);
  },
);
