/** What one text may cost. */
import { overBudget } from './text-error.ts';

/** Bytes of a text before it is converted. The subtitles of a long film have some 200 KiB. */
export const maxBytes = 16 * 1024 * 1024;
export const maxMadeBytes = 6 * 1024 * 1024;
export const maxCues = 50_000;
/** Characters of one cue; the rest of it is left out. */
export const maxCueLength = 4000;
/** Milliseconds that converting may take. */
const maxMs = 5000;

const stepsPerLook = 512;

/** Returns a check, to be called in each step, that throws once converting has taken too long. */
export function createDeadline(): () => void {
  const end = Date.now() + maxMs;
  let steps = 0;
  return () => {
    steps += 1;
    if (steps % stepsPerLook === 0 && Date.now() > end) {
      throw overBudget(`Converting it takes more than ${maxMs / 1000} seconds.`);
    }
  };
}

/** Refuses a text that is too large before it is read. */
export function checkBytes(bytes: number): void {
  if (bytes <= maxBytes) return;
  throw overBudget(`The text has ${bytes} bytes; at most ${maxBytes} are converted.`);
}

/** Refuses a text with too many cues. */
export function checkCues(count: number): void {
  if (count <= maxCues) return;
  throw overBudget(`The text has more than ${maxCues} cues.`);
}
