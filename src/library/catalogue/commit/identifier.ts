import { createHash } from 'node:crypto';
import type { Identification, ServedKey } from '../../../../plugin-api/index.ts';
import { isNotGranted, isUnhandled, type CallPlugin, type Log } from '../../../../kernel/index.ts';
import { identificationByName, keyByPath, parseKeys } from './identification.ts';
import type { IndexedLibrary, Indexers } from './indexers.ts';

/** A file to identify. `path` is relative to its root. */
export interface UnknownFile {
  readonly path: string;
  readonly size: number;
}

/**
 * What a file is, which plugin says so (null = only its name), and the item to which it belongs.
 */
export interface IdentifiedFile {
  readonly identification: Identification;
  readonly pluginId: string | null;
  readonly groupKey: string;
}

/** What a name says, and which plugin read it (null = no plugin could). */
export type NamedFile = Omit<IdentifiedFile, 'groupKey'>;

/** Identifies files by their names. */
export type Identifier = ReturnType<typeof createIdentifier>;

const timeoutMs = 30_000;

export function createIdentifier(parts: {
  readonly call: CallPlugin;
  readonly providers: (key: ServedKey) => readonly string[];
  readonly indexers: Indexers;
  readonly log: Log;
}) {
  /**
   * Names without grouping, with only the indexers for which `isAsked` is true. Each indexer
   * that reads names is called for the files that those before it did not know.
   */
  async function name(
    library: IndexedLibrary,
    files: readonly UnknownFile[],
    isAsked: (pluginId: string) => boolean = () => true,
  ): Promise<readonly NamedFile[]> {
    const named: (NamedFile | null)[] = files.map(() => null);
    for (const pluginId of (await parts.indexers.of(library.type, 'name')).filter(isAsked)) {
      const open = [...files.keys()].filter((index) => named[index] === null);
      if (open.length === 0) break;
      const asked = open.map((index) => files[index] ?? { path: '', size: 0 });
      const question = { stage: 'name', files: asked } as const;
      const { answers } = await parts.indexers.ask(pluginId, library, question);
      for (const [at, index] of open.entries()) {
        const identification = answers[at];
        if (identification) named[index] = { identification, pluginId };
      }
    }
    return files.map(
      ({ path }, index) =>
        named[index] ?? { identification: identificationByName(path), pluginId: null },
    );
  }

  /**
   * The provider of the library's type groups its files; null when none does.
   */
  async function group(
    library: IndexedLibrary,
    files: readonly UnknownFile[],
    named: readonly NamedFile[],
  ): Promise<readonly string[] | null> {
    const input = {
      libraryId: library.id,
      libraryType: library.type,
      files: files.map((file, index) => ({
        path: file.path,
        identification: knownBy(named[index]),
      })),
    };
    for (const pluginId of parts.providers(`library:${library.type}`)) {
      try {
        const answer = await parts.call(pluginId, 'library.group', input, { timeoutMs });
        const keys = parseKeys(answer, files.length);
        if (keys !== null) return keys;
        parts.log.warn({ pluginId }, 'A library plugin did not give one key for each file');
      } catch (cause) {
        if (isNotGranted(cause) || isUnhandled(cause)) continue;
        parts.log.warn({ pluginId, err: cause }, 'A library plugin failed');
      }
    }
    return null;
  }

  return {
    name,
    /** One answer per file, in their order; never rejects and never drops a file. */
    identify: async (
      library: IndexedLibrary,
      files: readonly UnknownFile[],
    ): Promise<readonly IdentifiedFile[]> => {
      if (files.length === 0) return [];
      const named = await name(library, files);
      const keys = await group(library, files, named);
      return named.map((file, index) => ({
        ...file,
        groupKey: shortKey(keys?.[index] ?? keyByPath(files[index]?.path ?? '')),
      }));
    },
    /** The same without guesses: null for a file that no plugin knows, or that no plugin groups. */
    recognize: async (
      library: IndexedLibrary,
      files: readonly UnknownFile[],
    ): Promise<readonly (IdentifiedFile | null)[]> => {
      if (files.length === 0) return [];
      const named = await name(library, files);
      const keys = await group(library, files, named);
      return named.map((file, index) => {
        const key = keys?.[index];
        if (key === undefined || file.pluginId === null) return null;
        return { ...file, groupKey: shortKey(key) };
      });
    },
  };
}

/** Not every database indexes a longer key, since a character may have four bytes. */
const longestKey = 650;

const shortKey = (key: string): string =>
  key.length <= longestKey ? key : createHash('sha256').update(key).digest('hex');

/**
 * What a plugin said, without entities and pictures, which are large and not part of a key. The
 * fallback identification by name does not count as a plugin's.
 */
function knownBy(named: NamedFile | undefined): Identification | null {
  if (named === undefined || named.pluginId === null) return null;
  const { title, metadata, classification, edition, partNumber } = named.identification;
  return {
    title,
    metadata,
    ...(classification !== undefined && { classification }),
    ...(edition !== undefined && { edition }),
    ...(partNumber !== undefined && { partNumber }),
  };
}
