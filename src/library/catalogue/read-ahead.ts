import type { SearchQueryInput, TextHit, TextHits, TextTerm } from '../../../plugin-api/index.ts';

/** The ids of things that are to be read. */
export interface WantedIds {
  readonly items: readonly string[];
  readonly entities: readonly string[];
}

/** What is read ahead for one question. */
export interface Reading<Things> {
  /** What was read ahead when all of these are in it, else these, read now. */
  readonly take: (ids: WantedIds) => Promise<Things>;
  /** The question is answered: nothing is read ahead for it any more. */
  readonly end: () => void;
}

/** Asks the index of a plugin what it will probably ask; `undefined` when nobody can say yet. */
export type Foresee = (
  pluginId: string,
  query: { readonly terms: readonly TextTerm[]; readonly scopes: readonly string[] | null },
) => Promise<readonly TextHits[]> | undefined;

/** Reads what a plugin will probably answer with. */
export interface ReadAhead {
  /** A plugin was given these hits by its index. */
  readonly shown: (pluginId: string, hits: Hits) => void;
  /** A plugin has just been asked a question; no turn of the event loop has passed since. */
  readonly begin: <Things>(
    pluginId: string,
    question: Pick<SearchQueryInput, 'q' | 'scopes'>,
    read: (ids: WantedIds) => Promise<Things>,
  ) => Reading<Things>;
}

/** A plugin that looks at more of its hits answers with some of them. */
const mostGuessed = 120;

/** More words are not looked for. */
const mostTerms = 12;

type Hits = readonly Pick<TextHit, 'id' | 'kind'>[];

interface Question {
  readonly pluginId: string;
  readonly shown: (ids: WantedIds) => void;
}

/**
 * A search plugin asks its index for the words of the question, ranks what that shows it, and answers
 * with most of it. So the index is asked while the plugin hears the question, and what it shows is read
 * while the plugin ranks. It is a guess and no more: a document's kind and id say what it is about where
 * they are written as `item`, `entity` and `<id>@<anything>`, and nothing is read ahead while the plugin
 * is asked two questions at once, since nobody can say for which of them the index was asked. What
 * was not guessed is read when the answer is there.
 */
export function createReadAhead(foresee: Foresee = () => undefined): ReadAhead {
  const questions = new Set<Question>();

  function onlyQuestionOf(pluginId: string): Question | undefined {
    const [only, ...others] = [...questions].filter((one) => one.pluginId === pluginId);
    return others.length === 0 ? only : undefined;
  }

  function show(question: Question | undefined, hits: Hits): void {
    if (hits.length > 0 && hits.length <= mostGuessed) question?.shown(guess(hits));
  }

  return {
    shown: (pluginId, hits) => show(onlyQuestionOf(pluginId), hits),

    begin: (pluginId, { q, scopes }, read) => {
      let ahead: { readonly ids: WantedIds; readonly things: ReturnType<typeof read> } | null =
        null;
      const question: Question = {
        pluginId,
        shown: (ids) => {
          if (ahead !== null && covers(ahead.ids, ids)) return;
          const things = read(ids);
          // It fails where it is taken, if it is.
          things.catch(() => undefined);
          ahead = { ids, things };
        },
      };
      questions.add(question);
      if (onlyQuestionOf(pluginId) === question) {
        const showAll = (kinds: readonly TextHits[]): void => {
          const hits = kinds.flatMap((kind) => kind.hits);
          if (questions.has(question)) show(question, hits);
        };
        const look = (): void =>
          void foresee(pluginId, { terms: termsOf(q), scopes })?.then(showAll, () => undefined);
        // Behind the question, which goes out at the end of this turn and has a process to wake.
        setImmediate(look);
      }
      return {
        take: (ids) => (ahead !== null && covers(ahead.ids, ids) ? ahead.things : read(ids)),
        end: () => void questions.delete(question),
      };
    },
  };
}

/** The words as they are typed; the last one may not be whole. */
function termsOf(q: string): readonly TextTerm[] {
  const words = (q.match(/[\p{L}\p{N}\p{M}'’]+/gu) ?? []).slice(0, mostTerms);
  return words.map((text, at) => ({ text, prefix: at === words.length - 1 }));
}

function guess(hits: Hits): WantedIds {
  const ofKind = (wanted: string): readonly string[] => {
    const found = hits.filter(({ kind }) => kind === wanted);
    return [...new Set(found.map(({ id }) => id.replace(/@.*/s, '')))];
  };
  return { items: ofKind('item'), entities: ofKind('entity') };
}

function covers(ahead: WantedIds, wanted: WantedIds): boolean {
  return isAmong(ahead.items, wanted.items) && isAmong(ahead.entities, wanted.entities);
}

function isAmong(ids: readonly string[], wanted: readonly string[]): boolean {
  const known = new Set(ids);
  return wanted.every((id) => known.has(id));
}
