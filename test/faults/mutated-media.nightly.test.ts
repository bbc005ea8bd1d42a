import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ProbeFile, ProbeOutcome } from '../../plugin-api/index.ts';
import {
  bars,
  coverFile,
  hasFfmpeg,
  makeMedia,
  metadataFile,
  tone,
} from '../support/media/media-files.ts';
import { probeFileOf } from '../support/media/probe-host.ts';
import { startProbe, type SandboxedProbe } from '../support/media/sandboxed-probe.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'vitrine-mutated-'));
let probe: SandboxedProbe;

beforeAll(async () => {
  probe = await startProbe('probe');
});
afterAll(async () => {
  await probe.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Numbers that look random and are the same in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function samples(): readonly (readonly [string, Buffer])[] {
  const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];
  const both = [...bars(1), ...tone(1)];
  const made = [
    makeMedia('mp4', [...both, '-i', metadataFile(), '-map_chapters', '2', ...h264, '-c:a', 'aac']),
    makeMedia('mp4', [...both, ...h264, '-c:a', 'aac', '-movflags', 'frag_keyframe+empty_moov']),
    makeMedia('mkv', [
      ...[...both, '-i', metadataFile(), '-map', '0', '-map', '1', '-map_chapters', '2', ...h264],
      ...['-c:a', 'aac', '-attach', coverFile(), '-metadata:s:t', 'mimetype=image/jpeg'],
    ]),
    makeMedia('mkv', [...bars(1), '-c:v', 'libx265', '-x265-params', 'log-level=none']),
    makeMedia('ts', [...both, ...h264, '-c:a', 'aac']),
    makeMedia('avi', [...both, '-c:v', 'mpeg4', '-c:a', 'libmp3lame']),
    makeMedia('mp3', [
      ...[...tone(1), '-i', coverFile(), '-map', '0', '-map', '1', '-c:v', 'copy'],
      ...['-c:a', 'libmp3lame', '-metadata', 'title=T', '-disposition:v', 'attached_pic'],
    ]),
    makeMedia('flac', [...tone(1), '-c:a', 'flac', '-metadata', 'title=T']),
    makeMedia('ogg', [...tone(1), '-c:a', 'libvorbis', '-metadata', 'title=T']),
    makeMedia('opus', [...tone(1), '-c:a', 'libopus', '-metadata', 'title=T']),
    makeMedia('wav', [...tone(1), '-metadata', 'title=T']),
    makeMedia('aac', [...tone(1), '-c:a', 'aac']),
    makeMedia('m4b', [
      ...tone(1),
      '-i',
      metadataFile(),
      '-map',
      '0',
      '-map_chapters',
      '1',
      '-f',
      'ipod',
    ]),
    coverFile(),
    makeMedia('png', ['-i', coverFile()]),
    makeMedia('webp', ['-i', coverFile()]),
    makeMedia('tiff', ['-i', coverFile()]),
  ];
  const book = zipSync({
    'META-INF/container.xml': Buffer.from('<rootfile full-path="a.opf"/>'),
    'a.opf': Buffer.from('<package><dc:title>T</dc:title><item href="c.jpg"/></package>'),
    'page 1.jpg': readFileSync(coverFile()),
  });
  return [
    ...made.map((file) => [path.extname(file).slice(1), readFileSync(file)] as const),
    ['epub', Buffer.from(book)],
    ['cbz', Buffer.from(book)],
  ];
}

let written = 0;

function keep(extension: string, bytes: Uint8Array): ProbeFile {
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, `${written++}.${extension}`);
  writeFileSync(file, bytes);
  return probeFileOf(file, bytes.length);
}

/** Probes in batches of 32, and how long the longest batch took. */
async function probeAll(files: readonly ProbeFile[]) {
  const outcomes: ProbeOutcome[] = [];
  let slowestMs = 0;
  for (let at = 0; at < files.length; at += 32) {
    const from = performance.now();
    outcomes.push(...(await probe.probe(files.slice(at, at + 32))));
    slowestMs = Math.max(slowestMs, performance.now() - from);
  }
  return { outcomes, slowestMs };
}

const isAnswer = (outcome: ProbeOutcome): boolean =>
  outcome.kind === 'read' || (outcome.kind === 'failed' && outcome.message !== '');

