import type { IndexFile, Identification } from '../../../plugin-api/index.ts';
import type { LibraryRow } from '../catalogue/index.ts';
import {
  inOrder,
  parseSources,
  type Identifier,
  type IndexedLibrary,
  type Indexers,
  type IngestSubject,
  type KeptAnswer,
} from '../catalogue/commit/index.ts';
import {
  isChosen,
  wholeOf,
  withoutMatch,
  type LookupEnding,
  type Matches,
  type WholeMatches,
} from '../matching/index.ts';
import {
  askUnsure,
  begin,
  chosenFor,
  keep,
  mergeByFields,
  mergeKept,
  note,
  questionOf,
  settle,
  waitsForChoice,
  type NamedSubject,
  type Progress,
  type Told,
} from './indexing-progress.ts';
import { mergeSources, metadataFromName, type MergedMetadata } from './metadata-merge.ts';
import { isLocked, lockedPaths, withoutLocked } from './locks.ts';
import { leaderOf, type ProbedSubject } from './subject-bundle.ts';

/** What indexers say of an item, and its matches. */
export interface IndexedSubject {
  readonly named: MergedMetadata;
  readonly matches: Matches;
  /** How the look-up ended at each source that was asked, or is to be asked later. */
  readonly lookups: ReadonlyMap<string, LookupEnding>;
  /** Some of its values came from an indexer that could not be asked now, so all values stay. */
  readonly keepsValues: boolean;
  /** What changed of the answers of its sources, by plugin; `null` = no answer now. */
  readonly answers: ReadonlyMap<string, KeptAnswer | null>;
}

/** Whom to ask. */
export interface HowToAsk {
  /** An indexer that is asked about all items; `null` = only what the items wait for. */
  readonly source: string | null;
  /** What sources on the network said in an earlier attempt to store these items: it counts. */
  readonly told: Told;
}

interface FullIndexingParts {
  readonly indexers: Indexers;
  readonly identifier: Identifier;
  readonly wholeMatches: WholeMatches;
  readonly now: () => number;
}

/** Identifies items by everything that is known of them. */
export class FullIndexing {
  readonly #parts: FullIndexingParts;

  constructor(parts: FullIndexingParts) {
    this.#parts = parts;
  }

