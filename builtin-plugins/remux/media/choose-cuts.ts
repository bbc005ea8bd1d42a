/**
 * Where segments begin: at a key picture two seconds after the last cut; the first three cuts as soon
 * as one second, so that a film starts quickly. All tracks and qualities have the same cuts.
 */
import { mostCuts, overBudget } from '../limits.ts';

const usualSeconds = 2;
const firstSeconds = 1;
const firstCuts = 3;
/** Times of some containers are whole milliseconds. */
const tolerance = 0.001;

/** Says of each key picture, in their order, whether it becomes a cut after the known ones. */
export function cutFilter(known: readonly number[] = []): (seconds: number) => boolean {
  let count = known.length;
  let last = known.at(-1) ?? -Infinity;
  return (seconds) => {
    const least = count <= firstCuts ? firstSeconds : usualSeconds;
    if (seconds - last < least - tolerance) return false;
    last = seconds;
    if (++count > mostCuts) throw overBudget(`The file has more than ${mostCuts} segments.`);
    return true;
  };
}

/** The places in an ascending list of seconds that become cuts; the first one always does. */
export function chooseCuts(times: ArrayLike<number>): readonly number[] {
  const isCut = cutFilter();
  return Array.from(times, (_, place) => place).filter((place) => isCut(times[place] ?? 0));
}

const soundSeconds = 6;

/** The cuts of a file without pictures, where any place will do. */
export function soundCuts(duration: number): Float64Array {
  if (duration / soundSeconds > mostCuts) {
    throw overBudget(`The file has more than ${mostCuts} segments.`);
  }
  const cuts: number[] = [];
  for (let at = 0; at < duration;) {
    cuts.push(at);
    at += cuts.length <= firstCuts ? usualSeconds : soundSeconds;
  }
  return Float64Array.from(cuts.length === 0 ? [0] : cuts);
}
