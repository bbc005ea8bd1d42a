/** `texts.lyrics`: the lines of lyrics, with their times if they have some. */
import type { Handler, LyricsInput, LyricsResult, TextFailure } from '../../plugin-api/index.ts';
import { decodeText } from '../media-headers/charsets/decode-text.ts';
import { failureOf } from './convert.ts';
import { readPlain, readSynced } from './formats/lrc.ts';
import { readSource } from './source.ts';
import { malformed } from './text-error.ts';

/** Reads the lyrics. A fault of the text is part of the answer. */
export const readLyrics: Handler<LyricsInput, LyricsResult | TextFailure> = async (
  { source, language },
  host,
) => {
  try {
    return lyricsOf(decodeText(await readSource(source, host), language));
  } catch (error) {
    return failureOf(error);
  }
};

/** Several lines with a single time are not synchronised: it is the start of all. */
export function lyricsOf(text: string): LyricsResult {
  const synced = readSynced(text);
  if (synced.length === 1 || new Set(synced.map(({ startMs }) => startMs)).size > 1) {
    return { kind: 'made', synced: true, lines: synced };
  }
  const lines = readPlain(text);
  if (lines.length === 0) throw malformed('The lyrics are empty.');
  return { kind: 'made', synced: false, lines };
}