  /**
   * Whether the row still has only what the name says, and the plugin that read the name will be
   * called again in the second stage. It then also gives the entities, which the row does not hold.
   */
  #saysItsName({ isPristine, provenance }: IngestSubject): boolean {
    if (!isPristine) return false;
    const [namer] = provenance;
    return namer === undefined || this.#parts.indexers.hasStage(namer.pluginId, 'full');
  }

  /** A person's choice of a match overrides the lock of a sidecar. */
  #isClosed({ item, matches }: Progress, pluginId: string): boolean {
    return (
      this.#parts.indexers.isRemote(pluginId) &&
      isLocked(item.added) &&
      !isChosen(matches, pluginId)
    );
  }

  /**
   * The answer of a network indexer without locked fields, also for a match that a person chose.
   */
  #withoutLocks(
    { item, named }: Progress,
    answer: Identification | null,
    pluginId: string,
  ): Identification | null {
    if (answer === null || !this.#parts.indexers.isRemote(pluginId)) return answer;
    return withoutLocked(answer, named, lockedPaths(item.added));
  }

  /** Local indexers, then sources on the network with those that are gone: the best last. */
  #callOrder(
    running: readonly string[],
    progress: readonly Progress[],
    order: readonly string[],
  ): readonly string[] {
    const remote = running.filter((id) => this.#parts.indexers.isRemote(id)).reverse();
    const kept = progress.flatMap(({ item }) => [...item.probed.subject.answers.keys()]);
    const gone = [...new Set(kept)].filter((id) => !running.includes(id)).sort();
    const local = running.filter((id) => !remote.includes(id));
    return [...local, ...inOrder([...remote, ...gone], order).toReversed()];
  }

  #isAsked(one: Progress, pluginId: string, { source }: HowToAsk): boolean {
    const { asks } = one.item.probed.subject;
    const isMeant = asks || pluginId === source || !this.#parts.indexers.isRemote(pluginId);
    return isMeant || waitsForChoice(one, pluginId);
  }

  /** Asks about the items of which the source was not asked in an earlier attempt. */
  async #ask(
    pluginId: string,
    library: IndexedLibrary,
    questions: readonly Question[],
    told: Told,
  ): Promise<void> {
    const isNew = ({ one }: Question): boolean =>
      !this.#parts.indexers.isRemote(pluginId) || !told.has(toldKey(one, pluginId));
    const open = questions.filter(isNew);
    if (open.length === 0) return;
    const files = open.map(({ question }) => question);
    const asked = { stage: 'full', files } as const;
    const { answers, later, isAway, offers } = await this.#parts.indexers.ask(
      pluginId,
      library,
      asked,
    );
    for (const [at, { one }] of open.entries())
      told.set(toldKey(one, pluginId), {
        answer: answers[at] ?? null,
        offers: offers[at] ?? [],
        later: later.has(at) ? (isAway ? 'away' : 'later') : null,
      });
  }

  /** A source that is not called: whether it has nothing to say of such libraries, or is away. */
  async #endingWithout(pluginId: string, type: string): Promise<LookupEnding> {
    return (await this.#parts.indexers.refuses(pluginId, type)) ? 'nothing' : 'away';
  }

  /** A new item is shown with local data first, and network indexers are called afterwards. */
  #waitsForNetwork({ item }: Progress, pluginId: string): boolean {
    return this.#parts.indexers.isRemote(pluginId) && item.probed.subject.isNew;
  }

  /** What a person chose for a show or an album counts for each file of it, also for new ones. */
  async #inherit(libraryNo: number, progress: readonly Progress[]): Promise<void> {
    const known = progress.map(({ item, named, matches }) => ({
      whole: wholeOf(mergeSources(named, item.added).fields),
      matches,
    }));
    const inherited = await this.#parts.wholeMatches.inherit(libraryNo, known);
    for (const [at, one] of progress.entries()) one.matches = inherited[at] ?? one.matches;
  }

  /** The metadata from the names of the items, in their order. */
  readonly start = async (
    library: IndexedLibrary,
    items: readonly ProbedSubject[],
  ): Promise<readonly MergedMetadata[]> => {
    const asked = items.flatMap(({ subject }, at) => (this.#saysItsName(subject) ? [] : at));
    // An indexer of both stages repeats its first answer in the second.
    const isNameOnly = (pluginId: string): boolean =>
      !this.#parts.indexers.hasStage(pluginId, 'full');
    const files = asked.map((at) => nameOf(items[at]));
    const answers =
      files.length === 0 ? [] : await this.#parts.identifier.name(library, files, isNameOnly);
    const again = new Map(asked.map((at, index) => [at, answers[index]]));
    return items.map(({ subject }, at) => {
      const answer = again.get(at);
      if (answer === undefined) return metadataFromName(subject, subject.provenance);
      const { identification, pluginId } = answer;
      const { entities = {} } = identification;
      const writers = pluginId === null ? [] : [{ pluginId, path: 'fields' }];
      return metadataFromName({ ...identification, entities }, writers);
    });
  };

  /**
   * Calls each indexer of the stage `full`, one after the other, with all items at once. Sources
   * on the network are asked about the items that wait for them, and the source of `how` about
   * all; else what they said is merged again.
   */
  readonly index = async (
    library: IndexedLibrary & Pick<LibraryRow, 'no' | 'sources'>,
    items: readonly NamedSubject[],
    how: HowToAsk,
  ): Promise<readonly IndexedSubject[]> => {
    const { indexers, now } = this.#parts;
    const sources = parseSources(library.sources);
    const { id, type } = library;
    const asked = { id, type, languages: sources.languages };
    const progress = items.map((item) => begin(item, sources.languages));
    const running = await indexers.of(library.type, 'full');
    const isLocal = (pluginId: string): boolean =>
      running.includes(pluginId) && !indexers.isRemote(pluginId);
    let isInherited = false;
    for (const pluginId of this.#callOrder(running, progress, sources.order)) {
      if (!isLocal(pluginId) && !isInherited) {
        await this.#inherit(library.no, progress);
        isInherited = true;
      }
      const isThere = running.includes(pluginId);
      const toAsk = new Set(
        isThere ? progress.filter((one) => this.#isAsked(one, pluginId, how)) : [],
      );
      for (const one of progress) if (!toAsk.has(one)) mergeKept(one, pluginId, { isThere });
      const questions = [...toAsk].flatMap((one) => {
        const question = this.#isClosed(one, pluginId) ? undefined : questionOf(one, pluginId);
        if (question === undefined) {
          if (this.#isClosed(one, pluginId)) one.matches = withoutMatch(one.matches, pluginId);
          note(one, pluginId, null);
          one.lookups.set(pluginId, 'nothing');
          return [];
        }
        if (!this.#waitsForNetwork(one, pluginId)) return [{ one, question }];
        one.lookups.set(pluginId, 'waits');
        return [];
      });
      await this.#ask(pluginId, asked, questions, how.told);
      for (const { one } of questions) {
        const said = how.told.get(toldKey(one, pluginId));
        if (said === undefined) continue;
        one.lookups.set(pluginId, said.later ?? 'asked');
        if (said.later !== null) {
          keep(one, pluginId);
          continue;
        }
        const answer = this.#withoutLocks(one, said.answer, pluginId);
        const merged = settle(one, { ...said, answer }, pluginId, now());
        if (indexers.isRemote(pluginId)) note(one, pluginId, merged, chosenFor(one, pluginId));
      }
    }
    if (how.source !== null && !running.includes(how.source)) {
      const ending = await this.#endingWithout(how.source, type);
      for (const { lookups } of progress) lookups.set(how.source, ending);
    }
    const remote = running.filter((pluginId) => indexers.isRemote(pluginId));
    for (const one of progress) {
      mergeByFields(one, sources.fields);
      askUnsure(one, remote);
    }
    return progress.map(({ named, matches, lookups, keepsValues, answers }) => ({
      named,
      matches,
      lookups,
      keepsValues,
      answers,
    }));
  };
}

export const createFullIndexing = (parts: FullIndexingParts): FullIndexing =>
  new FullIndexing(parts);

/** What an indexer is asked about an item. */
interface Question {
  readonly one: Progress;
  readonly question: IndexFile;
}

/** An answer of one attempt counts for the entry that it was asked for. */
const toldKey = (one: Progress, pluginId: string): string =>
  [pluginId, one.item.probed.subject.id, chosenFor(one, pluginId) ?? ''].join('\n');

function nameOf(item: ProbedSubject | undefined): { readonly path: string; readonly size: number } {
  const leader = item && leaderOf(item.subject);
  return { path: leader?.path ?? '', size: leader?.size ?? 0 };
}
