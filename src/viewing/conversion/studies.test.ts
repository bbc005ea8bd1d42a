import { writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { eventually } from '../../../test/support/eventually.ts';
import {
  cageOf,
  cagedTranscoder,
  cageNeeded,
  machineCage,
} from '../../../test/support/media/caged.ts';
import { bars, makeMedia } from '../../../test/support/media/media-files.ts';
import { temporaryFolder } from '../../../test/support/storage/storage.ts';
import type { PlayedFile } from '../transcoding/index.ts';
import { RecipeRefused, type ConvertedStream } from './argument-parts.ts';
import type { Cage, CagedProgram } from './cage.ts';
import {
  loudnessArguments,
  sheetArguments,
  stillArguments,
  type SheetWork,
} from './study-arguments.ts';
import { createStudies, parseSummary, splitPictures, type Study } from './studies.ts';
import type { Transcoder } from './transcoder.ts';

const film: ConvertedStream = { url: 'file:/in', container: 'matroska', ordinal: 0 };
const work: SheetWork = {
  ...{ width: 320, height: 180, columns: 10, rows: 10, interval: 10, count: 720, transfer: 'pq' },
};

describe('arguments of jobs', () => {
  test.each([
    { width: '320,movie=/etc/passwd' },
    { height: 5000 },
    { columns: 0 },
    { interval: 0.5 },
    { count: 1e9 },
    { transfer: 'pq:x' },
  ])('are not made of sheets with %j', (part) => {
    const hostile = { ...work, ...part } as SheetWork;

    expect(() => sheetArguments(film, hostile)).toThrow(RecipeRefused);
  });

  test('open the one input with the one reader, and decode keyframes only', () => {
    const still = stillArguments(film, { width: 1280, height: 720, at: 1_000_000, transfer: null });

    for (const args of [sheetArguments(film, work), still, loudnessArguments(film)]) {
      expect(args.filter((one) => one === '-i')).toHaveLength(1);
      expect(args[args.indexOf('-format_whitelist') + 1]).toBe('matroska');
      expect(args.at(-1)).toBe('pipe:1');
    }
    expect(still[still.indexOf('-skip_frame') + 1]).toBe('nokey');
    expect(still.indexOf('-skip_frame')).toBeLessThan(still.indexOf('-i'));
  });
});

describe('what a job reads of the transcoder', () => {
  test('are pictures, one after the other', () => {
    const one = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0xff, 0xd9]);
    const other = Buffer.from([0xff, 0xd8, 0xff, 0xdb, 1, 0xff, 0xd9]);

    expect(splitPictures(Buffer.concat([one, other]))).toEqual([one, other]);
    expect(splitPictures(Buffer.from('no picture at all'))).toEqual([]);
    expect(splitPictures(Buffer.from([0xff]))).toEqual([]);
    expect(splitPictures(Buffer.alloc(0))).toEqual([]);
  });

  test('is its last summary, also when a file says one of itself', () => {
    const summary = (lufs: string, peak: string): string =>
      `Summary:\n\n  Integrated loudness:\n    I:  ${lufs} LUFS\n\n  True peak:\n    Peak:  ${peak} dBFS\n`;

    expect(parseSummary(`title: ${summary('3.0', '0.0')}[x] ${summary('-21.8', '-12.1')}`)).toEqual(
      {
        lufs: -21.8,
        peak: -12.1,
      },
    );
    expect(parseSummary(summary('-70.0', '-inf'))).toBeNull();
    expect(parseSummary('Conversion failed!')).toBeNull();
  });
});

test('a program counts by its code, also when its output ends before it does', async () => {
  const picture = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0xff, 0xd9]);
  const exit = Promise.withResolvers<{ code: number | null; said: string }>();
  const output = Readable.from([picture]);
  output.once('close', () => setImmediate(() => exit.resolve({ code: 0, said: '' })));
  const kill = (): void => exit.resolve({ code: null, said: '' });
  const program = { output, ended: exit.promise, kill, processorTime: async () => null };
  const machine = {
    kind: 'ready',
    mapsTones: false,
    cage: { inputUrl: 'file:/in', run: () => program },
  };
  const studies = createStudies({
    transcoder: async () => machine as unknown as Transcoder,
    openInput: async () => ({ fd: 0, close: async () => undefined }),
  });
  const file = { container: 'matroska', streams: [{ kind: 'video', width: 320, height: 180 }] };
  const study = {
    file: file as unknown as PlayedFile,
    mayGoOn: async () => undefined,
    signal: new AbortController().signal,
  };

  expect(await studies.still(study, 1000)).toEqual(picture);
});

test.skipIf(cagedTranscoder.kind === 'missing')(
  `nothing is lost of a program that ends before it is read ${cageNeeded}`,
  async () => {
    const film = makeMedia('mkv', [...bars(12, '320x180'), '-c:v', 'libx264', '-g', '24']);
    let program: CagedProgram | null = null;
    const cage: Cage = { ...machineCage(), run: (run) => (program = machineCage().run(run)) };
    const studies = createStudies({
      transcoder: async () => ({ ...cagedTranscoder, cage }) as Transcoder,
      openInput: async () => {
        const file = await open(film);
        return { fd: file.fd, close: () => file.close() };
      },
    });
    const isOver = async () => (await program?.processorTime()) === null;
    const study: Study = {
      file: { container: 'matroska', streams: [{ kind: 'video' }] } as unknown as PlayedFile,
      mayGoOn: () => eventually('the program is over', isOver),
      signal: new AbortController().signal,
    };

    expect(await studies.sheets(study, { ...work, count: 2 })).toHaveLength(1);
  },
);

test.each([
  ['waits for the disk', { idleMs: 150, busyMs: 60_000 }, 'unreadable'],
  ['works too long', { idleMs: 3000, busyMs: 100 }, 'transcode_failed'],
] as const)('a program that %s is ended, and says whose fault it is', async (_, hangs, code) => {
  const program = path.join(temporaryFolder(), 'ffmpeg');
  writeFileSync(program, '#!/bin/sh\nexec sleep 600\n', { mode: 0o755 });
  const cage = cageOf('none', program);
  const studies = createStudies({
    transcoder: async () => ({ kind: 'ready', mapsTones: false, cage }) as unknown as Transcoder,
    openInput: async () => {
      const file = await open(program);
      return { fd: file.fd, close: () => file.close() };
    },
    hangs,
  });
  const study: Study = {
    file: { container: 'matroska', streams: [{ kind: 'video' }] } as unknown as PlayedFile,
    mayGoOn: async () => undefined,
    signal: new AbortController().signal,
  };

  await expect(studies.still(study, 1000)).rejects.toMatchObject({ code });
});
