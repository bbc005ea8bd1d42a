/**
 * What is known of an item while its indexers are asked, one after the other: each answer is merged
 * over those before it, and so is what a source said before, where it is not asked now.
 */
import type { IndexFile, Identification } from '../../../plugin-api/index.ts';
import { parseKeptAnswer, type KeptAnswer, type Offer } from '../catalogue/commit/index.ts';
import {
  isCertain,
  isChosen,
  matchQuestion,
  parseMatches,
  settleMatch,
  type LookupEnding,
  type Matches,
} from '../matching/index.ts';
import { isLocked, lockedPaths, withoutLocked } from './locks.ts';
import {
  mergeAnswer,
  mergeSources,
  metadataOf,
  type Additions,
  type MergedMetadata,
} from './metadata-merge.ts';
import { withFieldOrder, type SourceAnswer } from './source-order.ts';
import { parseTags } from './probe-report.ts';
import { leaderOf, type ProbedSubject } from './subject-bundle.ts';
import { inFirstLanguage } from './text-merge.ts';
import type { LibrarySources } from '../../contract/resources/library/sources.ts';

/** An item with the metadata of its name and what hooks added. */
export interface NamedSubject {
  readonly probed: ProbedSubject;
  readonly named: MergedMetadata;
  readonly added: Additions;
}

/** An item while its indexers are asked. */
export interface Progress {
  readonly item: NamedSubject;
  /** The languages of the library, best first. */
  readonly languages: readonly string[];
  named: MergedMetadata;
  matches: Matches;
  readonly lookups: Map<string, LookupEnding>;
  /** Some of its values came from an indexer that could not be asked now, so all values stay. */
  keepsValues: boolean;
  /** What its sources on the network said, the best last. */
  readonly said: SourceAnswer[];
  /** What was known before the first of them. */
  before?: MergedMetadata;
  /** What changed of the answers that are kept. */
  readonly answers: Map<string, KeptAnswer | null>;
}

/** What an indexer says of an item. */
export interface Said {
  readonly answer: Identification | null;
  readonly offers: readonly Offer[];
}

/** What indexers said in the attempts to store some items; `later` = it is asked again. */
export type Told = Map<string, Said & { readonly later: 'later' | 'away' | null }>;

/** An item before the first indexer. */
export const begin = (item: NamedSubject, languages: readonly string[]): Progress => ({
  item,
  languages,
  named: item.named,
  matches: parseMatches(item.probed.subject.match),
  lookups: new Map(),
  keepsValues: false,
  said: [],
  answers: new Map(),
});

/** Undefined when a user rejected all candidates of this indexer. */
export function questionOf(
  { item: { probed, added }, named, before, matches }: Progress,
  pluginId: string,
): IndexFile | undefined {
  const { subject, ends } = probed;
  const leader = leaderOf(subject);
  const { isAsked, match } = matchQuestion(matches, pluginId);
  if (leader === undefined || !isAsked) return undefined;
  const end = ends[subject.files.indexOf(leader)];
  const report = end?.kind === 'read' ? end.report : undefined;
  const { fields, ids } = mergeSources(named, added);
  const { title } = fields;
  const showIds = showIdsOf(mergeSources(before ?? named, added));
  return {
    path: leader.path,
    size: leader.size,
    ...(report?.tags && { tags: report.tags }),
    ...(report?.duration !== undefined && { duration: report.duration }),
    ...(subject.beside.length > 0 && { beside: subject.beside.map(parseTags) }),
    known: {
      title: typeof title === 'string' ? title : named.title,
      metadata: metadataOf({ fields, ids: {} }),
      ids,
      ...(showIds && { showIds }),
    },
    ...(match && { match }),
  };
}

/** Those that owners wrote: what one catalogue chose does not decide for the next. */
const showIdsOf = ({ entities }: Pick<MergedMetadata, 'entities'>) =>
  entities['show']?.find(({ ids = {} }) => Object.keys(ids).length > 0)?.ids;

/** The answer, if it is merged into the item. */
export function settle(
  one: Progress,
  said: Said,
  pluginId: string,
  now: number,
): Identification | null {
  const { answer } = said;
  const { isApplied, matches } = settleMatch(one.matches, pluginId, said, now);
  one.matches = matches;
  if (!isApplied || answer === null) return null;
  one.before ??= one.named;
  one.named = mergeAnswer(one.named, inFirstLanguage(answer, one.languages), pluginId);
  return answer;
}

/**
 * Notes what a source on the network says now, and which entry a person chose for it; only changes
 * are stored. That it does not know a chosen entry is noted too, so that it is asked once.
 */
