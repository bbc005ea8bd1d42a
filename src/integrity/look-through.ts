import { checkDatabase, type DatabaseFault, type Queries } from '../../kernel/index.ts';
import { verifyAudit } from '../audit/index.ts';
import { countBroken } from './invariant-store.ts';
import { invariants } from './invariants.ts';

/**
 * Everything that is wrong with a database, in sentences for an admin. It only reads, and a server may
 * have the database open: between two statements others write, and no rule spans two statements.
 */
export async function lookThrough(read: Queries): Promise<readonly DatabaseFault[]> {
  const faults = [...(await checkDatabase(read))];
  if (faults.some(({ check }) => check === 'pages')) return faults;
  for (const invariant of invariants) {
    const broken = await countBroken(read, invariant);
    if (broken > 0)
      faults.push({ check: invariant.check, message: `${broken} ${invariant.broken}.` });
  }
  const audit = await verifyAudit(read);
  if (!audit.ok)
    faults.push({ check: 'audit', message: `Entry ${audit.seq} of the audit log: ${audit.fault}` });
  return faults;
}
