import { mapText, type Text } from '../text.ts';

/** How bad a problem is. `critical`: the server cannot do its work. `error`: a part of it does not work. */
export const problemSeverities = ['warning', 'error', 'critical'] as const;

/** The severity of a problem. */
export type ProblemSeverity = (typeof problemSeverities)[number];

/** What is known of every problem with a code. */
interface ProblemKind {
  /** The severity, where the problem itself does not state another. */
  readonly severity: ProblemSeverity;
  /** The source of its notification. */
  readonly source: string;
  /** It comes and goes too fast for a notification. */
  readonly isSilent?: true;
}

/** Every code of a problem. The page docs/operations.md lists them. */
export const problemKinds = {
  cannot_write: { severity: 'critical', source: 'storage' },
  database_unreachable: { severity: 'critical', source: 'storage' },
  database_slow: { severity: 'error', source: 'storage', isSilent: true },
  database_damaged: { severity: 'error', source: 'storage' },
  disk_nearly_full: { severity: 'warning', source: 'storage' },
  secrets_unreadable: { severity: 'error', source: 'storage' },
  backup_failed: { severity: 'error', source: 'backups' },
  backup_overdue: { severity: 'error', source: 'backups' },
  task_failed: { severity: 'error', source: 'scheduler' },
  index_expired: { severity: 'error', source: 'marketplace' },
  library_unreachable: { severity: 'error', source: 'libraries' },
  library_scan_failed: { severity: 'error', source: 'libraries' },
  library_incomplete: { severity: 'warning', source: 'libraries' },
  library_unwatched: { severity: 'warning', source: 'libraries' },
  plugin_given_up: { severity: 'warning', source: 'plugins' },
  plugin_failing: { severity: 'warning', source: 'plugins' },
  permissions_pending: { severity: 'warning', source: 'plugins' },
  overloaded: { severity: 'error', source: 'server', isSilent: true },
} as const satisfies Readonly<Record<string, ProblemKind>>;

/** The code of a problem. */
export type ProblemCode = keyof typeof problemKinds;

/** What has the problem: `{type: 'library', id}`. */
export interface ProblemSubject {
  readonly type: string;
  readonly id: string;
}

/** A problem as the part that notices it reports it. */
export interface FoundProblem {
  readonly code: ProblemCode;
  readonly severity?: ProblemSeverity;
  readonly subject: ProblemSubject;
  /** What is wrong, as one sentence. */
  readonly message: Text;
  /** The cause, as it was reported; it may quote a plugin. */
  readonly detail?: Text;
  /** What to do. */
  readonly action: Text;
  /** The plugin that `detail` quotes. */
  readonly quotes?: string;
}

/** A problem as it is shown, in the language of its reader. */
export interface Problem {
  readonly code: ProblemCode;
  readonly severity: ProblemSeverity;
  readonly subject: ProblemSubject;
  readonly message: string;
  readonly action: string;
  readonly since: string;
}

/** One subject has a problem with a code at most once. */
export const keyOf = ({ code, subject }: Pick<FoundProblem, 'code' | 'subject'>): string =>
  `${code} ${subject.type} ${subject.id}`;

export const severityOf = ({ code, severity }: Pick<FoundProblem, 'code' | 'severity'>) =>
  severity ?? problemKinds[code].severity;

/** Whether a severity is worse than another. */
export const isWorse = (one: ProblemSeverity, other: ProblemSeverity): boolean =>
  problemSeverities.indexOf(one) > problemSeverities.indexOf(other);

/** The text with a stop at its end, since causes from elsewhere often lack one. */
export const sentence = (text: string): string => {
  const trimmed = text.trim();
  return trimmed === '' || /[.!?…]$/.test(trimmed) ? trimmed : `${trimmed}.`;
};

/** A text with a stop at the end of each language. */
export const sentenceOf = (text: Text): Text => mapText(text, sentence);
