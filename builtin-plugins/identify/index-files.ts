import type { Handler, IndexInput, IndexResult } from '../../plugin-api/index.ts';
import { createIdentifier } from './identify-file.ts';

/** `indexer.index`: reads a batch of names. `null` for every file of a library it does not know. */
export const indexFiles: Handler<IndexInput, IndexResult> = ({ libraryType, files }) => {
  const identify = createIdentifier(libraryType, new Date().getUTCFullYear());
  return { results: files.map(({ path }) => identify?.(path) ?? null) };
};
