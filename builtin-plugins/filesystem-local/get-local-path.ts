import type { Handler, MethodCatalogue } from '../../plugin-api/index.ts';
import { pathOf } from './file-uri.ts';

type Method = MethodCatalogue['filesystem.getLocalPath'];
type ManyMethod = MethodCatalogue['filesystem.getLocalPaths'];

/** Where the file is on this machine, with every link followed. */
export const getLocalPath: Handler<Method['input'], Method['output']> = ({ uri }, host) =>
  host.disk.resolve({ path: pathOf(uri) });

/** Where many files are. Links are followed by whoever opens them, so nothing is asked here. */
export const getLocalPaths: Handler<ManyMethod['input'], ManyMethod['output']> = ({ uris }) => ({
  paths: uris.map(pathOf),
});
