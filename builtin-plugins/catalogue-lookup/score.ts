/** One scorer for all catalogues: how sure it is that an entry is what was asked for. */
import { titleLikeness } from './titles.ts';

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
  const years = yearFactor(question.year, entry.year);
  const durations = durationFactor(question.duration, entry.duration);
  return rounded(best * title ** 2 * years * durations);
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

/** The best entry. Where the second fits about as well, its confidence is too low to be applied. */
export function choose<One>([first, second]: readonly Scored<One>[]): Scored<One> | null {
  if (first === undefined || first.confidence < 0.3) return null;
  const isClear = second === undefined || first.confidence - second.confidence >= clearDistance;
  return isClear ? first : { ...first, confidence: Math.min(first.confidence, unclear) };
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

const rounded = (value: number): number => Math.round(value * 100) / 100;
