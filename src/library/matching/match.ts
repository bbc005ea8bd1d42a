/**
 * The match of an item, by plugin. A person's choice stays until the person changes it: no later
 * answer of a plugin replaces it. A plugin's guess below `leastConfidence` is stored as a candidate
 * and not written to the item.
 */

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
  readonly title: string;
  readonly confidence?: number;
  readonly match?: { readonly id: string };
}

const mostPlugins = 50;

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
  answer: MatchAnswer | null,
  now: number,
): { readonly isApplied: boolean; readonly matches: Matches } {
  const known = matches[pluginId];
  if (known?.manual === true) return { isApplied: known.id !== null, matches };
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
  return {
    isApplied: isCertain(match),
    matches: withMatch(matches, pluginId, match),
  };
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
  return {
    id: typeof id === 'string' ? id : null,
    manual: manual === true,
    confidence: typeof confidence === 'number' ? confidence : null,
    title: typeof title === 'string' ? title : null,
    matchedAt: typeof matchedAt === 'number' ? matchedAt : 0,
  };
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
