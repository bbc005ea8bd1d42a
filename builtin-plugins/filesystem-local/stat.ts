import type { FileEntry, Handler } from '../../plugin-api/index.ts';
import { pathOf, uriOf } from './file-uri.ts';

/** One file or folder. */
export const stat: Handler<{ readonly uri: string }, FileEntry> = async ({ uri }, host) => {
  const { mounts, ...entry } = await host.disk.stat({ path: pathOf(uri) });
  return { uri, ...entry, ...(mounts && { mounts: mounts.map(uriOf) }) };
};
