import type { Handler, ReadFileInput } from '../../plugin-api/index.ts';
import { pathOf } from './file-uri.ts';

/** A range of a file; fewer bytes at its end. */
export const read: Handler<ReadFileInput, Uint8Array> = ({ uri, offset, length }, host) =>
  host.disk.read({ path: pathOf(uri), offset, length });
