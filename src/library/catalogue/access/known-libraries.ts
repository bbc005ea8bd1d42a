import { canonicalTags } from '../../../platform/language-tag.ts';
import { parseSources } from '../tables/library-sources.ts';
import { linksOf, rootsOf, type LibraryRow, type LinkFolder } from '../tables/library-store.ts';

/** The fields of a library that are held in memory. */
export interface KnownLibrary {
  readonly no: number;
  readonly id: string;
  readonly name: string;
  readonly type: string;
  /** URIs without a trailing slash. */
  readonly roots: readonly string[];
  /** Where links below its roots may lead as well. */
  readonly links: readonly LinkFolder[];
  readonly hidden: boolean;
  /** The languages of its titles and summaries, best first: BCP 47 tags. */
  readonly languages: readonly string[];
}

/** All libraries, hidden ones too, from memory. They change before the change is announced. */
export type KnownLibraries = ReturnType<typeof createKnownLibraries>;

export function createKnownLibraries() {
  const known = new Map<string, KnownLibrary>();
  const wereHidden = new Set<string>();
  return {
    all: (): readonly KnownLibrary[] => [...known.values()],
    find: (id: string): KnownLibrary | undefined => known.get(id),
    learn: (row: LibraryRow): void => void known.set(row.id, toKnown(row)),
    forget: (id: string): void => {
      if (known.get(id)?.hidden === true) wereHidden.add(id);
      known.delete(id);
    },
    /**
     * Also true of a removed hidden library, since events about its removal follow the same rule.
     */
    isHidden: (id: string): boolean => known.get(id)?.hidden ?? wereHidden.has(id),
  };
}

/** Converts a row to the in-memory form. */
export function toKnown(row: LibraryRow): KnownLibrary {
  const { no, id, name, type } = row;
  const languages = canonicalTags(parseSources(row.sources).languages);
  const [roots, links] = [rootsOf(row), linksOf(row)];
  return { no, id, name, type, roots, links, hidden: Boolean(row.hidden), languages };
}
