/** MPEG program streams: what is in them, and how long they are. */
import { readFileSync, statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { ProbeOutcome } from '../../plugin-api/index.ts';
import {
  bars,
  durationOf,
  hasFfmpeg,
  keepFile,
  makeMedia,
} from '../../test/support/media/media-files.ts';
import { createRangeHost, probeFileOf } from '../../test/support/media/probe-host.ts';
import { probeFiles } from './probe-files.ts';

async function outcomeOf(file: string): Promise<ProbeOutcome | undefined> {
  const { size } = statSync(file);
  const input = { libraryId: 'l', libraryType: 'movies', files: [probeFileOf(file, size)] };
  return (await probeFiles(input, createRangeHost().host)).results[0];
}

async function probe(file: string) {
  const outcome = await outcomeOf(file);
  if (outcome?.kind !== 'read') throw new Error(JSON.stringify(outcome));
  return outcome.report;
}

/** Noise, since its bit rate changes so much that no length can be read from it. */
const noise = (seconds: number): readonly string[] => [
  ...['-f', 'lavfi', '-i', `sine=frequency=440:sample_rate=48000:duration=${seconds}`],
  ...['-f', 'lavfi', '-i', `anoisesrc=duration=${seconds}:sample_rate=48000`],
];
const film = (seconds: number, ...codecs: readonly string[]): readonly string[] => [
  ...bars(seconds, '352x288', '25'),
  ...noise(seconds),
  ...['-map', '0:v', '-map', '1:a', '-map', '2:a', ...codecs],
];
const dvd = ['-c:v', 'mpeg2video', '-q:v', '2', '-c:a', 'ac3', '-b:a', '192k'];
const vob = (seconds: number, ...more: readonly string[]): string =>
  makeMedia('vob', [...film(seconds, ...dvd), ...more, '-f', 'vob']);
const joined = (...files: readonly string[]): string =>
  keepFile('vob', Buffer.concat(files.map((file) => readFileSync(file))));

describe.skipIf(!hasFfmpeg)('MPEG program streams (needs ffmpeg)', () => {
  test('have the streams of a DVD', async () => {
    const report = await probe(vob(7));

    expect(report).toEqual({
      container: 'mpeg',
      duration: expect.closeTo(7, 1),
      bitrate: expect.any(Number),
      streams: [
        {
          ...{ index: 0, kind: 'video', codec: 'mpeg2video', profile: 'Main', level: 'Main' },
          ...{ width: 352, height: 288, frameRate: 25, bitDepth: 8 },
        },
        ...[1, 2].map((index) => ({
          ...{ index, kind: 'audio', codec: 'ac3', channels: 1, sampleRate: 48000 },
          bitrate: 192000,
        })),
      ],
    });
  });

  test.each([
    ['MPEG-1', 'mpg', ['-c:v', 'mpeg1video', '-c:a', 'mp2', '-f', 'mpeg'], 'mpeg1video'],
    ['MPEG-2', 'mpg', ['-c:v', 'mpeg2video', '-c:a', 'mp2', '-f', 'vob'], 'mpeg2video'],
    [
      'H.264',
      'mpeg',
      ['-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'mp2', '-f', 'vob'],
      'h264',
    ],
  ])('have their full length, with %s in .%s', async (_name, extension, codecs, codec) => {
    const file = makeMedia(extension, film(9, ...codecs));

    const { duration, streams } = await probe(file);

    expect(duration).toBeCloseTo(9, 0);
    expect(Math.abs((duration ?? 0) - durationOf(file))).toBeLessThan(0.2);
    expect(streams.map((stream) => stream.codec)).toEqual([codec, 'mp2', 'mp2']);
  });

  test('are as long as all of their parts where their times jump back', async () => {
    expect((await probe(joined(vob(7), vob(5), vob(6)))).duration).toBeCloseTo(18, 0);
  });

  test('are as long as all of their parts where their times jump ahead', async () => {
    const later = vob(6, '-output_ts_offset', '5000');

    expect((await probe(later)).duration).toBeCloseTo(6, 0);
    expect((await probe(joined(vob(7), later, vob(5)))).duration).toBeCloseTo(18, 0);
  });

  test('are as long as what is left of them', async () => {
    const whole = readFileSync(vob(7));
    const cut = keepFile('vob', whole.subarray(0, Math.floor(whole.length / 2) + 777));

    const { duration } = await probe(cut);

    expect(duration).toBeGreaterThan(2.5);
    expect(duration).toBeLessThan(4.5);
  });

  test('are read where they begin in the middle of a packet', async () => {
    const cut = keepFile('vob', readFileSync(vob(7)).subarray(5000));

    expect(await probe(cut)).toMatchObject({ container: 'mpeg', duration: expect.closeTo(7, 0) });
  });

  test.each([
    ['nothing but heads of packets, each with another time', (at: number) => (at * 7919) % 256],
    ['nothing but heads of packets, all with one time', () => 0],
  ])('with %s are refused', async (_name, timeAt) => {
    const bytes = new Uint8Array(2 ** 22);
    for (let at = 0; at + 14 <= bytes.length; at += 14) {
      const time = timeAt(at);
      bytes.set([0, 0, 1, 0xba, 0x44 | ((time & 7) << 3), time, 4, time, 4, 1, 0, 0, 3, 0xf8], at);
    }

    expect(await outcomeOf(keepFile('vob', bytes))).toEqual({
      kind: 'failed',
      code: 'truncated',
      message: 'The file ends before its first frames.',
    });
  });

  test('cost few bytes where the clock of each packet is wrong', async () => {
    const bytes = readFileSync(vob(7));
    for (let at = 0; at + 14 <= bytes.length; at += 2048)
      bytes.set([0x44 | (((at * 31) >> 11) & 0x38), (at * 7919) & 0xff], at + 4);
    const file = keepFile('vob', bytes);
    const { host, asked } = createRangeHost();

    const files = [probeFileOf(file, bytes.length)];
    const { results } = await probeFiles({ libraryId: 'l', libraryType: 'movies', files }, host);

    expect(results).toMatchObject([{ kind: 'read', report: { container: 'mpeg' } }]);
    expect(asked.bytes).toBeLessThan(2 ** 20 + 2 ** 16);
  });

  test('are refused where another format has their name', async () => {
    const file = makeMedia('mpg', [...bars(1), '-c:v', 'mpeg2video', '-f', 'mpeg2video']);

    expect(await outcomeOf(file)).toEqual({
      ...{ kind: 'failed', code: 'malformed' },
      message: 'The file is named .mpg and does not begin as MPEG-PS does.',
    });
  });
});
