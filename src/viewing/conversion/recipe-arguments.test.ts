import { describe, expect, test } from 'vitest';
import type { AudioRecipe, VideoRecipe } from '../../../plugin-api/index.ts';
import { demuxerOf } from './demuxers.ts';
import { RecipeRefused, type ConvertedStream } from './argument-parts.ts';
import { audioArguments, videoArguments, type PictureWork } from './recipe-arguments.ts';
import { escapeTest } from './test-arguments.ts';

const film: ConvertedStream = { url: 'file:/in', container: 'matroska', ordinal: 0 };
const sound: AudioRecipe = { codec: 'aac', channels: 2, kbps: 192, gainDb: 0 };
const picture: VideoRecipe = {
  ...{ codec: 'h264', height: 720, kbps: 4000 },
  ...{ toneMap: false, deinterlace: false, burn: null },
};
const stretch = { from: 2_000_000, to: 6_000_000 };
const work = {
  stretch,
  cuts: [2_000_000, 4_000_000],
  threads: 2,
  transfer: 'pq',
  burn: null,
} as const;

/** What a plugin that ignores the types could send. */
const hostileSound: readonly Readonly<Record<string, unknown>>[] = [
  { codec: 'aac -f tee /etc/x' },
  { codec: '__proto__' },
  { codec: 'constructor' },
  { codec: ['aac'] },
  { channels: '2;rm' },
  { channels: 0 },
  { channels: 2.5 },
  { kbps: '192k -attach /etc/passwd' },
  { kbps: Number.POSITIVE_INFINITY },
  { gainDb: '0,amovie=/etc/passwd' },
  { gainDb: Number.NaN },
  { gainDb: 25 },
];

const hostilePicture: readonly Readonly<Record<string, unknown>>[] = [
  { codec: 'rawvideo' },
  { codec: 'toString' },
  { height: '720,movie=/etc/passwd' },
  { height: 10_000 },
  { kbps: -1 },
  { kbps: '1k' },
  { burn: 3 },
  { burn: 'subtitles=/etc/passwd' },
];

describe('arguments of a transcoder', () => {
  test.each(hostileSound)('are not made of sound with $codec $channels $kbps $gainDb', (part) => {
    const recipe = { ...sound, ...part } as AudioRecipe;

    expect(() => audioArguments(film, recipe, stretch)).toThrow(RecipeRefused);
  });

  test.each(hostilePicture)('are not made of a picture with $codec $height $kbps $burn', (part) => {
    const recipe = { ...picture, ...part } as VideoRecipe;

    expect(() => videoArguments(film, recipe, work)).toThrow(RecipeRefused);
  });

  test.each([null, 'hls', 'concat', 'lavfi', 'matroska,hls', 'constructor', '-i', ''])(
    'are not made for the container %s',
    (container) => {
      expect(demuxerOf(container)).toBeNull();
      expect(() => audioArguments({ ...film, container }, sound, stretch)).toThrow(RecipeRefused);
    },
  );

  test.each([{ ordinal: -1 }, { ordinal: 1.5 }, { ordinal: '0 -i /etc/passwd' }])(
    'are not made for the stream %j',
    (part) => {
      const stream = { ...film, ...part } as ConvertedStream;

      expect(() => audioArguments(stream, sound, stretch)).toThrow(RecipeRefused);
    },
  );

  test.each([{ cuts: ['0,movie=x'] }, { cuts: [Number.NaN] }, { threads: '2 -y' }])(
    'are not made for the work %j',
    (part) => {
      const hostile = { ...work, ...part } as unknown as PictureWork;

      expect(() => videoArguments(film, picture, hostile)).toThrow(RecipeRefused);
    },
  );

  test('open the one input with the one reader that the probe found, and no other protocol', () => {
    for (const args of [
      audioArguments(film, sound, stretch),
      videoArguments(film, picture, work),
    ]) {
      expect(args.filter((one) => one === '-i')).toHaveLength(1);
      expect(args[args.indexOf('-i') + 1]).toBe('file:/in');
      expect(args[args.indexOf('-protocol_whitelist') + 1]).toBe('file,pipe');
      expect(args[args.indexOf('-format_whitelist') + 1]).toBe('matroska');
      expect(args).toContain('-nostdin');
      expect(args.at(-1)).toBe('pipe:1');
      expect(args.join(' ')).not.toMatch(/movie=|subtitles=|-attach|tee|-safe|https?:/);
    }
  });

  test('begin a seek a little before the sound, and exactly at the picture', () => {
    const ofSound = audioArguments(film, sound, stretch);
    const ofPicture = videoArguments(film, picture, work);

    expect(ofSound[ofSound.indexOf('-ss') + 1]).toBe('1800000us');
    expect(ofPicture[ofPicture.indexOf('-ss') + 1]).toBe('2000000us');
    expect(ofPicture[ofPicture.indexOf('-force_key_frames') + 1]).toBe('2000000us,4000000us');
  });

  test('of the test of the cage take absolute paths only', () => {
    expect(() => escapeTest('-i')).toThrow(RecipeRefused);
  });
});
