import { rootsOf, type LibraryRow } from '../library-store.ts';

/** What is kept in memory of a library. */
export interface KnownLibrary {
  readonly no: number;
  readonly id: string;
  readonly name: string;
  readonly type: string;
  /** URIs, without a slash at the end. */
  readonly roots: readonly string[];
  readonly hidden: boolean;
}

/** Every library, hidden ones too, without asking the database; as it is before anybody is told of it. */
export interface KnownLibraries {
  readonly all: () => readonly KnownLibrary[];
  readonly find: (id: string) => KnownLibrary | undefined;
  readonly learn: (row: LibraryRow) => void;
  readonly forget: (id: string) => void;
  /** Also of one that was removed: what is told of its end is for those who saw it. */
  readonly isHidden: (id: string) => boolean;
}

export function createKnownLibraries(): KnownLibraries {
  const known = new Map<string, KnownLibrary>();
  const wereHidden = new Set<string>();
  return {
    all: () => [...known.values()],
    find: (id) => known.get(id),
    learn: (row) => void known.set(row.id, toKnown(row)),
    forget: (id) => {
      if (known.get(id)?.hidden === true) wereHidden.add(id);
      known.delete(id);
    },
    isHidden: (id) => known.get(id)?.hidden ?? wereHidden.has(id),
  };
}

/** The library of a row. */
export function toKnown(row: LibraryRow): KnownLibrary {
  const { no, id, name, type } = row;
  return { no, id, name, type, roots: rootsOf(row), hidden: Boolean(row.hidden) };
}
