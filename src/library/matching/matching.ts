import { isNotGranted, KernelError, type CallPlugin, type Log } from '../../../kernel/index.ts';
import type { Database } from '../../../kernel/store/index.ts';
import type { ServedKey, IndexSearchInput } from '../../../plugin-api/index.ts';
import { withoutLocale, type Viewer } from '../../people/viewer/index.ts';
import { toTimestamp } from '../../platform/clock.ts';
import { AppError } from '../../platform/errors.ts';
import type { Picture, PictureFetch } from '../../platform/net/index.ts';
import type { ItemDetail, Items, Libraries } from '../catalogue/index.ts';
import { parseCandidates } from '../catalogue/commit/index.ts';
import { changeMatches, readMatches } from './match-store.ts';
import { isCertain, withMatch, type Match, type Matches } from './match.ts';
import { createListPendingMatches } from './pending-matches.ts';
import { questionOf, type MatchQuery } from './match-question.ts';
import { readSources } from './sources.ts';
import type { Job } from '../../contract/resources/library/catalogue.ts';
import type { ItemMatch, MatchOffer } from '../../contract/resources/library/matches.ts';

/** A plugin that could not be asked. */
export interface MatchProblem {
  readonly pluginId: string;
  readonly pluginName: string;
  readonly message: string;
}

export interface ShownMatch {
  readonly pluginId: string;
  /** The plugin's id of the entry. */
  readonly id: string;
  readonly manual: boolean;
  readonly confidence: number | null;
  readonly matchedAt: string;
}

export interface MatchingParts {
  readonly database: Database;
  readonly items: Pick<Items, 'get' | 'getTiles'>;
  readonly libraries: Pick<Libraries, 'get' | 'list'>;
  readonly call: CallPlugin;
  readonly providers: (key: ServedKey) => readonly string[];
  readonly nameOf: (pluginId: string) => string;
  readonly fetchPicture: PictureFetch;
  /** Ingests items of one library again. */
  readonly refresh: (itemIds: readonly [string, ...string[]], viewer: Viewer) => Promise<Job>;
  readonly now: () => number;
  readonly log: Log;
}

const timeoutMs = 20_000;
const itemsOfJob = 500;

/** Matches of items with entries of catalogues, from plugins' guesses and people's choices. */
export class Matching {
  readonly #parts: MatchingParts;

  /** Items, shows and albums of which plugins are not sure what they are. */
  readonly pending: ReturnType<typeof createListPendingMatches>;

  constructor(parts: MatchingParts) {
    this.#parts = parts;
    this.pending = createListPendingMatches(parts);
  }

