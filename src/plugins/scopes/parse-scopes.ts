/** Parses typed scopes: `Films` for a library, or `Films=Kids` for a folder of it. */
import type { ReachedScope } from '../../../kernel/index.ts';

/** A library by its id and its name. */
export interface NamedLibrary {
  readonly id: string;
  readonly name: string;
}

/** The parsed scopes in the form of a grant, or the first invalid word and the reason. */
export type ParsedScopes =
  | { readonly kind: 'parsed'; readonly libraries: readonly ReachedScope[] }
  /** `unknown`: there is no such library. `twice`: all of a library, and a folder of it as well. */
  | { readonly kind: 'unknown' | 'twice'; readonly word: string };

/** Parses each word: the name or the id of a library, and after `=` a folder. */
export function parseScopes(
  words: readonly string[],
  libraries: readonly NamedLibrary[],
): ParsedScopes {
  const foldersById = new Map<string, string[]>();
  for (const word of words) {
    const found = matchWord(word, libraries);
    if (!found) return { kind: 'unknown', word };
    const { id, folder } = found;
    const folders = foldersById.get(id);
    if (folders?.length === 0 || (folders !== undefined && folder === null))
      return { kind: 'twice', word };
    foldersById.set(id, [...(folders ?? []), ...(folder === null ? [] : [folder])]);
  }
  const scopes = [...foldersById].map(([id, folders]) => ({
    id,
    ...(folders.length > 0 && { folders }),
  }));
  return { kind: 'parsed', libraries: scopes };
}

interface WordMatch {
  readonly id: string;
  /** The name or the id that the word contains. */
  readonly called: string;
  readonly folder: string | null;
}

/** A name may contain `=`, so the longest matching name wins. */
function matchWord(word: string, libraries: readonly NamedLibrary[]): WordMatch | undefined {
  const fitting = libraries.flatMap(({ id, name }) =>
    [name, id].flatMap((called): readonly WordMatch[] => {
      if (word === called) return [{ id, called, folder: null }];
      const isIn = word.startsWith(`${called}=`);
      return isIn ? [{ id, called, folder: word.slice(called.length + 1) }] : [];
    }),
  );
  const [best] = fitting.sort((one, other) => other.called.length - one.called.length);
  return best;
}
