import type { Handler, MethodCatalogue } from '../../plugin-api/index.ts';
import { pathOf } from './file-uri.ts';

type Method = MethodCatalogue['filesystem.getLocalPath'];

/** Where the file is on this machine, with every link followed. */
export const getLocalPath: Handler<Method['input'], Method['output']> = ({ uri }, host) =>
  host.disk.resolve({ path: pathOf(uri) });
