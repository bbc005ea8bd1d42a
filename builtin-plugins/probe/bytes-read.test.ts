import {
  closeSync,
  ftruncateSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { testByNight } from '../../test/support/run/test-by-night.ts';
import { bars, hasFfmpeg, makeMedia, tone } from '../../test/support/media/media-files.ts';
import { createRangeHost, probeFileOf } from '../../test/support/media/probe-host.ts';
import { probeFiles } from './probe-files.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'vitrine-large-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const hole = 2 ** 32 - (2 ** 32 % 188);
const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac'];

/** Parts one after the other; a number is a gap of so many bytes. */
function writeLarge(extension: string, parts: readonly (Buffer | number)[]): string {
  const file = path.join(folder, `large.${extension}`);
  const descriptor = openSync(file, 'w');
  let at = 0;
  for (const part of parts) {
    if (typeof part === 'number') at += part;
    else {
      writeSync(descriptor, part, 0, part.length, at);
      at += part.length;
    }
  }
  ftruncateSync(descriptor, at);
  closeSync(descriptor);
  return file;
}

const boxHead = (type: string, size: number): Buffer => {
  const head = Buffer.alloc(16);
  head.writeUInt32BE(1);
  head.write(type, 4, 'latin1');
  head.writeBigUInt64BE(BigInt(size), 8);
  return head;
};

function boxOf(bytes: Buffer, type: string): Buffer {
  for (let at = 0; at < bytes.length; at += bytes.readUInt32BE(at)) {
    if (bytes.toString('latin1', at + 4, at + 8) === type) {
      return bytes.subarray(at, at + bytes.readUInt32BE(at));
    }
  }
  throw new Error(`no ${type}`);
}

function largeMp4(isIndexInFront: boolean): string {
  const bytes = readFileSync(makeMedia('mp4', [...bars(), ...tone(), ...h264]));
  const media = [boxHead('mdat', hole + 16), hole];
  const index = [boxOf(bytes, 'moov')];
  return writeLarge('mp4', [
    boxOf(bytes, 'ftyp'),
    ...(isIndexInFront ? [...index, ...media] : [...media, ...index]),
  ]);
}

function largeMatroska(): string {
  const bytes = Buffer.from(readFileSync(makeMedia('mkv', [...bars(), ...tone(), ...h264])));
  const gap = Buffer.from([0xec, 0x01, 0, 0, 0, 0, 0, 0, 0]);
  gap.writeUIntBE(hole, 3, 6);
  const size = bytes.indexOf(Buffer.from('18538067', 'hex')) + 4;
  bytes.writeUIntBE(bytes.readUIntBE(size + 2, 6) + gap.length + hole, size + 2, 6);
  return writeLarge('mkv', [bytes, gap, hole]);
}

async function cost(file: string) {
  const { size } = statSync(file);
  const { host, asked } = createRangeHost();
  const input = { libraryId: 'l', libraryType: 'movies', files: [probeFileOf(file, size)] };
  const { results } = await probeFiles(input, host);
  return { outcome: results[0], size, ...asked };
}

describe.skipIf(!hasFfmpeg)('what a probe reads (needs ffmpeg)', () => {
  test.each([
    ['MP4 with its index in front', () => largeMp4(true), 64 * 1024],
    ['MP4 with its index behind', () => largeMp4(false), 192 * 1024],
    ['Matroska file', largeMatroska, 192 * 1024],
  ])('is a few blocks of a large %s', async (_, make, atMost) => {
    const { outcome, bytes, size } = await cost(make());

    expect(outcome).toMatchObject({
      kind: 'read',
      report: { streams: [{ codec: 'h264', frameRate: 23.976 }, { codec: 'aac' }] },
    });
    expect(size).toBeGreaterThan(4e9);
    expect(bytes).toBeLessThanOrEqual(atMost);
  });

  test('is at most 1 MiB of a large transport stream', async () => {
    const bytes = readFileSync(makeMedia('ts', [...bars(), ...tone(), ...h264]));

    const found = await cost(writeLarge('ts', [bytes, hole, bytes]));

    expect(found.outcome).toMatchObject({
      kind: 'read',
      report: { duration: expect.closeTo(2, 0) },
    });
    expect(found.bytes).toBeLessThanOrEqual(1024 * 1024);
  });

  testByNight('is one host call for a batch of small files', async () => {
    const kinds: readonly (readonly [string, readonly string[]])[] = [
      ['mp4', [...bars(1, '64x36', '5'), '-c:v', 'libx264', '-pix_fmt', 'yuv420p']],
      ['mkv', [...bars(1, '64x36', '5'), '-c:v', 'libx264', '-pix_fmt', 'yuv420p']],
      ['avi', [...bars(1, '64x36', '5'), '-c:v', 'mpeg4']],
      ['mp3', [...tone(1), '-c:a', 'libmp3lame', '-b:a', '32k', '-metadata', 'title=T']],
      ['flac', [...tone(1, 8000), '-c:a', 'flac']],
      ['ogg', [...tone(1), '-c:a', 'libvorbis']],
      ['wav', [...tone(1, 8000)]],
      ['aac', [...tone(1), '-c:a', 'aac', '-b:a', '32k']],
    ];
    const made = kinds.map(([extension, args]) => makeMedia(extension, args));
    const files = Array.from({ length: 32 }, (_, at) => made[at % made.length] ?? '').map((file) =>
      probeFileOf(file, statSync(file).size),
    );
    const { host, asked } = createRangeHost();

    const { results } = await probeFiles({ libraryId: 'l', libraryType: 'movies', files }, host);

    expect(results.map(({ kind }) => kind)).toEqual(files.map(() => 'read'));
    expect(asked.calls).toBe(1);
    expect(asked.bytes).toBe(files.reduce((sum, { size }) => sum + size, 0));
  });
});
