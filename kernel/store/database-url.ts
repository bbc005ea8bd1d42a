import path from 'node:path';
import { KernelError } from '../errors.ts';

export type DatabaseLocation =
  | { readonly dialect: 'sqlite'; readonly file: string }
  | { readonly dialect: 'postgres'; readonly url: string };

const wanted =
  'Give it as sqlite:<file>, such as sqlite:data/vitrine.db, or as postgres://user:password@host:port/database.';

/** Parses a database url. Messages never quote it, since it may hold a password. */
export function parseDatabaseUrl(url: string): DatabaseLocation {
  if (/^postgres(ql)?:/i.test(url)) return { dialect: 'postgres', url: postgresUrl(url) };
  if (!url.startsWith('sqlite:'))
    throw refusal(`The database url has an unknown scheme. ${wanted}`);
  const file = url.slice('sqlite:'.length);
  if (file === '' || file.includes('\0'))
    throw refusal(`The database url does not name a file. ${wanted}`);
  if (file === ':memory:') throw refusal(`A database in memory cannot be shared. ${wanted}`);
  return { dialect: 'sqlite', file: path.resolve(file) };
}

/** `?host=/folder` names the folder of a socket. The name of the database is required. */
function postgresUrl(url: string): string {
  const parsed = URL.parse(url.replace(/^[^:]*:\/\/([^/?#]*@)?\//, 'postgres://$1localhost/'));
  if (!/^[^:]*:\/\//.test(url) || parsed === null)
    throw refusal(
      `The database url cannot be parsed; write special characters of a password as %XX. ${wanted}`,
    );
  if (parsed.pathname.length < 2 || parsed.pathname.indexOf('/', 1) !== -1)
    throw refusal(`The database url does not name a database. ${wanted}`);
  return url;
}

function refusal(message: string): KernelError {
  return new KernelError('storage_failed', message);
}
