/** Lists of tracks: how well the files of an album fit what a catalogue lists. */
import { titleLikeness } from './titles.ts';

/** One track; `duration` in seconds. */
export interface Track {
  readonly title?: string | undefined;
  readonly disc?: number | undefined;
  readonly track?: number | undefined;
  readonly duration?: number | undefined;
}

/** A track with how well it fits, 0 to 1. */
export interface NearTrack<One extends Track> {
  readonly track: One;
  readonly likeness: number;
}

/** The track that fits best; of two that fit equally, the one in the same place. */
export function nearestTrack<One extends Track>(
  asked: Track,
  tracks: readonly One[],
): NearTrack<One> | undefined {
  const near = tracks.map((track) => ({ track, likeness: likenessOf(asked, track) }));
  const rankOf = ({ track, likeness }: NearTrack<One>): number =>
    likeness + (isSamePlace(asked, track) ? 0.1 : 0);
  return near.toSorted((one, other) => rankOf(other) - rankOf(one))[0];
}

/** How well some tracks of an album fit the list, 0 to 1; `undefined` when either is unknown. */
export function trackListLikeness(
  asked: readonly Track[] = [],
  listed: readonly Track[] = [],
): number | undefined {
  if (asked.length === 0 || listed.length === 0) return undefined;
  const sum = asked.reduce((all, one) => all + (nearestTrack(one, listed)?.likeness ?? 0), 0);
  return sum / asked.length;
}

/** Titles that a program gives, such as "Track 01". */
const placeholder = /^(?:(?:audio ?)?track|titel|piste|pista|traccia)?[ .#_-]*\d{0,3}$/i;

/** By title and length; a file without a title by its place and its length. */
function likenessOf(asked: Track, listed: Track): number {
  const length = lengthLikeness(asked.duration, listed.duration);
  if (asked.title === undefined || placeholder.test(asked.title.trim())) {
    return isSamePlace(asked, listed) ? (length ?? 0) * 0.9 : 0;
  }
  const title = listed.title === undefined ? 0 : titleLikeness(asked.title, listed.title);
  return length === undefined ? title : title * 0.6 + length * 0.4;
}

/** Pressings and gaps between tracks differ by some seconds. */
function lengthLikeness(asked: number | undefined, listed: number | undefined): number | undefined {
  if (asked === undefined || listed === undefined) return undefined;
  const distance = Math.abs(asked - listed);
  if (distance <= 5) return 1;
  return distance <= 15 ? 0.6 : 0;
}

const isSamePlace = (one: Track, other: Track): boolean =>
  one.track !== undefined && one.track === other.track && (one.disc ?? 1) === (other.disc ?? 1);
