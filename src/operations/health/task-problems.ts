import type { FoundProblem } from '../../platform/problems/index.ts';
import { causeText } from '../../platform/cause-text.ts';
import { say } from '../../platform/text.ts';

/** A scheduled task. */
export interface TaskState {
  readonly name: string;
  readonly lastError: string | null;
  readonly lastSuccess: string | null;
  readonly isOverdue: boolean;
}

/** A server without the internet works; it only learns nothing new. */
const overTheNetwork: ReadonlySet<string> = new Set(['update-check', 'marketplace']);

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
        message: say('tasks.scheduledBackupFailed'),
        detail: causeText(lastError),
        action: say('tasks.removeCauseRunAgainUnder'),
      },
    ];
  return [
    {
      code: 'task_failed',
      ...(overTheNetwork.has(name) && { severity: 'warning' }),
      subject,
      message: say('tasks.scheduledTaskFailed', { name }),
      detail: causeText(lastError),
      action: say('tasks.runsAgainWhenDueRun'),
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
          ? say('tasks.noScheduledBackupSucceededYet')
          : say('tasks.lastScheduledBackupOlderTwo'),
      ...(lastSuccess !== null && {
        detail: say('tasks.lastMadeAt', { lastSuccess }),
      }),
      action: say('tasks.manageSettingsReasonLastFailure'),
    },
  ];
}
