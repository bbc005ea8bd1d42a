/** Writes WebVTT: https://www.w3.org/TR/webvtt1/. */
import type { Cue } from './formats/cue.ts';

/** The cues in the order of their times. */
export function writeVtt(cues: readonly Cue[]): string {
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
