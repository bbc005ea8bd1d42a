import type { IndexFile, Identification } from '../../../plugin-api/index.ts';
import type { LibraryRow } from '../catalogue/index.ts';
import { withFieldOrder, type SourceAnswer } from './source-order.ts';
import {
  inOrder,
  parseKeptAnswer,
  parseSources,
  type Identifier,
  type IndexedLibrary,
  type Indexers,
  type IngestSubject,
  type LibrarySources,
  type Offer,
} from '../catalogue/commit/index.ts';
import {
  isCertain,
  matchQuestion,
  parseMatches,
  isChosen,
  settleMatch,
  wholeOf,
  withoutMatch,
  type LookupResult,
  type Matches,
  type WholeMatches,
} from '../matching/index.ts';
import {
  metadataOf,
  mergeSources,
  metadataFromName,
  mergeAnswer,
  type Additions,
  type MergedMetadata,
} from './metadata-merge.ts';
import { isLocked, lockedPaths, withoutLocked } from './locks.ts';
import { leaderOf, type ProbedSubject } from './subject-bundle.ts';

/** What indexers say of an item, and its matches. */
export interface IndexedSubject {
  readonly named: MergedMetadata;
  readonly matches: Matches;
  /** Why an indexer must be asked again; see `AskedItem`. */
  readonly retry: LookupResult['retry'];
  /** Some of its values came from an indexer that could not be asked now, so all values stay. */
  readonly keepsValues: boolean;
  /** What changed of the answers of its sources: JSON by plugin, `null` = none any longer. */
  readonly answers: ReadonlyMap<string, string | null>;
}

/** How an item is identified. */
export interface HowToAsk {
  /** False = sources on the network are not asked: what they said before is merged again. */
  readonly asks: boolean;
}

/** Identifies items by everything that is known of them. */
export interface FullIndexing {
  /** The metadata from the names of the items, in their order. */
  readonly start: (
    library: IndexedLibrary,
    items: readonly ProbedSubject[],
  ) => Promise<readonly MergedMetadata[]>;
  /** Calls each indexer of the stage `full`, one after the other, with all items at once. */
  readonly index: (
    library: IndexedLibrary & Pick<LibraryRow, 'no' | 'sources'>,
    items: readonly NamedSubject[],
    how: HowToAsk,
  ) => Promise<readonly IndexedSubject[]>;
}

/** An item with the metadata of its name and what hooks added. */
export interface NamedSubject {
  readonly probed: ProbedSubject;
  readonly named: MergedMetadata;
  readonly added: Additions;
}

interface Progress {
  readonly item: NamedSubject;
  named: MergedMetadata;
  matches: Matches;
  retry: LookupResult['retry'];
  keepsValues: boolean;
  /** What its sources on the network said, the best last. */
  readonly said: SourceAnswer[];
  /** What was known before the first of them. */
  before?: MergedMetadata;
  readonly answers: Map<string, string | null>;
}

