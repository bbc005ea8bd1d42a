import path from 'node:path';
import type { Config } from '../../platform/config.ts';

/** A folder that the server must be able to write. */
export interface WrittenFolder {
  /** As messages name it: `data folder`. */
  readonly name: string;
  readonly path: string;
}

/** The folder of the database is the data folder, unless the operator set another one. */
export function writtenFolders({
  data,
  database,
}: Pick<Config, 'data' | 'database'>): readonly WrittenFolder[] {
  const own = { name: 'data folder', path: data };
  if (!database.startsWith('sqlite:')) return [own];
  const folder = path.dirname(database.slice('sqlite:'.length));
  if (path.resolve(folder) === path.resolve(data)) return [own];
  return [own, { name: 'folder of the database', path: folder }];
}
