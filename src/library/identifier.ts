import type { Capability, Identification } from '../../plugin-api/index.ts';
import type { CallPlugin, Log } from '../../kernel/index.ts';
import {
  identificationByName,
  keyByPath,
  parseIdentifications,
  parseKeys,
} from './identification.ts';
import { chunks } from './rows.ts';

/** A file to identify. `path` is relative to its root. */
export interface UnknownFile {
  readonly path: string;
  readonly size: number;
}

/** What a file is, who says so (null = its name alone), and which item it belongs to. */
export interface IdentifiedFile {
  readonly identification: Identification;
  readonly pluginId: string | null;
  readonly groupKey: string;
}

/** Finds out what new files are, from their names. */
export interface Identifier {
  /** One answer per file, in their order; never rejects and never loses a file. */
  readonly identify: (
    library: { readonly id: string; readonly type: string },
    files: readonly UnknownFile[],
  ) => Promise<readonly IdentifiedFile[]>;
}

const timeoutMs = 30_000;
const largestBatch = 500;

export function createIdentifier(parts: {
  readonly call: CallPlugin;
  readonly providers: (capability: Capability) => readonly string[];
  readonly log: Log;
}): Identifier {
  type Library = { readonly id: string; readonly type: string };
  type Named = Pick<IdentifiedFile, 'identification' | 'pluginId'>;

  /** Each indexer that knows this type of library is asked for what those before it did not know. */
  async function name(
    library: Library,
    files: readonly UnknownFile[],
  ): Promise<readonly (Named | null)[]> {
    const named: (Named | null)[] = files.map(() => null);
    for (const pluginId of parts.providers('indexer')) {
      const open = [...files.keys()].filter((index) => named[index] === null);
      if (open.length === 0) break;
      if (!(await supports(pluginId, library.type))) continue;
      const asked = open.map((index) => files[index] ?? { path: '', size: 0 });
      const answers = await ask(pluginId, library, asked);
      for (const [at, index] of open.entries()) {
        const identification = answers[at];
        if (identification) named[index] = { identification, pluginId };
      }
    }
    return named;
  }

  async function supports(pluginId: string, libraryType: string): Promise<boolean> {
    try {
      const options = { timeoutMs };
      return (await parts.call(pluginId, 'indexer.supports', { libraryType }, options)) === true;
    } catch (cause) {
      parts.log.warn({ pluginId, err: cause }, 'An indexer did not say what it supports');
      return false;
    }
  }

  async function ask(
    pluginId: string,
    library: Library,
    files: readonly UnknownFile[],
  ): Promise<readonly (Identification | null)[]> {
    const batches = chunks(files, largestBatch).map(async (batch) => {
      const input = { libraryId: library.id, libraryType: library.type, files: batch };
      try {
        const answer = await parts.call(pluginId, 'indexer.index', input, { timeoutMs });
        return parseIdentifications(answer, batch.length);
      } catch (cause) {
        parts.log.warn({ pluginId, files: batch.length, err: cause }, 'An indexer failed');
        return batch.map(() => null);
      }
    });
    return (await Promise.all(batches)).flat();
  }

  /** The first library plugin that gives one key for each file is believed. */
  async function group(
    library: Library,
    files: readonly UnknownFile[],
    named: readonly (Named | null)[],
  ): Promise<readonly string[]> {
    const input = {
      libraryId: library.id,
      libraryType: library.type,
      files: files.map((file, index) => ({
        path: file.path,
        identification: named[index]?.identification ?? null,
      })),
    };
    for (const pluginId of parts.providers('library')) {
      try {
        const answer = await parts.call(pluginId, 'library.group', input, { timeoutMs });
        const keys = parseKeys(answer, files.length);
        if (keys !== null) return keys;
        parts.log.warn({ pluginId }, 'A library plugin did not give one key for each file');
      } catch (cause) {
        parts.log.warn({ pluginId, err: cause }, 'A library plugin failed');
      }
    }
    return files.map((file) => keyByPath(file.path));
  }

  return {
    identify: async (library, files) => {
      if (files.length === 0) return [];
      const named = await name(library, files);
      const keys = await group(library, files, named);
      return files.map((file, index) => ({
        identification: named[index]?.identification ?? identificationByName(file.path),
        pluginId: named[index]?.pluginId ?? null,
        groupKey: keys[index] ?? keyByPath(file.path),
      }));
    },
  };
}
