/** One scorer for all catalogues: how sure it is that an entry is what was asked for. */
import { peopleLikeness, titleLikeness } from './titles.ts';
import { trackListLikeness, type Track } from './track-list.ts';

/** What is known of the file. */
export interface Question {
  readonly title: string;
  /** Other titles in the name, such as a translated one in brackets. */
  readonly otherTitles?: readonly string[] | undefined;
  readonly year?: number | undefined;
  /** Seconds. */
  readonly duration?: number | undefined;
  /** Ids by provider. */
  readonly ids?: Readonly<Record<string, string>> | undefined;
  /** Artists of an album, authors of a book; an empty list where they should be known and are not. */
  readonly people?: readonly string[] | undefined;
  /** The place in a series of books. */
  readonly volume?: number | undefined;
  /** Tracks of the album that are there. */
  readonly tracks?: readonly Track[] | undefined;
  /** Keys of `Item.metadata` that a catalogue may search with: `artist`, `author`. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}

/** What an entry of a catalogue says of itself. */
export interface Entry {
  readonly title: string;
  /** Titles in other languages, and the original one. */
  readonly otherTitles?: readonly string[] | undefined;
  readonly year?: number | undefined;
  /** Seconds. */
  readonly duration?: number | undefined;
  readonly ids?: Readonly<Record<string, string>> | undefined;
  readonly people?: readonly string[] | undefined;
  readonly volume?: number | undefined;
  readonly tracks?: readonly Track[] | undefined;
}

/** An entry with its confidence. */
export interface Scored<One> {
  readonly entry: One;
  /** 0 to 1. */
  readonly confidence: number;
}

/** Below it the server applies no match, and the item waits for a person. */
export const leastConfidence = 0.6;

/** Two entries whose confidences are closer than this cannot be told apart. */
const clearDistance = 0.1;
const unclear = 0.5;
const byId = 0.99;
const againstId = 0.05;
const best = 0.97;

/** How sure it is that the entry is what was asked for, 0 to 1. */
export function confidenceOf(question: Question, entry: Entry): number {
  const agrees = idsAgree(question.ids, entry.ids);
  if (agrees !== null) return agrees ? byId : againstId;
  const titles = [entry.title, ...(entry.otherTitles ?? [])];
  const asked = [question.title, ...(question.otherTitles ?? [])];
  const title = Math.max(
    ...asked.flatMap((one) => titles.map((other) => titleLikeness(one, other))),
  );
  const tracks = tracksOf(question, entry);
  const years = Math.max(yearFactor(question.year, entry.year), tracks.leastYears);
  const durations = durationFactor(question.duration, entry.duration);
  const people = peopleFactor(question.people, entry.people) * volumeFactor(question, entry);
  return rounded(best * title ** 2 * years * durations * people * tracks.factor);
}

/** The entries with their confidences, best first. */
export function rank<One>(
  question: Question,
  entries: readonly One[],
  describe: (entry: One) => Entry,
): readonly Scored<One>[] {
  return entries
    .map((entry) => ({ entry, confidence: confidenceOf(question, describe(entry)) }))
    .sort((one, other) => other.confidence - one.confidence);
}

/**
 * The best entry, with the confidence that it is right. Where the second fits about as well, it is
 * too low to be applied.
 */
export function choose<One>([first, second]: readonly Scored<One>[]): Scored<One> | null {
  if (first === undefined || first.confidence < 0.3) return null;
  const isClear = second === undefined || first.confidence - second.confidence >= clearDistance;
  const confidence = calibrated(first.confidence);
  return { ...first, confidence: isClear ? confidence : Math.min(confidence, unclear) };
}

/**
 * What the likeness of the best entry means: how many of a hundred with it are right, as the bench
 * `matching` counts them. Of those that are like enough to be applied, most are right.
 */
function calibrated(likeness: number): number {
  if (likeness < leastConfidence) return likeness;
  if (likeness >= best) return Math.max(likeness, byId);
  return rounded(Math.min(byId, 0.9 + ((likeness - leastConfidence) / 0.2) * 0.07));
}

/** Whether it can be applied without a person. */
export const isSure = (scored: Scored<unknown> | null): boolean =>
  (scored?.confidence ?? 0) >= leastConfidence;

/** Whether the first id that both know is the same; `null` when they have none in common. */
function idsAgree(one: Question['ids'], other: Entry['ids']): boolean | null {
  const shared = Object.keys(one ?? {}).find((provider) => other?.[provider] !== undefined);
  return shared === undefined ? null : one?.[shared] === other?.[shared];
}

/** The year of a premiere at a festival is often the one before. */
function yearFactor(asked: number | undefined, found: number | undefined): number {
  if (asked === undefined || found === undefined) return 0.8;
  const distance = Math.abs(asked - found);
  if (distance === 0) return 1;
  return distance === 1 ? 0.85 : distance === 2 ? 0.5 : 0.2;
}

/** Editions and frame rates differ by some minutes. */
function durationFactor(asked: number | undefined, found: number | undefined): number {
  if (asked === undefined || found === undefined || found <= 0) return 1;
  const distance = Math.abs(asked - found);
  if (distance <= Math.max(300, found * 0.08)) return 1;
  return distance <= found * 0.25 ? 0.9 : 0.65;
}

/** Albums and books of one title differ by who made them. */
function peopleFactor(
  asked: readonly string[] | undefined,
  found: readonly string[] | undefined,
): number {
  if (asked === undefined || found === undefined || found.length === 0) return 1;
  if (asked.length === 0) return 0.75;
  const likeness = peopleLikeness(asked, found);
  if (likeness >= 0.9) return 1;
  return likeness >= 0.75 ? 0.85 : likeness >= 0.6 ? 0.6 : 0.3;
}

function volumeFactor({ volume: asked }: Question, { volume: found }: Entry): number {
  return asked === undefined || found === undefined || asked === found ? 1 : 0.3;
}

/**
 * One track proves little. Three that fit prove more than a year, which is often that of a new
 * edition.
 */
function tracksOf(
  { tracks: asked }: Question,
  { tracks: listed }: Entry,
): { readonly factor: number; readonly leastYears: number } {
  const likeness = trackListLikeness(asked, listed);
  if (likeness === undefined || asked === undefined) return { factor: 1, leastYears: 0 };
  if (likeness >= 0.75)
    return { factor: 1, leastYears: asked.length >= 3 ? 0.95 : asked.length === 2 ? 0.7 : 0.5 };
  if (asked.length === 1) return { factor: 0.7, leastYears: 0 };
  return { factor: likeness >= 0.5 ? 0.8 : 0.5, leastYears: 0 };
}

const rounded = (value: number): number => Math.round(value * 100) / 100;
