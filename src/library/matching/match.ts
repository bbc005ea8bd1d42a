/**
 * The match of an item, by plugin. A person's choice stays until the person changes it: no later
 * answer of a plugin replaces it. A plugin's guess below `leastConfidence` is stored as a candidate
 * and not written to the item.
 */

import { parseKept, type Offer } from '../catalogue/commit/index.ts';

/** The confidence from which an automatic match is applied. */
export const leastConfidence = 0.6;

/** A match, from a plugin or chosen by a person among its candidates. */
export interface Match {
  /** The plugin's id for the match; `null` if a user rejected all candidates. */
  readonly id: string | null;
  /** A person chose it. */
  readonly manual: boolean;
  /** 0 to 1; `null` if unknown. */
  readonly confidence: number | null;
  /** The plugin's title, for an automatic match. */
  readonly title: string | null;
  /** Unix milliseconds. */
  readonly matchedAt: number;
  /** What else it may be, and the guess itself; only with a guess that is not applied. */
  readonly candidates?: readonly Offer[];
}

/** The matches of an item, by plugin. */
export type Matches = Readonly<Record<string, Match>>;

/** What a plugin is asked about an item. */
export interface MatchQuestion {
  /** False when a person rejected all candidates of the plugin. */
  readonly isAsked: boolean;
  /** A person's choice, as `IndexFile.match`. */
  readonly match?: { readonly id: string };
}

/** The parts of a plugin's answer that decide the match. */
export interface MatchAnswer {
  /** `null` = the plugin does not know the item, or is not sure. */
  readonly answer: {
    readonly title: string;
    readonly confidence?: number;
    readonly match?: { readonly id: string };
  } | null;
  /** What it may be, best first. */
  readonly offers: readonly Offer[];
}

const mostPlugins = 50;
/** The most that a candidate among others has, also if its plugin is surer. */
const unclear = 0.5;

/** Reads the matches of an item from its row; invalid ones are left out. */
export function parseMatches(text: string | null | undefined): Matches {
  if (text === null || text === undefined) return {};
  const value: unknown = JSON.parse(text);
  if (!isMap(value)) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([pluginId, one]) => {
      const match = parseMatch(one);
      return match ? [[pluginId, match]] : [];
    }),
  );
}

/** The text for the row of an item; `null` = none. */
export function toMatchColumn(matches: Matches): string | null {
  return Object.keys(matches).length === 0 ? null : JSON.stringify(matches);
}

/** What to ask a plugin about an item with these matches. */
export function matchQuestion(matches: Matches, pluginId: string): MatchQuestion {
  const known = matches[pluginId];
  if (known?.manual !== true) return { isAsked: true };
  return known.id === null ? { isAsked: false } : { isAsked: true, match: { id: known.id } };
}

/**
 * Merges a plugin's answer into the matches, and returns whether it is applied to the item. An
 * answer without a match of its own (from tags, a sidecar) is always applied.
 */
export function settleMatch(
  matches: Matches,
  pluginId: string,
  { answer, offers }: MatchAnswer,
  now: number,
): { readonly isApplied: boolean; readonly matches: Matches } {
  const known = matches[pluginId];
  if (known?.manual === true) return { isApplied: known.id !== null, matches };
  const guess = answer === null ? guessOf(offers, known, now) : undefined;
  if (guess !== undefined)
    return { isApplied: false, matches: withMatch(matches, pluginId, guess) };
  if (answer?.match === undefined) {
    return { isApplied: answer !== null, matches: withoutMatch(matches, pluginId) };
  }
  const confidence = answer.confidence ?? null;
  const match: Match = {
    id: answer.match.id,
    manual: false,
    confidence,
    title: answer.title,
    matchedAt: known?.id === answer.match.id ? known.matchedAt : now,
  };
  const more = offers.length > 0 && !isCertain(match) && { candidates: offers };
  return {
    isApplied: isCertain(match),
    matches: withMatch(matches, pluginId, { ...match, ...more }),
  };
}

function guessOf(
  [first, ...others]: readonly Offer[],
  known: Match | undefined,
  now: number,
): Match | undefined {
  if (first === undefined) return undefined;
  const { id, title } = first;
  const confidence = Math.min(first.confidence, unclear);
  const matchedAt = known?.id === id ? known.matchedAt : now;
  return { id, manual: false, confidence, title, matchedAt, candidates: [first, ...others] };
}

/**
 * Whether a person should say what the item is: plugins only guess, no match is certain, and no
 * person has chosen or rejected anything.
 */
export function needsLook(matches: Matches): boolean {
  const all = Object.values(matches);
  return all.length > 0 && all.every((match) => !match.manual && !isCertain(match));
}

/** Whether a person chose one of the plugin's candidates. */
export function isChosen(matches: Matches, pluginId: string): boolean {
  const known = matches[pluginId];
  return known?.manual === true && known.id !== null;
}

/** Whether the values of this match are written to the item. */
export function isCertain({ manual, confidence, id }: Match): boolean {
  return id !== null && (manual || confidence === null || confidence >= leastConfidence);
}

/** Adds or replaces a match. */
export function withMatch(matches: Matches, pluginId: string, match: Match): Matches {
  const isKnown = matches[pluginId] !== undefined;
  if (!isKnown && Object.keys(matches).length >= mostPlugins) return matches;
  return { ...matches, [pluginId]: match };
}

/** Removes the plugin's guess; a person's choice stays. */
export function withoutMatch(matches: Matches, pluginId: string): Matches {
  if (matches[pluginId] === undefined || matches[pluginId].manual) return matches;
  return Object.fromEntries(Object.entries(matches).filter(([id]) => id !== pluginId));
}

function parseMatch(value: unknown): Match | null {
  if (!isMap(value)) return null;
  const { id, manual, confidence, title, matchedAt } = value;
  const candidates = parseKept(value['candidates']);
  return {
    id: typeof id === 'string' ? id : null,
    manual: manual === true,
    confidence: typeof confidence === 'number' ? confidence : null,
    title: typeof title === 'string' ? title : null,
    matchedAt: typeof matchedAt === 'number' ? matchedAt : 0,
    ...(candidates.length > 0 && { candidates }),
  };
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
