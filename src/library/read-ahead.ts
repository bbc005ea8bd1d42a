import type { TextHit } from '../../plugin-api/index.ts';

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

/** Reads what a plugin will probably answer with. */
export interface ReadAhead {
  /** A plugin was given these hits by its index. */
  readonly shown: (pluginId: string, hits: readonly Pick<TextHit, 'id' | 'kind'>[]) => void;
  /** A plugin is about to be asked a question. */
  readonly begin: <Things>(
    pluginId: string,
    read: (ids: WantedIds) => Promise<Things>,
  ) => Reading<Things>;
}

/** A plugin that looks at more of its hits answers with some of them. */
const mostGuessed = 120;

interface Question {
  readonly pluginId: string;
  readonly shown: (ids: WantedIds) => void;
}

/**
 * A search plugin ranks what its index shows it, and answers with most of it. So that is read while it
 * ranks. It is a guess and no more: a document's kind and id say what it is about where they are
 * written as `item`, `entity` and `<id>@<anything>`, and nothing is read ahead while the plugin is asked
 * two questions at once, since nobody can say for which of them the index was asked. Whatever was not
 * guessed is read when the answer is there.
 */
export function createReadAhead(): ReadAhead {
  const questions = new Set<Question>();

  return {
    shown: (pluginId, hits) => {
      const [only, ...others] = [...questions].filter((one) => one.pluginId === pluginId);
      const isGuess = hits.length > 0 && hits.length <= mostGuessed;
      if (only !== undefined && others.length === 0 && isGuess) only.shown(guess(hits));
    },

    begin: (pluginId, read) => {
      let ahead: { readonly ids: WantedIds; readonly things: ReturnType<typeof read> } | null =
        null;
      const question: Question = {
        pluginId,
        shown: (ids) => {
          const things = read(ids);
          // It fails where it is taken, if it is.
          things.catch(() => undefined);
          ahead = { ids, things };
        },
      };
      questions.add(question);
      return {
        take: (ids) => (ahead !== null && covers(ahead.ids, ids) ? ahead.things : read(ids)),
        end: () => void questions.delete(question),
      };
    },
  };
}

function guess(hits: readonly Pick<TextHit, 'id' | 'kind'>[]): WantedIds {
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