  async #find(itemId: string, viewer: Viewer): Promise<{ item: ItemDetail; type: string }> {
    const item = await this.#parts.items.get(itemId, withoutLocale(viewer));
    const { type } = await this.#parts.libraries.get(item.libraryId, viewer);
    return { item, type };
  }

  async #ask(
    pluginId: string,
    input: IndexSearchInput,
    subject: { readonly itemId: string },
  ): Promise<MatchOffer> {
    const { nameOf, call } = this.#parts;
    const pluginName = nameOf(pluginId);
    const nothing: MatchOffer = { candidates: [], problems: [] };
    try {
      const { libraryType } = input;
      const supports = await call(pluginId, 'indexer.supports', { libraryType }, { timeoutMs });
      if (supports !== true) return nothing;
      const answer = await call(pluginId, 'indexer.search', input, { timeoutMs, subject });
      const offers = parseCandidates(answer, input.limit);
      if (offers === null)
        return this.#problem(pluginId, 'Its answer is not a list of candidates.');
      return { ...nothing, candidates: offers.map((one) => ({ pluginId, pluginName, ...one })) };
    } catch (error) {
      if (isUnknownHandler(error) || isNotGranted(error)) return nothing;
      this.#parts.log.debug({ pluginId, err: error }, 'An indexer could not be searched');
      return this.#problem(pluginId, error instanceof KernelError ? error.message : 'It failed.');
    }
  }

  #problem(pluginId: string, message: string): MatchOffer {
    return {
      candidates: [],
      problems: [{ pluginId, pluginName: this.#parts.nameOf(pluginId), message }],
    };
  }

  /** Changes an item and what belongs with it, and ingests them again: the item first. */
  async #change(itemId: string, viewer: Viewer, to: (matches: Matches) => Matches): Promise<Job> {
    const changed = await this.#parts.database.write((trx) => changeMatches(trx, itemId, to));
    const others = changed.filter((id) => id !== itemId);
    const job = await this.#parts.refresh([itemId, ...others.slice(0, itemsOfJob - 1)], viewer);
    for (let at = itemsOfJob - 1; at < others.length; at += itemsOfJob) {
      const [first, ...more] = others.slice(at, at + itemsOfJob);
      if (first !== undefined) await this.#parts.refresh([first, ...more], viewer);
    }
    return job;
  }

  /** The picture of a candidate, from a host that its plugin was granted. */
  readonly picture = async (
    itemId: string,
    viewer: Viewer,
    { pluginId, url }: { readonly pluginId: string; readonly url: string },
  ): Promise<Picture> => {
    await this.#parts.items.get(itemId, viewer);
    asking(this.#parts.providers('indexer'), pluginId);
    return this.#parts.fetchPicture({ pluginId, url });
  };

  readonly search = async (
    itemId: string,
    viewer: Viewer,
    query: MatchQuery,
  ): Promise<MatchOffer> => {
    const { item, type } = await this.#find(itemId, viewer);
    const limit = query.limit ?? 20;
    const { languages } = await readSources(this.#parts.database.read, item.libraryId);
    const input: IndexSearchInput = {
      libraryType: type,
      ...(languages.length > 0 && { languages }),
      limit,
      ...questionOf(type, item, query),
    };
    const asked = asking(this.#parts.providers('indexer'), query.pluginId);
    const offers = await Promise.all(
      asked.map((pluginId) => this.#ask(pluginId, input, { itemId })),
    );
    const candidates = offers.flatMap((offer) => offer.candidates);
    return {
      candidates: candidates.sort((a, b) => b.confidence - a.confidence).slice(0, limit),
      problems: offers.flatMap(({ problems }) => problems),
    };
  };

  readonly get = async (itemId: string, viewer: Viewer): Promise<ItemMatch> => {
    await this.#parts.items.get(itemId, viewer);
    return toItemMatch((await readMatches(this.#parts.database.read, itemId)) ?? {});
  };

  /**
   * Stores a person's choice for the item, and for all others of its show or its album; the job
   * ingests them again.
   */
  readonly choose = async (
    itemId: string,
    viewer: Viewer,
    { pluginId, id }: { readonly pluginId: string; readonly id: string },
  ): Promise<{ readonly match: ShownMatch; readonly job: Job }> => {
    const { items, providers, now } = this.#parts;
    await items.get(itemId, viewer);
    asking(providers('indexer'), pluginId);
    const match: NamedMatch = {
      id,
      manual: true,
      confidence: null,
      title: null,
      matchedAt: now(),
    };
    const job = await this.#change(itemId, viewer, (matches) =>
      withMatch(matches, pluginId, match),
    );
    return { match: toShown(pluginId, match), job };
  };

  /**
   * Rejects all matches of the item, and of all others of its show or its album: their values are
   * removed, and the plugins are not asked until a new choice.
   */
  readonly unmatch = async (itemId: string, viewer: Viewer): Promise<void> => {
    const { items, now, database } = this.#parts;
    await items.get(itemId, viewer);
    const none = { id: null, manual: true, confidence: null, title: null, matchedAt: now() };
    const matches = (await readMatches(database.read, itemId)) ?? {};
    if (Object.keys(matches).length === 0) return;
    await this.#change(itemId, viewer, (known) =>
      Object.fromEntries(Object.keys(known).map((pluginId) => [pluginId, none])),
    );
  };
}

export const createMatching = (parts: MatchingParts): Matching => new Matching(parts);

/** The indexers to ask; throws when the given one is not running. */
function asking(running: readonly string[], pluginId: string | undefined): readonly string[] {
  if (pluginId === undefined) return running;
  if (running.includes(pluginId)) return [pluginId];
  throw new AppError('invalid_request', {
    what: `pluginId: ${pluginId} is not a running indexer; the running ones are ${running.join(', ') || 'none at present'}.`,
  });
}

/** A match that names an entry: not one of a person who rejected all. */
type NamedMatch = Match & { readonly id: string };

const isNamed = (entry: readonly [string, Match]): entry is [string, NamedMatch] =>
  entry[1].id !== null;

/** A person's choice comes before a certain match, and that before others. */
function toItemMatch(matches: Matches): ItemMatch {
  const all = Object.entries(matches).filter(isNamed);
  const [best] = all
    .filter(([, match]) => isCertain(match))
    .sort(([, one], [, other]) => rank(other) - rank(one));
  return {
    match: best ? toShown(...best) : null,
    guesses: all.flatMap(([pluginId, match]) =>
      isCertain(match) ? [] : [{ ...toShown(pluginId, match), title: match.title }],
    ),
  };
}

const rank = ({ manual, confidence }: Match): number => (manual ? 2 : 0) + (confidence ?? 1);

function toShown(pluginId: string, { id, manual, confidence, matchedAt }: NamedMatch): ShownMatch {
  return { pluginId, id, manual, confidence, matchedAt: toTimestamp(matchedAt) };
}

function isUnknownHandler(error: unknown): boolean {
  if (!(error instanceof KernelError)) return false;
  const { cause } = error;
  return (
    typeof cause === 'object' &&
    cause !== null &&
    'code' in cause &&
    cause.code === 'unknown_handler'
  );
}
