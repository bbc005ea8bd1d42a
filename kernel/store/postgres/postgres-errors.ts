import { KernelError, type KernelErrorCode } from '../../errors.ts';

/** The server is unavailable. The request may be repeated. */
export class ConnectionLost extends KernelError {
  constructor(cause: unknown) {
    super('storage_failed', `PostgreSQL cannot be reached (${reasonOf(cause)}).`, { cause });
  }
}

/** The error with its original message, without the SQL that knex added. */
export function withoutSql(error: unknown, sql: string): unknown {
  const beginning = `${sql} - `;
  if (error instanceof KernelError && error.message.startsWith(beginning))
    error.message = error.message.slice(beginning.length);
  return error;
}

/** Codes of Node and of PostgreSQL for a connection that was lost or could not be made. */
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

/** The properties of an error that may hold a bound value. */
const telling = ['detail', 'where', 'internalQuery', 'query'] as const;

/** The error for callers: one kind for a lost server, and without values. */
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

/** Failures of PostgreSQL itself, in the kernel's codes. */
const failures: Readonly<Record<string, readonly [KernelErrorCode, string]>> = {
  '53100': [
    'storage_full',
    'The disk of PostgreSQL is full, and nothing was stored. Make room on it.',
  ],
  '25006': [
    'storage_read_only',
    'The PostgreSQL database can only be read: it is a standby, was made read-only, or is behind a pooler whose sessions other programs made read-only. Give the url of one that can be written.',
  ],
  XX001: [
    'storage_damaged',
    'PostgreSQL reports damaged data. Read its log, and restore a backup.',
  ],
  XX002: [
    'storage_damaged',
    'PostgreSQL reports a damaged index. Read its log, and run "reindex database".',
  ],
  '53200': ['storage_failed', 'There is no memory left for PostgreSQL.'],
  '58030': ['storage_failed', 'The disk of PostgreSQL failed.'],
};

function isLost(error: Error): boolean {
  if (lost.has(codeOf(error)) || lostWords.test(error.message)) return true;
  return error instanceof AggregateError && error.errors.some((one) => lost.has(codeOf(one)));
}

/** Why the database could not be opened, for the operator. It holds no text of the url. */
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
  '3D000': 'PostgreSQL does not have the database that the database url names. Create it first.',
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
