import type { FoundProblem } from '../../platform/problems/index.ts';
import { causeText } from '../../platform/cause-text.ts';

/** A scheduled task. */
export interface TaskState {
  readonly name: string;
  readonly lastError: string | null;
  readonly lastSuccess: string | null;
  readonly isOverdue: boolean;
}

/** A server without the internet works; it only learns nothing new. */
const overTheNetwork: ReadonlySet<string> = new Set(['update-check', 'marketplace']);

/** The codes of the problems of tasks. */
export const taskCodes = ['task_failed', 'backup_failed', 'backup_overdue'] as const;

/** The problems of scheduled tasks: a last run that failed, and backups that are too old. */
export const taskProblems = (tasks: readonly TaskState[]): readonly FoundProblem[] =>
  tasks.flatMap((task) => [...failed(task), ...overdue(task)]);

function failed({ name, lastError }: TaskState): readonly FoundProblem[] {
  if (lastError === null) return [];
  const subject = { type: 'task', id: name };
  if (name === 'backup')
    return [
      {
        code: 'backup_failed',
        subject,
        message: {
          english: 'The scheduled backup failed.',
          german: 'Die geplante Sicherung ist gescheitert.',
        },
        detail: causeText(lastError),
        action: {
          english: 'Remove the cause; run it again under Manage, Settings.',
          german:
            'Beheben Sie die Ursache, und führen Sie sie unter Verwalten, Einstellungen noch einmal aus.',
        },
      },
    ];
  return [
    {
      code: 'task_failed',
      ...(overTheNetwork.has(name) && { severity: 'warning' }),
      subject,
      message: {
        english: `The scheduled task ${name} failed.`,
        german: `Die geplante Aufgabe ${name} ist gescheitert.`,
      },
      detail: causeText(lastError),
      action: {
        english: 'It runs again when it is due, or run it again under Manage, Settings.',
        german:
          'Sie läuft wieder, wenn sie an der Reihe ist, oder Sie führen sie unter Verwalten, Einstellungen noch einmal aus.',
      },
    },
  ];
}

function overdue({ name, lastSuccess, isOverdue }: TaskState): readonly FoundProblem[] {
  if (name !== 'backup' || !isOverdue) return [];
  return [
    {
      code: 'backup_overdue',
      subject: { type: 'task', id: name },
      message:
        lastSuccess === null
          ? {
              english: 'No scheduled backup has succeeded yet.',
              german: 'Noch keine geplante Sicherung ist gelungen.',
            }
          : {
              english: 'The last scheduled backup is older than two of its intervals.',
              german: 'Die letzte geplante Sicherung ist älter als zwei ihrer Abstände.',
            },
      ...(lastSuccess !== null && {
        detail: {
          english: `It was made at ${lastSuccess}.`,
          german: `Sie entstand am ${lastSuccess}.`,
        },
      }),
      action: {
        english:
          'Manage, Settings has the reason of the last failure; make a backup by hand meanwhile.',
        german:
          'Verwalten, Einstellungen nennt den Grund des letzten Fehlers; erstellen Sie inzwischen von Hand eine Sicherung.',
      },
    },
  ];
}