describe.skipIf(!hasFfmpeg)('mutated media in a real isolate (needs ffmpeg)', () => {
  test('a thousand files with wrong bytes each get an answer, and the isolate lives on', async () => {
    const all = samples();
    const below = numbers(7);
    const files = Array.from({ length: 1000 }, (_, index) => {
      const [extension, bytes] = all[index % all.length] ?? ['mp4', Buffer.alloc(0)];
      const mutated = Buffer.from(bytes);
      // Headers are where harm is done: most of the wrong bytes are near an end.
      for (let count = 1 + below(12); count > 0; count--) {
        const near = below(Math.min(4096, mutated.length));
        const at = below(3) === 0 ? mutated.length - 1 - near : near;
        mutated.writeUInt8([0, 1, 0x7f, 0x80, 0xff, below(256)][below(6)] ?? 0, at);
      }
      return keep(extension, mutated);
    });

    const { outcomes, slowestMs } = await probeAll(files);

    expect(outcomes.filter((outcome) => !isAnswer(outcome))).toEqual([]);
    expect(slowestMs).toBeLessThan(10_000);
    const whole = all.map(([extension, bytes]) => keep(extension, bytes));
    expect((await probeAll(whole)).outcomes.map(({ kind }) => kind)).toEqual(
      whole.map(() => 'read'),
    );
  });

  test('files that are cut at many places are read or said to be truncated or malformed', async () => {
    const files = samples().flatMap(([extension, bytes]) =>
      Array.from({ length: 24 }, (_, cut) =>
        keep(extension, bytes.subarray(0, Math.floor((bytes.length * cut) / 24))),
      ),
    );

    const { outcomes } = await probeAll(files);

    const codes = new Set(outcomes.map((one) => (one.kind === 'failed' ? one.code : one.kind)));
    expect([...codes].filter((code) => !['read', 'truncated', 'malformed'].includes(code))).toEqual(
      [],
    );
  });

  test.each(['mp4', 'mkv', 'avi', 'wav', 'mp3'])(
    'half of a .%s file is said to be truncated',
    async (extension) => {
      const [, bytes] = samples().find(([one]) => one === extension) ?? ['', Buffer.alloc(0)];
      const half = keep(extension, bytes.subarray(0, Math.floor(bytes.length / 2)));

      const [outcome] = await probe.probe([half]);

      expect(outcome).toMatchObject({ kind: 'failed', code: 'truncated' });
    },
  );
});

const box = (type: string, size: number, body = Buffer.alloc(0)): Buffer => {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(size);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, body]);
};
const sized = (type: string, ...parts: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  return box(type, body.length + 8, body);
};
const start = sized('ftyp', Buffer.from('isom\0\0\0\0isom'));

/** Boxes in boxes, so many deep. */
function nested(depth: number): Buffer {
  let inner = Buffer.alloc(0);
  for (let level = 0; level < depth; level++) inner = sized('meta', inner) as Buffer<ArrayBuffer>;
  return inner;
}

function element(id: number, body: Buffer, size = body.length): Buffer {
  const name = Buffer.from(
    id.toString(16).padStart(id > 0xff ? (id > 0xffff ? 8 : 4) : 2, '0'),
    'hex',
  );
  const length = Buffer.alloc(8);
  length.writeBigUInt64BE(BigInt(size));
  length.writeUInt8(1, 0);
  return Buffer.concat([name, length, body]);
}
const ebml = element(0x1a45dfa3, element(0x4282, Buffer.from('matroska')));
const seekTo = (id: string, place: number): Buffer => {
  const position = Buffer.alloc(4);
  position.writeUInt32BE(place);
  return element(
    0x4dbb,
    Buffer.concat([element(0x53ab, Buffer.from(id, 'hex')), element(0x53ac, position)]),
  );
};