export function createFullIndexing(parts: {
  readonly indexers: Indexers;
  readonly identifier: Identifier;
  readonly wholeMatches: WholeMatches;
  readonly now: () => number;
}): FullIndexing {
  const { indexers, identifier, wholeMatches, now } = parts;

  /**
   * Whether the row still has only what the name says, and the plugin that read the name will be
   * called again in the second stage. It then also gives the entities, which the row does not hold.
   */
  function saysItsName({ isPristine, provenance }: IngestSubject): boolean {
    if (!isPristine) return false;
    const [namer] = provenance;
    return namer === undefined || indexers.hasStage(namer.pluginId, 'full');
  }

  /** A person's choice of a match overrides the lock of a sidecar. */
  function isClosed({ item, matches }: Progress, pluginId: string): boolean {
    return indexers.isRemote(pluginId) && isLocked(item.added) && !isChosen(matches, pluginId);
  }

  /**
   * The answer of a network indexer without locked fields, also for a match that a person chose.
   */
  function withoutLocks(
    { item, named }: Progress,
    answer: Identification | null,
    pluginId: string,
  ): Identification | null {
    if (answer === null || !indexers.isRemote(pluginId)) return answer;
    return withoutLocked(answer, named, lockedPaths(item.added));
  }

  /** Local indexers, then sources on the network with those that are gone: the best last. */
  function callOrder(
    running: readonly string[],
    progress: readonly Progress[],
    order: readonly string[],
  ): readonly string[] {
    const remote = running.filter((id) => indexers.isRemote(id)).reverse();
    const kept = progress.flatMap(({ item }) => [...item.probed.subject.answers.keys()]);
    const gone = [...new Set(kept)].filter((id) => !running.includes(id)).sort();
    const local = running.filter((id) => !remote.includes(id));
    return [...local, ...inOrder([...remote, ...gone], order).toReversed()];
  }

  /** A new item is shown with local data first, and network indexers are called afterwards. */
  function waitsForNetwork({ item }: Progress, pluginId: string): boolean {
    return indexers.isRemote(pluginId) && item.probed.subject.isNew;
  }

  /** What a person chose for a show or an album counts for each file of it, also for new ones. */
  async function inherit(libraryNo: number, progress: readonly Progress[]): Promise<void> {
    const known = progress.map(({ item, named, matches }) => ({
      whole: wholeOf(mergeSources(named, item.added).fields),
      matches,
    }));
    const inherited = await wholeMatches.inherit(libraryNo, known);
    for (const [at, one] of progress.entries()) one.matches = inherited[at] ?? one.matches;
  }

  return {
    start: async (library, items) => {
      const asked = items.flatMap(({ subject }, at) => (saysItsName(subject) ? [] : at));
      // An indexer of both stages repeats its first answer in the second.
      const isNameOnly = (pluginId: string): boolean => !indexers.hasStage(pluginId, 'full');
      const files = asked.map((at) => nameOf(items[at]));
      const answers = files.length === 0 ? [] : await identifier.name(library, files, isNameOnly);
      const again = new Map(asked.map((at, index) => [at, answers[index]]));
      return items.map(({ subject }, at) => {
        const answer = again.get(at);
        if (answer === undefined) return metadataFromName(subject, subject.provenance);
        const { identification, pluginId } = answer;
        const { entities = {} } = identification;
        const writers = pluginId === null ? [] : [{ pluginId, path: 'fields' }];
        return metadataFromName({ ...identification, entities }, writers);
      });
    },
    index: async (library, items, { asks }) => {
      const sources = parseSources(library.sources);
      const { id, type } = library;
      const asked = { id, type, languages: sources.languages };
      const progress = items.map((item): Progress => ({
        item,
        named: item.named,
        matches: parseMatches(item.probed.subject.match),
        retry: null,
        keepsValues: false,
        said: [],
        answers: new Map(),
      }));
      const running = await indexers.of(library.type, 'full');
      const isLocal = (pluginId: string): boolean =>
        running.includes(pluginId) && !indexers.isRemote(pluginId);
      let isInherited = false;
      for (const pluginId of callOrder(running, progress, sources.order)) {
        if (!isLocal(pluginId) && !isInherited) {
          await inherit(library.no, progress);
          isInherited = true;
        }
        const isThere = running.includes(pluginId);
        const asksAll = isThere && (asks || !indexers.isRemote(pluginId));
        const toAsk = new Set(
          progress.filter((one) => asksAll || (isThere && waitsForChoice(one, pluginId))),
        );
        for (const one of progress) if (!toAsk.has(one)) mergeKept(one, pluginId, { isThere });
        const questions = [...toAsk].flatMap((one) => {
          if (isClosed(one, pluginId)) {
            one.matches = withoutMatch(one.matches, pluginId);
            note(one, pluginId, null);
            return [];
          }
          const question = questionOf(one, pluginId);
          if (question !== undefined && waitsForNetwork(one, pluginId)) {
            one.retry ??= 'deferred';
            return [];
          }
          if (question === undefined) note(one, pluginId, null);
          return question === undefined ? [] : [{ one, question }];
        });
        if (questions.length === 0) continue;
        const files = questions.map(({ question }) => question);
        const { answers, later, offers } = await indexers.ask(pluginId, asked, {
          stage: 'full',
          files,
        });
        const retry = later.size < files.length ? 'deferred' : 'unavailable';
        for (const [at, { one }] of questions.entries()) {
          if (later.has(at)) leave(one, pluginId, retry);
          else {
            const answer = withoutLocks(one, answers[at] ?? null, pluginId);
            const merged = settle(one, { answer, offers: offers[at] ?? [] }, pluginId, now());
            if (indexers.isRemote(pluginId)) note(one, pluginId, merged);
          }
        }
      }
      for (const one of progress) mergeByFields(one, sources.fields);
      return progress.map(({ named, matches, retry, keepsValues, answers }) => ({
        named,
        matches,
        retry,
        keepsValues,
        answers,
      }));
    },
  };
}

