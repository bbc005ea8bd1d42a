import path from 'node:path';
import { KernelError } from '../errors.ts';

/** Where the database is. */
export interface DatabaseLocation {
  readonly dialect: 'sqlite';
  readonly file: string;
}

const wanted = 'Give it as sqlite:<file>, such as sqlite:data/vitrine.db.';

/** Reads a database url. Its text is never quoted back, since a url may hold a password. */
export function parseDatabaseUrl(url: string): DatabaseLocation {
  if (/^postgres(ql)?:/i.test(url)) {
    throw refusal(`This version of Vitrine cannot use PostgreSQL yet. ${wanted}`);
  }
  if (!url.startsWith('sqlite:'))
    throw refusal(`The database url has an unknown scheme. ${wanted}`);
  const file = url.slice('sqlite:'.length);
  if (file === '' || file.includes('\0'))
    throw refusal(`The database url names no file. ${wanted}`);
  if (file === ':memory:') throw refusal(`A database in memory cannot be shared. ${wanted}`);
  return { dialect: 'sqlite', file: path.resolve(file) };
}

function refusal(message: string): KernelError {
  return new KernelError('storage_failed', message);
}
