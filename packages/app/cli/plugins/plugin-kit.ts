import { existsSync } from 'node:fs';
import path from 'node:path';
import type * as kit from '../../plugin-kit/index.ts';

/** The tools with which authors test plugins. Only their commands load it. */
export const loadKit = (): Promise<typeof kit> => import('../../plugin-kit/index.ts');

/** The file of `vitrine/plugin-test`: the built one beside the server, or its source. */
export function presetFile(): string {
  const names = ['plugin-test.mjs', '../../plugin-kit/plugin-test.ts'];
  const files = names.map((name) => path.resolve(import.meta.dirname, name));
  const found = files.find((file) => existsSync(file));
  if (found !== undefined) return found;
  throw new Error('Vitrine is not built: plugin-test.mjs is missing.');
}
