/** By how much subtitles come later than they say. It belongs to a file, so it is kept for each, on this device. */
import { signal } from '@preact/signals';

const key = 'captionDelays';
/** Files that are kept: the ones that were changed last. */
const mostKept = 500;
const step = 0.25;

/** Seconds of the file that plays; negative = earlier. */
export const captionDelay = signal(0);
let fileId: string | undefined;

type Delays = readonly (readonly [fileId: string, seconds: number])[];

const isDelay = (one: unknown): one is Delays[number] =>
  Array.isArray(one) && typeof one[0] === 'string' && Number.isFinite(one[1]);

function readDelays(): Delays {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isDelay) : [];
  } catch {
    return [];
  }
}

/** Another file plays: its own delay counts. */
export function delayFor(file: string | undefined): void {
  fileId = file;
  captionDelay.value = readDelays().find(([id]) => id === file)?.[1] ?? 0;
}

/** Moves the subtitles of the file that plays by so many quarters of a second. */
export function delayBy(steps: number): void {
  captionDelay.value = (Math.round(captionDelay.peek() / step) + steps) * step;
  if (fileId === undefined) return;
  const others = readDelays().filter(([id]) => id !== fileId);
  const own: Delays = captionDelay.peek() === 0 ? [] : [[fileId, captionDelay.peek()]];
  localStorage.setItem(key, JSON.stringify([...others, ...own].slice(-mostKept)));
}
