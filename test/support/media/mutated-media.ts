/** Media files of every common format, broken in ways that break parsers; the same every time. */
import { readFileSync } from 'node:fs';
import { bars, makeMedia, tone } from './media-files.ts';

/** One broken file. */
export interface MutatedFile {
  readonly name: string;
  readonly extension: string;
  readonly bytes: Uint8Array;
}

const sound = (codec: string): readonly string[] => [...tone(1, 22_050), '-c:a', codec];
const film = (...codecs: readonly string[]): readonly string[] => [
  ...bars(1, '64x36', '5'),
  ...tone(1, 22_050),
  '-shortest',
  ...codecs,
];

/** Formats by the type of the library that takes them. */
const formats = {
  movies: {
    mp4: film('-c:v', 'libx264', '-c:a', 'aac'),
    mkv: film('-c:v', 'libx264', '-c:a', 'aac'),
    webm: film('-c:v', 'libvpx', '-c:a', 'libvorbis'),
    avi: film('-c:v', 'mpeg4', '-c:a', 'libmp3lame'),
    ts: film('-c:v', 'libx264', '-c:a', 'aac'),
  },
  music: {
    mp3: sound('libmp3lame'),
    flac: sound('flac'),
    ogg: sound('libvorbis'),
    opus: sound('libopus'),
    m4a: sound('aac'),
    wav: sound('pcm_s16le'),
  },
} as const;

type Random = (below: number) => number;
type Mutation = (bytes: Buffer, random: Random) => Buffer;

const headBytes = 600;

/** Writes over some bytes of the head, at four random places. */
const over =
  (make: (random: Random) => readonly number[]): Mutation =>
  (bytes, random) => {
    for (let times = 0; times < 4; times++) {
      const patch = make(random);
      const at = random(Math.max(1, Math.min(headBytes, bytes.length - patch.length)));
      for (const [index, byte] of patch.entries()) bytes[at + index] = byte;
    }
    return bytes;
  };

/** Boxes and elements in each other, each as large as what is left: ten thousand deep. */
const nest =
  (header: (left: number) => Buffer): Mutation =>
  (bytes) => {
    const depth = 10_000;
    const size = header(0).length;
    const nested = Array.from({ length: depth }, (_, level) => header((depth - level) * size));
    return Buffer.concat([bytes.subarray(0, 32), ...nested]);
  };

function box(left: number): Buffer {
  const header = Buffer.alloc(8);
  header.writeUInt32BE(left);
  header.write('moov', 4);
  return header;
}

/** A SeekHead of Matroska whose every entry says that what it looks for is the SeekHead. */
function cycle(bytes: Buffer): Buffer {
  const seek = Buffer.from('4dbb8b53ab84114d9b7453ac8100', 'hex');
  const head = Buffer.concat([Buffer.from('114d9b74', 'hex'), Buffer.from([0x40, 14 * 9])]);
  const at = Math.max(0, bytes.indexOf(Buffer.from('114d9b74', 'hex')));
  return Buffer.concat([
    bytes.subarray(0, at),
    head,
    ...Array<Buffer>(9).fill(seek),
    bytes.subarray(at),
  ]);
}

const mutations: readonly Mutation[] = [
  over((random) => [random(256)]),
  over((random) => Array.from({ length: 8 }, () => random(256))),
  over(() => [0xff, 0xff, 0xff, 0xff]),
  over(() => [0x7f, 0xff, 0xff, 0xff]),
  over(() => [0, 0, 0, 0]),
  over(() => [0, 0, 0, 1, 0xff, 0xff, 0xff, 0xff]),
  (bytes, random) => bytes.subarray(0, random(bytes.length)),
  (bytes, random) => {
    const at = random(Math.min(headBytes, bytes.length));
    const piece = bytes.subarray(at, at + 64);
    return Buffer.concat([bytes.subarray(0, at), ...Array<Buffer>(500).fill(piece)]);
  },
  nest(box),
  nest(() => Buffer.from('1549a9668f', 'hex')),
  cycle,
  (bytes, random) => Buffer.from(bytes.map(() => random(256))),
];

/** So many broken files for a library of this type. Needs ffmpeg. */
export function mutatedFiles(type: keyof typeof formats, count: number): readonly MutatedFile[] {
  const random = createRandom(count);
  const templates = Object.entries(formats[type]).map(([extension, args]) => ({
    extension,
    bytes: readFileSync(makeMedia(extension, args)),
  }));
  return Array.from({ length: count }, (_, at) => {
    const { extension, bytes } = templates[at % templates.length] ?? {
      extension: '',
      bytes: Buffer.alloc(0),
    };
    const mutate = mutations[Math.floor(at / templates.length) % mutations.length];
    const broken = mutate?.(Buffer.from(bytes), random) ?? bytes;
    return { name: `Broken ${String(at).padStart(4, '0')}`, extension, bytes: broken };
  });
}

/** xorshift32. */
function createRandom(seed: number): Random {
  let state = seed | 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}
