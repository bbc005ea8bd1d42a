/** Files that lie about themselves: refused or planned within bounds, never a hang or a crash. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { box } from '../../test/support/media/media-patches.ts';
import { bars, hasFfmpeg, makeMedia, tone } from '../../test/support/media/media-files.ts';
import { rounds } from '../../test/support/run/nightly.ts';
import { createRangeHost, probeFileOf } from '../../test/support/media/probe-host.ts';
import type { SegmentPlan, TranscodeFailure, TranscodeIndex } from '../../plugin-api/index.ts';
import { createOpenFiles } from './open-files.ts';
import { createTranscoding } from './transcoding.ts';

const longestMs = 3000;

const folder = mkdtempSync(path.join(tmpdir(), 'vitrine-hostile-media-'));
afterAll(() => rmSync(folder, { recursive: true }));
let written = 0;

/** A file of these bytes. */
function put(extension: string, bytes: Uint8Array | string): string {
  const file = path.join(folder, `${written++}.${extension}`);
  writeFileSync(file, bytes);
  return file;
}

/** Opens a file and plans its first and last segments, and its first ones. */
async function tried(file: string): Promise<readonly (SegmentPlan | TranscodeFailure)[]> {
  const { host } = createRangeHost();
  const calls = createTranscoding(createOpenFiles());
  const probed = probeFileOf(file, statSync(file).size);
  const index = await calls.index({ file: probed, state: null }, host);
  if (index.kind === 'failed') return [index];
  const answers: (SegmentPlan | TranscodeFailure)[] = [];
  const { state, timescale, cuts, duration } = index;
  for (const { id } of index.tracks.filter(({ canCopy }) => canCopy).slice(0, 3)) {
    answers.push(await calls.init({ file: probed, state, track: id }, host));
    for (const n of new Set([0, 1, cuts.length - 1])) {
      const [start = 0, end = duration] = [cuts[n], cuts[n + 1]];
      const at = { n, timescale, start, end };
      answers.push(await calls.segment({ file: probed, state, track: id, ...at }, host));
    }
  }
  return answers;
}

function isWithin(answer: SegmentPlan | TranscodeFailure, size: number): boolean {
  if (answer.kind === 'failed') return answer.message !== '';
  const outside = answer.pieces.filter(
    ([offset, length, from]) => from === undefined && (offset < 0 || offset + length > size),
  );
  const bytes = answer.pieces.reduce((sum, [, length]) => sum + length, 0);
  return outside.length === 0 && bytes <= 64 * 1024 * 1024 && answer.pieces.length <= 20_000;
}

/** Numbers that are the same in each run. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const films = [
  ...bars(4),
  ...tone(4),
  '-c:v',
  'libx264',
  '-preset',
  'ultrafast',
  '-pix_fmt',
  'yuv420p',
  '-g',
  '24',
  '-c:a',
  'aac',
  '-shortest',
];
const forms: readonly (readonly [string, readonly string[]])[] = [
  ['mp4', films],
  ['mkv', films],
  ['ts', films],
  ['mp4', [...films, '-movflags', 'frag_keyframe+empty_moov']],
];

describe.skipIf(!hasFfmpeg)('mutated files (needs ffmpeg)', () => {
  test.each(forms)('of %s are planned within the file or refused', async (extension, args) => {
    const whole = readFileSync(makeMedia(extension, args));
    const next = random(23);
    const slow: number[] = [];
    for (let round = 0; round < rounds(10, 150); round++) {
      const bytes = Buffer.from(whole);
      // Most of an index is near the ends of a file.
      for (let change = 0; change < 12; change++) {
        const near = Math.floor(next() ** 3 * bytes.length);
        const at = next() < 0.5 ? near : bytes.length - 1 - near;
        bytes[at] = next() < 0.3 ? 0xff : Math.floor(next() * 256);
      }
      const cut = round % 5 === 0 ? Math.floor(next() * bytes.length) : bytes.length;
      const file = put(extension, bytes.subarray(0, cut));
      const begun = performance.now();
      const answers = await tried(file);
      slow.push(performance.now() - begun);
      expect(answers.filter((answer) => !isWithin(answer, cut))).toEqual([]);
    }
    expect(Math.max(...slow)).toBeLessThan(longestMs);
  });
});

const u32 = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, at) => bytes.writeUInt32BE(value, at * 4));
  return bytes;
};

/** An MP4 whose track has these tables. */
function mp4(tables: Readonly<Record<string, Buffer>>): string {
  const entry = box(
    'avc1',
    Buffer.concat([Buffer.alloc(78), box('avcC', Buffer.from('0142c00affe0', 'hex'))]),
  );
  const all = {
    stsd: Buffer.concat([u32(0, 1), entry]),
    stts: u32(0, 1, 100, 1000),
    stsc: u32(0, 1, 1, 100, 1),
    stsz: u32(0, 10, 100),
    stco: u32(0, 1, 40),
    ...tables,
  };
  const stbl = box(
    'stbl',
    Buffer.concat(Object.entries(all).map(([name, content]) => box(name, content))),
  );
  const handler = box('hdlr', Buffer.concat([u32(0, 0), Buffer.from('vide'), Buffer.alloc(13)]));
  const time = box('mdhd', u32(0, 0, 0, 25_000, 0, 0));
  const media = box('mdia', Buffer.concat([time, handler, box('minf', stbl)]));
  const track = box('trak', Buffer.concat([box('tkhd', Buffer.alloc(84)), media]));
  const movie = box('moov', Buffer.concat([box('mvhd', u32(0, 0, 0, 1000, 0)), track]));
  return put(
    'mp4',
    Buffer.concat([box('ftyp', Buffer.from('isom')), box('mdat', Buffer.alloc(2000)), movie]),
  );
}

