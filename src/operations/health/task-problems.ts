import type { FoundProblem } from '../../platform/problems/index.ts';

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
  const again = 'run it again under Manage, Settings';
  if (name === 'backup')
    return [
      {
        code: 'backup_failed',
        subject,
        message: 'The scheduled backup failed.',
        detail: lastError,
        action: `Remove the cause; ${again}.`,
      },
    ];
  return [
    {
      code: 'task_failed',
      ...(overTheNetwork.has(name) && { severity: 'warning' }),
      subject,
      message: `The scheduled task ${name} failed.`,
      detail: lastError,
      action: `It runs again when it is due, or ${again}.`,
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
          ? 'No scheduled backup has succeeded yet.'
          : 'The last scheduled backup is older than two of its intervals.',
      ...(lastSuccess !== null && { detail: `It was made at ${lastSuccess}.` }),
      action:
        'Manage, Settings has the reason of the last failure; make a backup by hand meanwhile.',
    },
  ];
}
