import type { FileEntry, Handler } from '../../plugin-api/index.ts';
import { pathOf } from './file-uri.ts';

/** One file or folder. */
export const stat: Handler<{ readonly uri: string }, FileEntry> = async ({ uri }, host) => ({
  uri,
  ...(await host.disk.stat({ path: pathOf(uri) })),
});
