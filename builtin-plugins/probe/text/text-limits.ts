/** What the texts of one track may be: they are in memory until their document is written. */
import { ProbeError } from '../../media-headers/bytes/probe-error.ts';

/** The most texts of a track. */
export const mostTexts = 50_000;

/** Refuses a track with more texts than any film. */
export const tooMany = (): ProbeError =>
  new ProbeError('over-budget', `The track has more than ${mostTexts} texts.`);

const mostBytes = 8 * 1024 * 1024;

/** Counts the bytes of the texts of one track, before they are read. Throws `over-budget`. */
export type SpendText = (bytes: number) => void;

/** Starts with nothing spent. */
export function createTextBudget(): SpendText {
  let spent = 0;
  return (bytes) => {
    spent += bytes;
    if (spent <= mostBytes) return;
    throw new ProbeError(
      'over-budget',
      `The texts of the track have more than ${mostBytes} bytes.`,
    );
  };
}