function nameOf(item: ProbedSubject | undefined): { readonly path: string; readonly size: number } {
  const leader = item && leaderOf(item.subject);
  return { path: leader?.path ?? '', size: leader?.size ?? 0 };
}

/** Undefined when a user rejected all candidates of this indexer. */
function questionOf(
  { item: { probed, added }, named, matches }: Progress,
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
  return {
    path: leader.path,
    size: leader.size,
    ...(report?.tags && { tags: report.tags }),
    ...(report?.duration !== undefined && { duration: report.duration }),
    known: {
      title: typeof title === 'string' ? title : named.title,
      metadata: metadataOf({ fields, ids: {} }),
      ids,
    },
    ...(match && { match }),
  };
}

/** The answer, if it is merged into the item. */
function settle(one: Progress, said: Said, pluginId: string, now: number): Identification | null {
  const { answer } = said;
  const { isApplied, matches } = settleMatch(one.matches, pluginId, said, now);
  one.matches = matches;
  if (!isApplied || answer === null) return null;
  one.before ??= one.named;
  one.named = mergeAnswer(one.named, answer, pluginId);
  return answer;
}

/** Notes what a source on the network says now; only changes are stored. */
function note(one: Progress, pluginId: string, answer: Identification | null): void {
  const { subject } = one.item.probed;
  const text = answer === null ? null : JSON.stringify(answer);
  if (answer !== null) one.said.push({ pluginId, answer });
  if (text !== (subject.answers.get(pluginId) ?? null)) one.answers.set(pluginId, text);
}

/** What the source said before, if it is kept. */
function keptAnswer({ item }: Progress, pluginId: string): Identification | null {
  const text = item.probed.subject.answers.get(pluginId);
  return text === undefined ? null : parseKeptAnswer(text);
}

/**
 * Whether a person chose an entry of which the source has not told yet. Then it is asked also when
 * kept answers are merged: that may happen before the item that was chosen for is looked up.
 */
function waitsForChoice(one: Progress, pluginId: string): boolean {
  const { match } = matchQuestion(one.matches, pluginId);
  return match !== undefined && keptAnswer(one, pluginId)?.match?.id !== match.id;
}

/**
 * Merges what a source said before. One that is there and said nothing that is kept is asked later;
 * until then all values stay.
 */
function mergeKept(
  one: Progress,
  pluginId: string,
  { isThere }: { readonly isThere: boolean },
): void {
  const { added } = one.item;
  const { isAsked, match } = matchQuestion(one.matches, pluginId);
  if (isLocked(added) && !isChosen(one.matches, pluginId)) return;
  const answer = keptAnswer(one, pluginId);
  const isOther = match !== undefined && answer?.match?.id !== match.id;
  if (answer === null || isOther || !isAsked) {
    if (isThere && isAsked) leave(one, pluginId, 'deferred');
    if (!isAsked) note(one, pluginId, null);
    return;
  }
  one.before ??= one.named;
  one.said.push({ pluginId, answer });
  const merged = withoutLocked(answer, one.named, lockedPaths(added));
  one.named = mergeAnswer(one.named, merged, pluginId);
}

/** Merges the answers once more where fields have an order of their own. */
function mergeByFields(one: Progress, fields: LibrarySources['fields']): void {
  const { before, said } = one;
  if (before === undefined || said.length < 2 || Object.keys(fields).length === 0) return;
  const locked = lockedPaths(one.item.added);
  one.named = withFieldOrder(said, fields).reduce(
    (named, { pluginId, answer }) =>
      mergeAnswer(named, withoutLocked(answer, named, locked), pluginId),
    before,
  );
}

/** What an indexer says of an item. */
interface Said {
  readonly answer: Identification | null;
  readonly offers: readonly Offer[];
}

/** Schedules the indexer for a retry; until then its earlier values stay. */
function leave(one: Progress, pluginId: string, retry: 'deferred' | 'unavailable'): void {
  const known = one.matches[pluginId];
  one.retry = retry === 'unavailable' ? retry : (one.retry ?? retry);
  if (known !== undefined && isCertain(known)) one.keepsValues = true;
}