const liars: readonly (readonly [string, string, Buffer])[] = [
  ['an MP4 whose index says it is 4 GB', 'mp4', Buffer.concat([start, box('moov', 0xffffffff)])],
  [
    'an MP4 whose box has no length',
    'mp4',
    Buffer.concat([start, box('moov', 4), Buffer.alloc(64)]),
  ],
  [
    'an MP4 whose long box leads back',
    'mp4',
    Buffer.concat([
      start,
      box('free', 1),
      Buffer.from('ffffffffffffffff', 'hex'),
      Buffer.alloc(64),
    ]),
  ],
  ['an MP4 of boxes in boxes', 'mp4', Buffer.concat([start, sized('moov', nested(5000))])],
  [
    'an MP4 of two hundred thousand empty boxes',
    'mp4',
    Buffer.concat([start, ...Array.from({ length: 200_000 }, () => box('free', 8))]),
  ],
  [
    'a Matroska file whose list of places leads to itself',
    'mkv',
    Buffer.concat([
      ebml,
      element(
        0x18538067,
        element(0x114d9b74, Buffer.concat([seekTo('114d9b74', 0), seekTo('1549a966', 0)])),
      ),
    ]),
  ],
  [
    'a Matroska file whose tracks are said to be a terabyte',
    'mkv',
    Buffer.concat([
      ebml,
      element(0x18538067, element(0x1654ae6b, Buffer.alloc(16), 2 ** 40), 2 ** 41),
    ]),
  ],
  [
    'a Matroska file of nothing but voids',
    'mkv',
    Buffer.concat([
      ebml,
      element(
        0x18538067,
        Buffer.concat(Array.from({ length: 50_000 }, () => Buffer.from([0xec, 0x80]))),
      ),
    ]),
  ],
  [
    'an AVI of chunks without length',
    'avi',
    Buffer.concat([Buffer.from('RIFF\xff\xff\xff\xffAVI ', 'latin1'), Buffer.alloc(500_000)]),
  ],
  [
    'an Ogg of pages that never end a packet',
    'ogg',
    Buffer.concat(
      Array.from({ length: 2000 }, () =>
        Buffer.concat([
          Buffer.from('OggS'),
          Buffer.alloc(22),
          Buffer.from([1, 255]),
          Buffer.alloc(255),
        ]),
      ),
    ),
  ],
  [
    'an MP3 of tags in front of tags',
    'mp3',
    Buffer.concat(Array.from({ length: 5000 }, () => Buffer.from('ID3\x04\0\0\0\0\0\0', 'latin1'))),
  ],
  ['a transport stream of marks alone', 'ts', Buffer.alloc(600_000, 0x47)],
  [
    'a TIFF whose directories go in a circle',
    'tiff',
    Buffer.concat([
      Buffer.from('II*\0\x08\0\0\0', 'latin1'),
      Buffer.from([0, 0, 8, 0, 0, 0]),
      Buffer.alloc(100),
    ]),
  ],
  [
    'a PDF whose tables refer to each other',
    'pdf',
    Buffer.from(
      '%PDF-1.4\nxref\n0 1\n0000000000 65535 f \ntrailer\n<</Root 1 0 R/Prev 9/XRefStm 9>>\nstartxref\n9\n%%EOF',
    ),
  ],
  [
    'a PDF object that refers to itself',
    'pdf',
    Buffer.from(
      '%PDF-1.4\n1 0 obj\n1 0 R\nendobj\nxref\n0 2\n0000000000 65535 f \n0000000009 00000 n \ntrailer\n<</Root 1 0 R>>\nstartxref\n31\n%%EOF',
    ),
  ],
  [
    'a PDF of brackets alone',
    'pdf',
    Buffer.from(`%PDF-1.4\ntrailer${'<<'.repeat(40_000)}startxref\n9\n%%EOF`),
  ],
  [
    'an archive whose list is beyond its end',
    'cbz',
    Buffer.concat([
      Buffer.from('PK\x03\x04'),
      Buffer.alloc(60),
      Buffer.from(
        'PK\x05\x06\0\0\0\0\xff\xff\xff\xff\xff\xff\xff\x7f\xff\xff\xff\x7f\0\0',
        'latin1',
      ),
    ]),
  ],
  ['a page of a web site', 'mkv', Buffer.from('<html><body>404 Not Found</body></html>\n')],
  ['an empty file', 'mp4', Buffer.alloc(0)],
];

describe('lying media in a real isolate', () => {
  test.each(liars)(
    '%s is its own failure and costs its neighbour nothing',
    async (_, extension, bytes) => {
      const good = keep('gif', Buffer.from('GIF89a\x05\0\x07\0\0\0\0', 'latin1'));
      const from = performance.now();

      const [liar, neighbour] = await probe.probe([keep(extension, bytes), good]);

      expect(liar).toEqual({
        kind: 'failed',
        code: expect.stringMatching(/^(malformed|truncated|over-budget)$/),
        message: expect.stringMatching(/^[A-Z].{5,150}\.$/),
      });
      expect(neighbour).toMatchObject({ kind: 'read', report: { container: 'gif' } });
      expect(performance.now() - from).toBeLessThan(5000);
    },
  );

  test('a batch of files that would each fill the memory is answered', async () => {
    const tiny = (id: number, count: number): Buffer =>
      Buffer.concat(Array.from({ length: count }, () => Buffer.from([id, 0x80])));
    const tracks = element(0x1654ae6b, tiny(0xae, 300_000));
    const files = Array.from({ length: 32 }, () =>
      keep('mkv', Buffer.concat([ebml, element(0x18538067, tracks)])),
    );
    const from = performance.now();

    const outcomes = await probe.probe(files);

    expect(outcomes.every(isAnswer)).toBe(true);
    expect(performance.now() - from).toBeLessThan(20_000);
  });

  test('a file that is gone is unreadable', async () => {
    const [outcome] = await probe.probe([probeFileOf(path.join(folder, 'gone.mkv'), 5000)]);

    expect(outcome).toMatchObject({ kind: 'failed', code: 'unreadable' });
  });

  test('no liar ended the isolate', () => {
    expect(probe.plugin.sandbox.usage().timeouts).toBe(0);
    expect(probe.plugin.logs).toEqual([]);
  });
});
