import { toText } from '../findings/finding.ts';
import { linesOf } from '../texts/lines.ts';

const stamps = /^(?:\[(?:\d{1,2}:)?\d{1,3}:\d{1,2}(?:[.:]\d{1,3})?\]\s?)+/;
const wordStamps = /<\d{1,3}:\d{1,2}(?:[.:]\d{1,3})?>\s?/g;
const header = /^\[(?:ti|ar|al|au|by|re|ve|la|tool|length|offset|id|lr)\s*:.{0,500}\]$/i;
const maxLines = 5000;

/** Whether a text is lyrics with times. */
export function hasTimes(text: string): boolean {
  return /^[ \t]*\[\d{1,3}:\d{1,2}/m.test(text.slice(0, 20_000));
}

/** The lyrics of an LRC file as plain text, without times and headers. */
export function plainLyrics(text: string): string | undefined {
  const lines = linesOf(text, maxLines)
    .filter((line) => !header.test(line))
    .map((line) => line.replace(stamps, '').replace(wordStamps, '').trimEnd());
  return toText(lines.join('\n').replace(/\n{3,}/g, '\n\n'));
}
