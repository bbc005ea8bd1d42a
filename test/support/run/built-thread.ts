import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Vite } from 'vitest/node';

/** Where the driver names it; its types come from the source. */
const source = `? './sqlite-thread.ts'`;
const built = pathToFileURL(path.resolve(import.meta.dirname, '../../../dist/sqlite-thread.mjs'));

/**
 * Connections to SQLite start the built thread, as in `npm start`. The source of it would have its types
 * taken out by each thread again, which takes longer than most tests.
 */
export const builtThread: Vite.Plugin = {
  name: 'built-sqlite-thread',
  // Of the source as it is written.
  enforce: 'pre',
  transform(code, id) {
    if (!id.endsWith('/kernel/storage/sqlite/node-sqlite-driver.ts')) return undefined;
    if (!code.includes(source)) throw new Error(`${id} does not name ${source}.`);
    return code.replace(source, `? ${JSON.stringify(built.href)}`);
  },
};
