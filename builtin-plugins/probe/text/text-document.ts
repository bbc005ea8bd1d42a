/** Writes the texts of a track as the document that would stand beside the file. */

/** A text with its times, in milliseconds. */
export interface TimedText {
  readonly startMs: number;
  readonly endMs: number;
  readonly text: string;
}

/** SubRip. */
export function writeSrt(texts: readonly TimedText[]): string {
  return texts
    .map(({ startMs, endMs, text }, at) => {
      const times = `${clock(startMs, 3)} --> ${clock(endMs, 3)}`;
      return `${at + 1}\n${times.replaceAll('.', ',')}\n${text}\n`;
    })
    .join('\n');
}

/** WebVTT; each text may have settings. */
export function writeVtt(texts: readonly (TimedText & { readonly settings?: string })[]): string {
  const cues = texts.map(
    ({ startMs, endMs, text, settings = '' }) =>
      `${clock(startMs, 3)} --> ${clock(endMs, 3)} ${settings}\n${text}\n`,
  );
  return ['WEBVTT\n', ...cues].join('\n');
}

const events =
  '[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text';

/** ASS: the header of the track, and a line for each block, whose first field is its number. */
export function writeAss(header: string, texts: readonly TimedText[]): string {
  const lines = texts.flatMap(({ startMs, endMs, text }) => {
    const [, layer, rest] = /^[^,]*,([^,]*),([\s\S]*)$/.exec(text) ?? [];
    if (layer === undefined || rest === undefined) return [];
    const line = rest.replace(/[\r\n]+/g, '\\N');
    return [`Dialogue: ${layer},${assClock(startMs)},${assClock(endMs)},${line}`];
  });
  const before = header.replace(/\[events\][\s\S]*$/i, '').trimEnd();
  return `${before}\n\n${events}\n${lines.join('\n')}\n`;
}

function clock(ms: number, digits: number): string {
  const seconds = ms / 1000;
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60].map(two);
  return `${parts.join(':')}:${(seconds % 60).toFixed(digits).padStart(3 + digits, '0')}`;
}

const two = (value: number): string => String(value).padStart(2, '0');

function assClock(ms: number): string {
  return clock(Math.round(ms / 10) * 10, 2).replace(/^0(?=\d:)/, '');
}
