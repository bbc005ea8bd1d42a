import { KernelError, silentLog } from '../../../kernel/index.ts';
import { openReadOnly } from '../../../kernel/store/index.ts';
import { verifyAudit, type AuditVerdict } from '../../../src/platform/audit/index.ts';
import type { Config } from '../../../src/platform/config.ts';

/** The input of `vitrine audit verify`, and its outputs. */
export interface AuditVerifyParts {
  readonly config: Pick<Config, 'database' | 'storageDriver'>;
  /** The hash of an entry that was noted outside this machine. */
  readonly noted: string | null;
  readonly write: (text: string) => void;
  readonly complain: (text: string) => void;
}

/**
 * Verifies the chain of the audit log without changing it; a server may run meanwhile. Exit codes:
 * 0 the log is intact, 1 it is not, 2 it could not be read.
 */
export async function runAuditVerify(parts: AuditVerifyParts): Promise<number> {
  const verdict = await verdictOf(parts).catch((error: unknown) => unreadable(error, parts));
  if (verdict === null) return 2;
  if (verdict.ok) {
    const { count, hash, restores } = verdict;
    parts.write(`The audit log is intact: ${count} entries, the last hash is ${hash}\n`);
    if (restores > 0)
      parts.write(
        `Restored backups: ${restores}. This log contains the log that each of them replaced.\n`,
      );
    return 0;
  }
  parts.complain(`vitrine: the audit log is broken at entry ${verdict.seq}. ${verdict.fault}\n`);
  return 1;
}

async function verdictOf({ config, noted }: AuditVerifyParts): Promise<AuditVerdict> {
  const { database: url, storageDriver: driver } = config;
  const storage = await openReadOnly({
    url,
    log: silentLog,
    driver,
  });
  try {
    return await verifyAudit(storage.read, noted);
  } finally {
    await storage.close();
  }
}

function unreadable(error: unknown, { complain }: AuditVerifyParts): null {
  complain(`vitrine: the audit log cannot be read. ${reasonOf(error)}\n`);
  return null;
}

function reasonOf(error: unknown): string {
  if (error instanceof KernelError) return error.message;
  if (/no such table/.test(String(error))) return 'An older version wrote the database.';
  throw error;
}
