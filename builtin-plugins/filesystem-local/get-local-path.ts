import type { Handler, MethodCatalogue } from '../../plugin-api/index.ts';
import { pathOf } from './file-uri.ts';

type Method = MethodCatalogue['filesystem.getLocalPath'];
type ManyMethod = MethodCatalogue['filesystem.getLocalPaths'];

/** Where the file is on this machine, with every link followed. */
export const getLocalPath: Handler<Method['input'], Method['output']> = ({ uri }, host) =>
  host.disk.resolve({ path: pathOf(uri) });

/** Where many files are. The reader of a file follows links, so this makes no host call. */
export const getLocalPaths: Handler<ManyMethod['input'], ManyMethod['output']> = ({ uris }) => ({
  paths: uris.map(pathOf),
});
