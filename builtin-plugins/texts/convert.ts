/** `texts.convert`: a text track as WebVTT, or ASS as it is, in UTF-8. */
import {
  ReaderError,
  type Handler,
  type TextFailure,
  type TextInput,
} from '../../plugin-api/index.ts';
import { decodeText } from '../media-headers/charsets/decode-text.ts';
import type { Cue } from './formats/cue.ts';
import { passAss } from './formats/pass-ass.ts';
import { readCues } from './formats/read-cues.ts';
import { maxMadeBytes } from './limits.ts';
import { readSource } from './source.ts';
import { overBudget, TextError } from './text-error.ts';

/** Converts the text. A fault of the text is part of the answer. */
export const convertText: Handler<TextInput, Uint8Array | TextFailure> = async (input, host) => {
  try {
    return convert(await readSource(input.source, host), input);
  } catch (error) {
    return failureOf(error);
  }
};

/** The text in the form that the input asks for. */
export function convert(bytes: Uint8Array, input: Omit<TextInput, 'source'>): Uint8Array {
  const text = decodeText(bytes, input.language);
  const made =
    input.to === 'ass'
      ? passAss(text, input.shiftMs)
      : writeVtt(shifted(readCues(text, input), input.shiftMs ?? 0));
  const encoded = new TextEncoder().encode(made);
  if (encoded.length > maxMadeBytes) {
    throw overBudget(
      `The converted text has ${encoded.length} bytes; at most ${maxMadeBytes} are sent.`,
    );
  }
  return encoded;
}

const shifted = (cues: readonly Cue[], shiftMs: number): readonly Cue[] =>
  shiftMs === 0
    ? cues
    : cues
        .map((cue) => ({
          ...cue,
          startMs: Math.max(0, cue.startMs + shiftMs),
          endMs: cue.endMs + shiftMs,
        }))
        .filter(({ endMs }) => endMs > 0);

/** A fault of the text as an answer; any other error is thrown. */
export function failureOf(error: unknown): TextFailure {
  if (error instanceof TextError || error instanceof ReaderError) {
    return { kind: 'failed', code: error.code, message: error.message };
  }
  throw error;
}

/** The cues in the order of their times. */
function writeVtt(cues: readonly Cue[]): string {
  const blocks = cues.map(({ startMs, endMs, text, settings }) => {
    const placed = settings === undefined ? '' : ` ${settings}`;
    return `${timestamp(startMs)} --> ${timestamp(endMs)}${placed}\n${text}\n`;
  });
  return ['WEBVTT\n', ...blocks].join('\n');
}

function timestamp(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const clock = [hours, minutes, seconds % 60].map((part) => String(part).padStart(2, '0'));
  return `${clock.join(':')}.${String(ms % 1000).padStart(3, '0')}`;
}
