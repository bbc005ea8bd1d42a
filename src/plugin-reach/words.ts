/** Libraries as somebody types them: `Films`, or `Films=Kids` for a folder of it. */
import type { ReachedScope } from '../../kernel/index.ts';

/** A library by its id and its name. */
export interface NamedLibrary {
  readonly id: string;
  readonly name: string;
}

/** What words pick, in the form in which a grant has it; or the word that picks nothing, and why. */
export type PickedWords =
  | { readonly kind: 'picked'; readonly libraries: readonly ReachedScope[] }
  /** `unknown`: there is no such library. `twice`: all of a library, and a folder of it as well. */
  | { readonly kind: 'unknown' | 'twice'; readonly word: string };

/** Finds what is meant: a name, or an id, and behind `=` a folder. */
export function pickWords(
  words: readonly string[],
  libraries: readonly NamedLibrary[],
): PickedWords {
  const picked = new Map<string, string[]>();
  for (const word of words) {
    const found = meant(word, libraries);
    if (!found) return { kind: 'unknown', word };
    const { id, folder } = found;
    const folders = picked.get(id);
    if (folders?.length === 0 || (folders !== undefined && folder === null))
      return { kind: 'twice', word };
    picked.set(id, [...(folders ?? []), ...(folder === null ? [] : [folder])]);
  }
  const scopes = [...picked].map(([id, folders]) => ({
    id,
    ...(folders.length > 0 && { folders }),
  }));
  return { kind: 'picked', libraries: scopes };
}

interface Meant {
  readonly id: string;
  /** The name or the id, as the word has it. */
  readonly called: string;
  readonly folder: string | null;
}

/** A name may have `=` in it; the longest name that fits is meant. */
function meant(word: string, libraries: readonly NamedLibrary[]): Meant | undefined {
  const fitting = libraries.flatMap(({ id, name }) =>
    [name, id].flatMap((called): readonly Meant[] => {
      if (word === called) return [{ id, called, folder: null }];
      const isIn = word.startsWith(`${called}=`);
      return isIn ? [{ id, called, folder: word.slice(called.length + 1) }] : [];
    }),
  );
  const [best] = fitting.sort((one, other) => other.called.length - one.called.length);
  return best;
}