const answerOf = async (file: string): Promise<TranscodeIndex | TranscodeFailure> => {
  const { host } = createRangeHost();
  const { index } = createTranscoding(createOpenFiles());
  return index({ file: probeFileOf(file, statSync(file).size), state: null }, host);
};

describe('an MP4', () => {
  test('that is right is planned', async () => {
    const answers = await tried(mp4({}));

    expect(answers.map(({ kind }) => kind)).not.toContain('failed');
    expect(answers.length).toBeGreaterThan(2);
  });

  test.each<[string, Readonly<Record<string, Buffer>>]>([
    [
      'announces 2^32 samples of one size',
      { stsz: u32(0, 10, 0xffffffff), stts: u32(0, 1, 0xffffffff, 1) },
    ],
    ['announces 2^32 sizes and has none', { stsz: u32(0, 0, 0xffffffff) }],
    ['has 2^32 samples in a chunk', { stsc: u32(0, 1, 1, 0xffffffff, 1) }],
    ['has chunks without samples', { stsc: u32(0, 1, 1, 0, 1) }],
    ['has chunks in the wrong order', { stsc: u32(0, 2, 5, 1, 1, 2, 1, 1) }],
    ['has fewer chunks than samples', { stsc: u32(0, 1, 1, 1, 1) }],
    ['has samples of 4 GiB', { stsz: u32(0, 0xffffffff, 100) }],
    ['lies behind the end of the file', { stco: u32(0, 1, 0xfffffff0) }],
    ['has key pictures that do not exist', { stss: u32(0, 2, 5000, 0xffffffff) }],
    ['has times that add up to centuries', { stts: u32(0, 1, 100, 0xffffffff) }],
    ['has no times', { stts: u32(0, 0) }],
    ['has shifts of hours', { ctts: u32(0, 1, 100, 0x7fffffff) }],
  ])('that %s is refused or planned within the file', async (_, tables) => {
    const file = mp4(tables);
    const begun = performance.now();

    const answers = await tried(file);

    expect(answers.filter((answer) => !isWithin(answer, statSync(file).size))).toEqual([]);
    expect(performance.now() - begun).toBeLessThan(longestMs);
  });

  test('with boxes without end is refused', async () => {
    const tiny = Buffer.concat(Array.from({ length: 200_000 }, () => box('free', Buffer.alloc(0))));
    const file = put('mp4', Buffer.concat([box('ftyp', Buffer.from('isom')), box('moov', tiny)]));

    expect(await answerOf(file)).toMatchObject({ kind: 'failed', code: 'unsupported' });
  });

  test('without an index is refused', async () => {
    const file = put(
      'mp4',
      Buffer.concat([box('ftyp', Buffer.from('isom')), box('mdat', Buffer.alloc(64))]),
    );

    expect(await answerOf(file)).toMatchObject({ kind: 'failed', code: 'truncated' });
  });
});

test.each(['', 'x', '#EXTM3U\nfile:///etc/passwd\n', '\0'.repeat(100)])(
  'a file that is not media is refused',
  async (content) => {
    expect(await answerOf(put('mkv', content))).toMatchObject({
      kind: 'failed',
      code: 'unsupported',
    });
  },
);
