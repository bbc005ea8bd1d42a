import type { Handler, IndexInput, IndexResult } from '../../plugin-api/index.ts';
import { createIdentifier } from './identify-file.ts';
import { withTags } from './tags/with-tags.ts';

/**
 * `indexer.index`: reads a batch of names, in the stage `full` together with the tags of the files.
 * The result is `null` for every file of an unknown library type.
 */
export const indexFiles: Handler<IndexInput, IndexResult> = ({
  libraryId,
  libraryType,
  stage,
  files,
}) => {
  const thisYear = new Date().getUTCFullYear();
  const identify = createIdentifier(libraryType, thisYear, libraryId);
  if (identify === undefined) return { results: files.map(() => null) };
  const library = { type: libraryType, thisYear };
  return {
    results: files.map((file) => {
      const named = identify(file.path);
      return stage === 'full' ? withTags(named, file, library) : named;
    }),
  };
};
