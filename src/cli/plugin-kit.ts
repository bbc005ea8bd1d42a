import { existsSync } from 'node:fs';
import path from 'node:path';
import type * as kit from '../plugin-kit/index.ts';

/** What authors try their plugins out with; no other command needs it, so it is loaded when asked for. */
export const loadKit = (): Promise<typeof kit> => import('../plugin-kit/index.ts');

/** What `vitrine/plugin-test` is: built beside the server, or as it is written. */
export function presetFile(): string {
  const names = ['plugin-test.mjs', '../plugin-kit/plugin-test.ts'];
  const files = names.map((name) => path.resolve(import.meta.dirname, name));
  const found = files.find((file) => existsSync(file));
  if (found !== undefined) return found;
  throw new Error('Vitrine is not built: plugin-test.mjs is missing.');
}
