import type { Handler, MethodCatalogue } from '../../plugin-api/index.ts';
import { pathOf } from './file-uri.ts';

type Method = MethodCatalogue['filesystem.getLocalPath'];
type ManyMethod = MethodCatalogue['filesystem.getLocalPaths'];

/**
 * Where the file is on this machine, as its path is written. The disk follows links when it opens the
 * file, and decides by the written path where they may lead.
 */
export const getLocalPath: Handler<Method['input'], Method['output']> = ({ uri }) => ({
  path: pathOf(uri),
});

/** The same for many files. */
export const getLocalPaths: Handler<ManyMethod['input'], ManyMethod['output']> = ({ uris }) => ({
  paths: uris.map(pathOf),
});
