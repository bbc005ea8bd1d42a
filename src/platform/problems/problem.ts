import { mapText, type Text } from '../text.ts';
import {
  problemKinds,
  problemSeverities,
  type ProblemCode,
  type ProblemSeverity,
} from '../../contract/resources/operations/operations.ts';

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
