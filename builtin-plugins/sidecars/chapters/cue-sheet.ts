import { linesOf } from '../texts/lines.ts';
import { toMillisecond, type ChapterMark } from './chapter-times.ts';

/** A cue sheet: the disc, and the tracks of each of its files. */
export interface CueSheet {
  readonly title?: string;
  readonly performer?: string;
  readonly year?: number;
  readonly genre?: string;
  readonly files: readonly CueFile[];
}

/** One `FILE` of a sheet. */
export interface CueFile {
  readonly name: string;
  /** Those with a time. */
  readonly tracks: readonly ChapterMark[];
  readonly trackCount: number;
}

interface Track {
  title?: string;
  performer?: string;
  isrc?: string;
  start?: number;
}

const line = /^([a-z]+)\s+(.*)$/i;

/** Reads a sheet; null when it has no file. */
export function readCueSheet(text: string): CueSheet | null {
  const disc: { title?: string; performer?: string; year?: number; genre?: string } = {};
  const files: { name: string; tracks: Track[] }[] = [];
  let track: Track | undefined;
  for (const row of linesOf(text)) {
    const [, word = '', rest = ''] = line.exec(row) ?? [];
    const file = files.at(-1);
    switch (word.toUpperCase()) {
      case 'FILE':
        files.push({ name: fileName(rest), tracks: [] });
        track = undefined;
        break;
      case 'TRACK':
        track = {};
        file?.tracks.push(track);
        break;
      case 'TITLE':
        (track ?? disc).title ??= unquoted(rest);
        break;
      case 'PERFORMER':
        (track ?? disc).performer ??= unquoted(rest);
        break;
      case 'ISRC':
        if (track) track.isrc ??= rest;
        break;
      case 'INDEX':
        if (track) setStart(track, rest);
        break;
      case 'REM':
        readRemark(disc, rest);
        break;
      default:
    }
  }
  if (files.length === 0) return null;
  return {
    ...disc,
    files: files.map(({ name, tracks }) => ({
      name,
      tracks: toMarks(tracks),
      trackCount: tracks.length,
    })),
  };
}

function fileName(rest: string): string {
  const quoted = /^"([^"]{1,500})"/.exec(rest)?.[1];
  const name = quoted ?? rest.slice(0, Math.max(0, rest.lastIndexOf(' '))).trimEnd();
  return name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
}

const unquoted = (text: string): string => text.replace(/^"|"$/g, '').trim();

/** `01 03:45:67`: minutes, seconds and frames; a second has 75 frames. Index 0 is the gap before. */
function setStart(track: Track, rest: string): void {
  const parts = /^(\d{1,2})\s+(\d{1,4}):(\d{1,2}):(\d{1,2})$/.exec(rest);
  if (parts === null || Number(parts[1]) !== 1) return;
  const [minutes = 0, seconds = 0, frames = 0] = parts.slice(2).map(Number);
  track.start = toMillisecond(minutes * 60 + seconds + frames / 75);
}

function readRemark(disc: { year?: number; genre?: string }, rest: string): void {
  const [, word = '', value = ''] = line.exec(rest) ?? [];
  if (word.toUpperCase() === 'GENRE') disc.genre ??= unquoted(value);
  const year = /^"?(\d{4})\b/.exec(value)?.[1];
  if (word.toUpperCase() === 'DATE' && year !== undefined) disc.year ??= Number(year);
}

function toMarks(tracks: readonly Track[]): ChapterMark[] {
  return tracks.flatMap(({ start, title, performer, isrc }) => {
    if (start === undefined) return [];
    const metadata = { ...(performer && { artist: performer }), ...(isrc && { isrc }) };
    return [{ start, title, metadata }];
  });
}
