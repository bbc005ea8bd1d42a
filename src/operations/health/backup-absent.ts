import type { FoundProblem } from '../../platform/problems/index.ts';
import { say } from '../../platform/text.ts';

/** Nobody makes backups: the database is PostgreSQL, and its programs are missing here. */
export const backupAbsence = (isAbsent: boolean): readonly FoundProblem[] =>
  isAbsent
    ? [
        {
          code: 'backup_absent',
          subject: { type: 'task', id: 'backup' },
          message: say('backups.nobodyBacksUp'),
          detail: say('backups.pgDumpIsMissing'),
          action: say('backups.installPgDump'),
        },
      ]
    : [];
