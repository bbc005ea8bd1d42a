/** What is counted while a database fails. */
import { saidBy, type HeardAnswer } from './clear-answer.ts';
import type { FaultKind } from '../storage/faulty-driver.ts';
import type { SentRequest } from './hurt-server.ts';

/** What one kind of fault did. */
export interface FaultTally {
  readonly kind: FaultKind;
  /** How often statements began to fail. */
  faults: number;
  /** So many different statements met it. */
  statements: number;
  requests: number;
  /** Answers by what they said: `200`, `503 storage_failed`. */
  readonly answers: Map<string, number>;
  /** Starts that did not come up and said clearly why. */
  refusedStarts: number;
  /** What was neither a success nor a clear refusal, in words. */
  readonly unclear: string[];
  /** Faults after which the server did not do again at once what it was asked for. */
  readonly unrecovered: string[];
}

/** Nothing has happened yet. */
export const createTally = (kind: FaultKind): FaultTally => ({
  ...{ kind, faults: 0, statements: 0, requests: 0, refusedStarts: 0 },
  ...{ answers: new Map(), unclear: [], unrecovered: [] },
});

/** What a request was answered with, and at which statement something had gone wrong. */
export interface Heard {
  readonly request: SentRequest;
  readonly answer: HeardAnswer;
  readonly may?: readonly number[];
  readonly at: string | null;
}

/** Counts an answer; gives what it said. */
export function hear(tally: FaultTally, { request, answer, may, at }: Heard): string | null {
  const said = saidBy(answer, may);
  tally.requests += 1;
  tally.answers.set(said ?? '?', (tally.answers.get(said ?? '?') ?? 0) + 1);
  if (said === null) {
    const { status, text } = answer;
    const what = `${request.method} ${request.route}: ${status} ${text.slice(0, 300)}`;
    tally.unclear.push(`${what} at ${at?.slice(0, 120) ?? 'no fault'}`);
  }
  return said;
}

/** One statement, a few, and for so long that every retry fails as well. */
export const lengths = [1, 2, 1, 7, 1, 40] as const;

/** The length of the fault of that number. */
export const lengthOf = (at: number): number => lengths[at % lengths.length] ?? 1;
