/** Silence in place of sound that is not there: it decodes, is silent, and is where nothing else is. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { hasFfmpeg } from '../../test/support/media/media-files.ts';
import { joined } from '../media-headers/bytes/joined.ts';
import { aacSilence, mp3Silence, opusSilence } from './formats/silence.ts';
import { filled } from './media/fill-silence.ts';

const packet = Uint8Array.of(7, 7);
const [from, to] = [100, 200];
const packetsAt = (...times: readonly number[]) => ({
  offsets: times.map((time) => time * 10),
  sizes: times.map(() => 3),
  times,
  end: (times.at(-1) ?? -10) + 10,
});

const timesOf = (times: readonly number[], first = 0, isLast = false) =>
  filled(packetsAt(...times), { packet, ticks: 10 }, { from, to, isLast, first });

const upTo = (begin: number, end: number): readonly number[] =>
  Array.from({ length: (end - begin) / 10 }, (_, n) => begin + n * 10);

test('a segment without any packet is filled on the grid of the track', () => {
  expect(timesOf([]).times).toEqual(upTo(100, 200));
  expect(timesOf([], 1003).times).toEqual(upTo(103, 203));
});

test.each<[string, readonly number[], readonly number[]]>([
  ['whose sound is late', upTo(154, 204), upTo(104, 204)],
  ['whose sound ends early', upTo(104, 134), upTo(104, 194)],
  ['with a hole', [100, 110, 160, 170, 180, 190], upTo(100, 200)],
  ['that is whole', upTo(103, 203), upTo(103, 203)],
])('a segment %s is filled', (_, times, wanted) => {
  const made = timesOf(times);

  expect(made.times).toEqual(wanted);
  const own = made.parts ?? times.map((time) => [[time * 10, 3]]);
  expect(made.times.map((_time, place) => own[place]?.[0] === packet)).toEqual(
    wanted.map((time) => !times.includes(time)),
  );
});

test('a few packets that are missing at the very end stay missing', () => {
  expect(timesOf(upTo(100, 170), 0, true).times).toEqual(upTo(100, 170));
  expect(timesOf(upTo(100, 120), 0, true).times).toEqual(upTo(100, 200));
});

test('a hole of hours is not filled: such a file lies about its times', () => {
  const packets = packetsAt(100, 110, 1e9);

  const span = { from, to: 1e9 + 10, isLast: false, first: 0 };
  expect(filled(packets, { packet, ticks: 10 }, span)).toBe(packets);
  expect(filled(packetsAt(), { packet, ticks: 10 }, span).times).toEqual([]);
});

/** AAC frames with a header each (ADTS), of a configuration of two bytes. */
function adts(setup: readonly number[], frame: Uint8Array): Uint8Array {
  const [high = 0, low = 0] = setup;
  const index = ((high & 7) << 1) | (low >> 7);
  const channels = (low >> 3) & 15;
  const length = frame.length + 7;
  return joined([
    Uint8Array.of(0xff, 0xf1, 0x40 | (index << 2) | (channels >> 2)),
    Uint8Array.of(((channels & 3) << 6) | (length >> 11), (length >> 3) & 255),
    Uint8Array.of(((length & 7) << 5) | 0x1f, 0xfc),
    frame,
  ]);
}

/** The samples that ffmpeg decodes. */
function decoded(extension: string, bytes: Uint8Array): Buffer {
  const folder = mkdtempSync(path.join(tmpdir(), 'vitrine-silence-'));
  try {
    const file = path.join(folder, `silence.${extension}`);
    writeFileSync(file, bytes);
    const script = 'ffmpeg -v error -nostdin -i "$0" -f s16le "$0.raw" 2>&1; cat "$0.raw"';
    return execFileSync('sh', ['-c', script, file]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe.skipIf(!hasFfmpeg)('silence (needs ffmpeg)', () => {
  const frames = (one: Uint8Array): Uint8Array => joined(Array.from({ length: 8 }, () => one));
  const isSilent = (samples: Buffer): boolean => samples.every((byte) => byte === 0);

  test.each([1, 2, 3, 4, 5, 6, 7])('of AAC in arrangement %d decodes', (arrangement) => {
    const setup = [0x11, 0x80 | (arrangement << 3)];
    const silence = aacSilence(Uint8Array.from(setup));
    const found = decoded('aac', frames(adts(setup, silence?.packet ?? new Uint8Array(0))));

    expect([isSilent(found), found.length]).toEqual([
      true,
      8 * 1024 * 2 * (arrangement === 7 ? 8 : arrangement),
    ]);
    expect(silence?.seconds).toBeCloseTo(1024 / 48_000, 9);
  });

  test.each([
    [2, 44_100],
    [1, 48_000],
    [2, 22_050],
    [1, 11_025],
  ])('of MP3 of %d channels at %d Hz decodes', (channels, sampleRate) => {
    const silence = mp3Silence({ channels, sampleRate });
    const found = decoded('mp3', frames(silence?.packet ?? new Uint8Array(0)));

    expect([isSilent(found), found.length > 0]).toEqual([true, true]);
  });

  test('is not made of formats of several streams, or of channels that nobody names', () => {
    expect(aacSilence(Uint8Array.of(0x11, 0x80))).toBeUndefined();
    expect(opusSilence(Uint8Array.of(0, 6, 0, 0, 0, 0, 0, 0, 0, 0, 1))).toBeUndefined();
    expect(mp3Silence({ channels: 2, sampleRate: 12_345 })).toBeUndefined();
  });
});
