import type { DiskChanges, Handler, MethodCatalogue } from '../../plugin-api/index.ts';
import { pathOf, uriOf } from './file-uri.ts';

type WatchInput = MethodCatalogue['filesystem.watch']['input'];

/** Waits for changes below a folder. A first call, without a cursor, begins the watch. */
export const watch: Handler<WatchInput, DiskChanges> = async ({ uri, cursor, waitMs }, host) => {
  const path = pathOf(uri);
  const page = await host.disk.changes({ path, cursor, waitMs });
  return {
    ...page,
    changes: page.changes.map((change) => ({ uri: uriOf(change.path), kind: change.kind })),
  };
};

/** Ends the watch. */
export const unwatch: Handler<{ readonly uri: string }, null> = ({ uri }, host) =>
  host.disk.unwatch({ path: pathOf(uri) });
