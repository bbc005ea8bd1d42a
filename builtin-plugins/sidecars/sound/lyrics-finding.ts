import type { BundleSubtitle } from '../../../plugin-api/index.ts';
import { source, type Finding, toText } from '../findings/finding.ts';
import type { Text } from '../item/text-kind.ts';
import { readSubtitleName } from '../subtitles/subtitle-name.ts';
import { linesOf } from '../texts/lines.ts';

/** Lyrics as a field and, if they have times, as a subtitle. */
export function readLyrics({ neighbour, media, rest }: Text, text: string): Finding {
  const lyrics = plainLyrics(text);
  if (lyrics === undefined) return {};
  const { language } = readSubtitleName(rest);
  const subtitle: BundleSubtitle = {
    type: 'external',
    ...(language !== undefined && { language }),
    format: 'lrc',
    uri: neighbour.file.uri,
    source,
    ...(media !== undefined && { mediaFileUri: media.file.uri }),
  };
  return { fields: { lyrics }, ...(hasTimes(text) && { subtitles: [subtitle] }) };
}

const stamps = /^(?:\[(?:\d{1,2}:)?\d{1,3}:\d{1,2}(?:[.:]\d{1,3})?\]\s?)+/;
const wordStamps = /<\d{1,3}:\d{1,2}(?:[.:]\d{1,3})?>\s?/g;
const header = /^\[(?:ti|ar|al|au|by|re|ve|la|tool|length|offset|id|lr)\s*:.{0,500}\]$/i;
const maxLines = 5000;

/** Whether a text is lyrics with times. */
function hasTimes(text: string): boolean {
  return /^[ \t]*\[\d{1,3}:\d{1,2}/m.test(text.slice(0, 20_000));
}

/** The lyrics of an LRC file as plain text, without times and headers. */
function plainLyrics(text: string): string | undefined {
  const lines = linesOf(text, maxLines)
    .filter((line) => !header.test(line))
    .map((line) => line.replace(stamps, '').replace(wordStamps, '').trimEnd());
  return toText(lines.join('\n').replace(/\n{3,}/g, '\n\n'));
}
