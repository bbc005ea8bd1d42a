import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { ConfigError } from '../config.ts';

/** What a data folder holds only after a server has used it, with the words for a person. */
const traces: readonly (readonly [string, string])[] = [
  ['server.key', 'keys'],
  ['plugins', 'plugins'],
  ['backups', 'backups'],
];

/**
 * Refuses a database file of 0 bytes in the data folder of a server that had data. Taken for a new
 * database, it would let the next visitor set up the server.
 */
export function assertNotEmptied(folder: string, databaseUrl: string): void {
  if (!databaseUrl.startsWith('sqlite:')) return;
  const file = databaseUrl.slice('sqlite:'.length);
  if (statSync(file, { throwIfNoEntry: false })?.size !== 0) return;
  const found = traces.filter(([name]) => isFilled(path.join(folder, name)));
  if (found.length === 0) return;
  throw new ConfigError(
    `The database ${file} has 0 bytes, but the data folder holds the ${found.map(([, what]) => what).join(' and ')} of a server. Restore a backup with "vitrine backup restore <file>", or remove the database file to begin with a new one.`,
  );
}

function isFilled(place: string): boolean {
  const found = statSync(place, { throwIfNoEntry: false });
  if (found?.isDirectory() === true) return readdirSync(place).length > 0;
  return (found?.size ?? 0) > 0;
}