export function note(
  one: Progress,
  pluginId: string,
  answer: Identification | null,
  chosen: string | null = null,
): void {
  const before = one.item.probed.subject.answers.get(pluginId);
  const isNothing = answer === null && chosen === null;
  const kept = isNothing ? null : { answer: JSON.stringify(answer), chosen };
  if (answer !== null) one.said.push({ pluginId, answer });
  if (kept?.answer !== before?.answer || kept?.chosen !== before?.chosen)
    one.answers.set(pluginId, kept);
}

/** What the source said before, if it is kept. */
function keptAnswer({ item }: Progress, pluginId: string): Identification | null {
  const kept = item.probed.subject.answers.get(pluginId);
  return kept === undefined ? null : parseKeptAnswer(kept.answer);
}

/** The entry of the source that a person chose; `null` = no person chose one. */
export const chosenFor = ({ matches }: Progress, pluginId: string): string | null =>
  matchQuestion(matches, pluginId).match?.id ?? null;

/** Whether what is kept of the source tells of this entry, also if its catalogue moved it. */
function tellsOf(one: Progress, pluginId: string, entry: string): boolean {
  const kept = one.item.probed.subject.answers.get(pluginId);
  return kept?.chosen === entry || keptAnswer(one, pluginId)?.match?.id === entry;
}

/**
 * Whether a person chose an entry of which the source has not told yet. Then it is asked also when
 * kept answers are merged: that may happen before the item that was chosen for is looked up.
 */
export function waitsForChoice(one: Progress, pluginId: string): boolean {
  const chosen = chosenFor(one, pluginId);
  return chosen !== null && !tellsOf(one, pluginId, chosen);
}

/**
 * Merges what a source said before. One that is there and of which values were stored without its
 * answer is asked later; until then all values stay.
 */
export function mergeKept(
  one: Progress,
  pluginId: string,
  { isThere }: { readonly isThere: boolean },
): void {
  const { isAsked } = matchQuestion(one.matches, pluginId);
  if (isLocked(one.item.added) && !isChosen(one.matches, pluginId)) return;
  if (!isAsked) {
    note(one, pluginId, null);
    return;
  }
  const chosen = chosenFor(one, pluginId);
  const answer = keptAnswer(one, pluginId);
  const isOther = chosen !== null && !tellsOf(one, pluginId, chosen);
  if (answer !== null && !isOther) mergeAgain(one, pluginId, answer);
  else if (isThere && hasUnkept(one, pluginId)) {
    one.lookups.set(pluginId, 'waits');
    one.keepsValues = true;
  }
}

/** Merges the answers again for fields whose sources have another order than the library's. */
export function mergeByFields(one: Progress, fields: LibrarySources['fields']): void {
  const { before, said } = one;
  if (before === undefined || said.length < 2 || Object.keys(fields).length === 0) return;
  const locked = lockedPaths(one.item.added);
  one.named = withFieldOrder(said, fields).reduce((named, { pluginId, answer }) => {
    const merged = inFirstLanguage(withoutLocked(answer, named, locked), one.languages);
    return mergeAnswer(named, merged, pluginId);
  }, before);
}

/** A source that is to be asked later: until then what it said before stays. */
export function keep(one: Progress, pluginId: string): void {
  const answer = keptAnswer(one, pluginId);
  if (answer !== null) mergeAgain(one, pluginId, answer);
  else if (hasUnkept(one, pluginId)) one.keepsValues = true;
}

/**
 * Sources that know nothing of the item, or only guess, are asked again when another one gives it
 * ids: sources are asked at different times, and an id finds what a title does not.
 */
export function askUnsure(one: Progress, remote: readonly string[]): void {
  const { answers } = one.item.probed.subject;
  const hasIds = [...one.answers.values()].some((kept) => {
    const ids = kept && parseKeptAnswer(kept.answer)?.metadata['ids'];
    return typeof ids === 'object' && ids !== null;
  });
  if (!hasIds) return;
  for (const pluginId of remote) {
    const known = one.matches[pluginId];
    const isSure = known !== undefined && (known.manual || isCertain(known));
    if (isSure || answers.has(pluginId) || one.lookups.has(pluginId)) continue;
    one.lookups.set(pluginId, 'waits');
  }
}

/** Whether the item has values of a source that were stored without the answer itself. */
function hasUnkept({ item, matches }: Progress, pluginId: string): boolean {
  const { subject } = item.probed;
  if (subject.answers.has(pluginId)) return false;
  const known = matches[pluginId];
  const isMatched = known !== undefined && !known.manual && isCertain(known);
  return isMatched || subject.provenance.some((writer) => writer.pluginId === pluginId);
}

function mergeAgain(one: Progress, pluginId: string, answer: Identification): void {
  one.before ??= one.named;
  one.said.push({ pluginId, answer });
  const merged = withoutLocked(answer, one.named, lockedPaths(one.item.added));
  one.named = mergeAnswer(one.named, inFirstLanguage(merged, one.languages), pluginId);
}
