import { KernelError, type KernelErrorCode } from '../../errors.ts';

/** The server went away, or is not there yet. What was asked may be asked again. */
export class ConnectionLost extends KernelError {
  constructor(cause: unknown) {
    super('storage_failed', `PostgreSQL cannot be reached (${reasonOf(cause)}).`, { cause });
  }
}

/** The message of an error that clients and plugins are told, as it was before SQL went into it. */
export function withoutSql(error: unknown, sql: string): unknown {
  const beginning = `${sql} - `;
  if (error instanceof KernelError && error.message.startsWith(beginning))
    error.message = error.message.slice(beginning.length);
  return error;
}

/** Codes of Node and of PostgreSQL for a connection that is gone or could not be made. */
const lost = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EHOSTUNREACH'],
  ...['ENETUNREACH', 'EPIPE', 'ENOENT'],
  ...[
    '57P01',
    '57P02',
    '57P03',
    '57P05',
    '53300',
    '08000',
    '08001',
    '08003',
    '08004',
    '08006',
    '25P03',
  ],
]);
const lostWords = /^(Connection terminated|Client has encountered a connection error|timeout expi)/;

/** What of an error could tell a value that was bound. */
const telling = ['detail', 'where', 'internalQuery', 'query'] as const;

/** An error as the parts above may see it: of one kind when the server is gone, and without values. */
export function toStorageError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof KernelError) return error;
  if (isLost(error)) return new ConnectionLost(error);
  const failure = failures[codeOf(error)];
  if (failure !== undefined) return new KernelError(failure[0], failure[1], { cause: error });
  const fields: Record<string, unknown> = error as never;
  for (const name of telling) if (name in fields) fields[name] = undefined;
  // "invalid input syntax for type bigint: …"
  if (codeOf(error).startsWith('22')) error.message = error.message.replace(/: ".*$/s, '');
  return error;
}

/** What PostgreSQL itself failed with, as SQLite's failures are told. */
const failures: Readonly<Record<string, readonly [KernelErrorCode, string]>> = {
  '53100': [
    'storage_full',
    'The disk of PostgreSQL is full, and nothing was stored. Make room on it.',
  ],
  '25006': [
    'storage_read_only',
    'The PostgreSQL database can only be read: it is a standby, or was made read-only. Give the url of one that can be written.',
  ],
  XX001: [
    'storage_damaged',
    'PostgreSQL says that its data are damaged. Look into its log, and restore a backup.',
  ],
  XX002: [
    'storage_damaged',
    'PostgreSQL says that an index is damaged. Look into its log, and run "reindex database".',
  ],
  '53200': ['storage_failed', 'There is no memory left for PostgreSQL.'],
  '58030': ['storage_failed', 'The disk of PostgreSQL failed.'],
};

function isLost(error: Error): boolean {
  if (lost.has(codeOf(error)) || lostWords.test(error.message)) return true;
  return error instanceof AggregateError && error.errors.some((one) => lost.has(codeOf(one)));
}

/** Why the database could not be opened, for who gave its url. No text of the url is in it. */
export function whyNotOpened(cause: unknown): unknown {
  if (cause instanceof ConnectionLost) {
    const advice = 'Check the host and the port of the database url, and that the server runs.';
    return new KernelError('storage_failed', `${cause.message} ${advice}`, { cause: cause.cause });
  }
  if (cause instanceof KernelError) return cause;
  const reason = reasons[codeOf(cause)];
  if (reason !== undefined) return new KernelError('storage_failed', reason, { cause });
  if (!(cause instanceof Error) || !/SSL|TLS|certificate|password|SASL/i.test(cause.message))
    return cause;
  return new KernelError('storage_failed', `PostgreSQL refuses the connection: ${cause.message}`, {
    cause,
  });
}

const reasons: Readonly<Record<string, string>> = {
  '28P01': 'PostgreSQL refuses the user or the password of the database url.',
  '28000': 'PostgreSQL refuses the user of the database url; see its pg_hba.conf.',
  '3D000': 'PostgreSQL has no database of the name in the database url. Create it first.',
  '42501':
    'The user of the database url may not create tables. Make it the owner of the database, or grant it the schema.',
};

function reasonOf(cause: unknown): string {
  const code = codeOf(cause);
  if (code !== '') return code;
  if (cause instanceof AggregateError) return reasonOf(cause.errors[0]);
  return cause instanceof Error && cause.message.startsWith('timeout')
    ? 'no answer'
    : 'the connection ended';
}

function codeOf(error: unknown): string {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : '';
  return typeof code === 'string' ? code : '';
}
