/** A cache of this server that looks at the other servers for what it has not, and keeps that. */
import { cacheNameOf, unpackAnswer, type DiskCache } from '../net/index.ts';

export const createLentCache = (
  own: DiskCache,
  find: (name: string) => Promise<Buffer | null>,
): DiskCache => ({
  ...own,
  read: async (key) => {
    const kept = await own.read(key);
    if (kept !== null) return kept;
    const bytes = await find(cacheNameOf(key));
    const found = bytes === null ? null : unpackAnswer(bytes);
    if (found !== null) await own.write(key, found);
    return found;
  },
});
