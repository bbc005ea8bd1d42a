import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Made once and kept, since an encoder takes longer than all tests that look at its work. */
const kept = path.resolve(import.meta.dirname, '../../../.bench/probe-media');

export const hasFfmpeg = spawnSync('ffmpeg', ['-version'], { stdio: 'ignore' }).status === 0;

/** A picture of moving bars, and a tone. */
export const bars = (seconds = 2, size = '320x180', rate = '24000/1001'): readonly string[] => [
  '-f',
  'lavfi',
  '-i',
  `testsrc=size=${size}:rate=${rate}:duration=${seconds}`,
];
export const tone = (seconds = 2, rate = 48000): readonly string[] => [
  '-f',
  'lavfi',
  '-i',
  `sine=frequency=440:sample_rate=${rate}:duration=${seconds}`,
];

/** The file that ffmpeg makes of these arguments. */
export function makeMedia(extension: string, args: readonly string[]): string {
  const key = createHash('sha256').update(JSON.stringify(args)).digest('hex').slice(0, 20);
  const file = path.join(kept, `${key}.${extension}`);
  if (existsSync(file)) return file;
  mkdirSync(kept, { recursive: true });
  const aside = path.join(kept, `${key}.${process.pid}.${extension}`);
  const quiet = ['-hide_banner', '-loglevel', 'error', '-nostdin', '-y'];
  execFileSync('ffmpeg', [...quiet, ...args, aside], { stdio: ['ignore', 'ignore', 'inherit'] });
  renameSync(aside, file);
  return file;
}

/** A file of these bytes among the kept ones. */
export function keepFile(extension: string, bytes: Uint8Array | string): string {
  const key = createHash('sha256').update(bytes).digest('hex').slice(0, 20);
  const file = path.join(kept, `${key}.${extension}`);
  if (existsSync(file)) return file;
  mkdirSync(kept, { recursive: true });
  writeFileSync(file, bytes);
  return file;
}

/** Chapters and tags in ffmpeg's own form, as an input. */
export function metadataFile(): string {
  return keepFile(
    'txt',
    [
      ';FFMETADATA1',
      'title=Film Title',
      'artist=An Artist',
      'album=The Album',
      'date=2019-03-04',
      'genre=Drama',
      '[CHAPTER]',
      'TIMEBASE=1/1000',
      'START=0',
      'END=700',
      'title=Opening',
      '[CHAPTER]',
      'TIMEBASE=1/1000',
      'START=700',
      'END=2000',
      'title=Das Übrige',
      '',
    ].join('\n'),
  );
}

export const subtitleFile = (): string =>
  keepFile('srt', '1\n00:00:00,100 --> 00:00:01,500\nHello.\n');

export const coverFile = (): string =>
  makeMedia('jpg', [...bars(1, '300x300', '1'), '-frames:v', '1']);

/** Seconds that ffprobe counts. */
export function durationOf(file: string): number {
  const args = ['-v', 'error', '-show_entries', 'format=duration', '-of', 'csv=p=0', file];
  return Math.round(Number(execFileSync('ffprobe', args).toString().trim()) * 1000) / 1000;
}
