import { checkDatabase, type DatabaseFault, type Queries } from '../../../kernel/store/index.ts';
import { verifyAudit } from '../../platform/audit/index.ts';
import { countBroken } from './invariant-store.ts';
import { invariants } from './invariants.ts';

/**
 * All faults of a database, as sentences for an admin. It only reads, and a server may have the
 * database open. Other writes may happen between two statements, so no rule spans two statements.
 */
export async function checkIntegrity(read: Queries): Promise<readonly DatabaseFault[]> {
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
