/**
 * The table of problems: the one place that knows what is wrong with the server. Health,
 * notifications, the log and the API read it, so they cannot disagree. The part that notices a
 * problem reports all problems of its codes at once, so what it does not report is solved.
 *
 * A problem causes one notification and one log line when it begins, and one log line when it ends;
 * its notification is then marked as read. The notification is stored as soon as the database can be
 * written, and a restart does not repeat it.
 */
import type { Log } from '../../../kernel/index.ts';
import type { Database } from '../../../kernel/store/index.ts';
import { toTimestamp, type Clock, type Undo } from '../clock.ts';
import type { Notice, Notifications } from '../notifications/index.ts';
import { joinTexts, quoted, textIn, type Text } from '../text.ts';
import { isWorse, keyOf, sentenceOf, severityOf, type FoundProblem } from './problem.ts';
import { deleteProblem, readProblems, saveProblem, type ProblemRow } from './problem-store.ts';
import {
  problemKinds,
  type Problem,
  type ProblemCode,
  type ProblemSeverity,
} from '../../contract/resources/operations/operations.ts';

/** The dependencies of the table. */
export interface ProblemsParts {
  readonly database: Database;
  readonly notifications: Pick<Notifications, 'keep' | 'resolve'>;
  readonly clock: Clock;
  readonly log: Log;
}

interface Entry {
  found: FoundProblem;
  sinceMs: number;
  isTold: boolean;
}

/** How long a change that could not be stored waits. */
const againMs = 10_000;

/** The problems of this server. */
export class Problems {
  readonly #parts: ProblemsParts;
  readonly #entries = new Map<string, Entry>();
  /** Those of before the start, until their code is reported. */
  readonly #remembered = new Map<string, { readonly code: string; readonly since: number }>();
  /** Changes that are not stored yet; an entry that ended untold is still told. */
  readonly #pending = new Map<string, Entry | null>();
  #saving: Promise<void> = Promise.resolve();
  #cancelAgain: Undo = () => undefined;
  #isOpen = false;

  constructor(parts: ProblemsParts) {
    this.#parts = parts;
  }

  #begin(key: string, found: FoundProblem): void {
    const before = this.#remembered.get(key);
    const sinceMs = before?.since ?? this.#parts.clock.now();
    this.#entries.set(key, { found, sinceMs, isTold: before !== undefined });
    this.#remembered.delete(key);
    this.#tellLog(found);
    this.#pending.set(key, null);
  }

  #update(key: string, entry: Entry, found: FoundProblem): void {
    const isSame = JSON.stringify(entry.found) === JSON.stringify(found);
    if (isSame) return;
    if (isWorse(severityOf(found), severityOf(entry.found))) {
      entry.isTold = false;
      this.#tellLog(found);
    }
    entry.found = found;
    this.#pending.set(key, null);
  }

  #end(key: string, entry: Entry): void {
    this.#entries.delete(key);
    this.#parts.log.info(fieldsOf(entry.found), `Solved: ${messageOf(entry.found).english}`);
    this.#pending.set(key, entry.isTold ? null : entry);
  }

  #tellLog(found: FoundProblem): void {
    const level = severityOf(found) === 'warning' ? 'warn' : 'error';
    this.#parts.log[level](fieldsOf(found), joinTexts([messageOf(found), found.action]).english);
  }

  /** States that these are all problems with one of the codes. */
  readonly set = (codes: readonly ProblemCode[], found: readonly FoundProblem[]): void => {
    const now = new Map(found.map((one) => [keyOf(one), one]));
    for (const [key, one] of now) {
      const entry = this.#entries.get(key);
      if (entry) this.#update(key, entry, one);
      else this.#begin(key, one);
    }
    for (const [key, entry] of this.#entries)
      if (codes.includes(entry.found.code) && !now.has(key)) this.#end(key, entry);
    for (const [key, { code }] of this.#remembered)
      if (codes.some((one) => one === code)) {
        this.#remembered.delete(key);
        this.#pending.set(key, null);
      }
    if (this.#pending.size > 0) this.#save();
  };

  readonly #save = (): void => {
    if (!this.#isOpen) return;
    this.#cancelAgain();
    this.#saving = this.#saving.then(this.#saveAll);
  };

  readonly #saveAll = async (): Promise<void> => {
    for (const [key, ended] of [...this.#pending]) {
      this.#pending.delete(key);
      try {
        await this.#store(key, ended);
      } catch (error) {
        this.#parts.log.debug(
          { err: error, key },
          'A problem could not be stored; it is stored later.',
        );
        if (!this.#pending.has(key)) this.#pending.set(key, ended);
      }
    }
    this.#cancelAgain();
    if (this.#pending.size > 0 && this.#isOpen)
      this.#cancelAgain = this.#parts.clock.after(againMs, this.#save);
  };

  async #store(key: string, ended: Entry | null): Promise<void> {
    const { notifications, database } = this.#parts;
    const entry = this.#entries.get(key);
    if (entry === undefined) {
      if (ended !== null && !ended.isTold && hasNotice(ended.found))
        await notifications.keep(noticeOf(key, ended.found), { isRead: true });
      await notifications.resolve(key);
      await database.write((trx) => deleteProblem(trx, key));
      return;
    }
    if (!entry.isTold && hasNotice(entry.found)) {
      await notifications.resolve(key);
      await notifications.keep(noticeOf(key, entry.found));
    }
    entry.isTold = true;
    const row = rowOf(key, entry);
    await database.write((trx) => saveProblem(trx, row));
  }

  /** The worst first, in the language of a reader; English without one. */
  readonly list = (locale?: string | null): readonly Problem[] =>
    [...this.#entries.values()]
      .map((entry) => toProblem(entry, locale))
      .sort(
        (a, b) => Number(isWorse(b.severity, a.severity)) - Number(isWorse(a.severity, b.severity)),
      );

  /** Reads what was known before the start. */
  readonly open = async (): Promise<void> => {
    for (const { key, code, since } of await readProblems(this.#parts.database.read)) {
      const entry = this.#entries.get(key);
      if (entry) Object.assign(entry, { isTold: true, sinceMs: Number(since) });
      else this.#remembered.set(key, { code, since: Number(since) });
    }
    this.#isOpen = true;
    if (this.#pending.size > 0) this.#save();
  };

  /** Waits for pending writes. */
  readonly close = async (): Promise<void> => {
    this.#isOpen = false;
    this.#cancelAgain();
    await this.#saving;
  };
}

/** Creates the table, without problems. */
export const createProblems = (parts: ProblemsParts): Problems => new Problems(parts);

const nothing: Text = quoted('');

const messageOf = ({ message, detail = nothing }: FoundProblem): Text =>
  joinTexts([sentenceOf(message), sentenceOf(detail)]);

const fieldsOf = ({ code, subject }: FoundProblem) => ({
  problem: code,
  subject: `${subject.type} ${subject.id}`,
});

const toProblem = ({ found, sinceMs }: Entry, locale?: string | null): Problem => ({
  code: found.code,
  severity: severityOf(found),
  subject: found.subject,
  message: textIn(messageOf(found), locale),
  action: textIn(found.action, locale),
  since: toTimestamp(sinceMs),
});

function rowOf(key: string, { found, sinceMs }: Entry): ProblemRow {
  const message = messageOf(found);
  return {
    key,
    code: found.code,
    severity: severityOf(found),
    since: sinceMs,
    message: message.english,
    message_german: message.german,
    action: found.action.english,
    action_german: found.action.german,
  };
}

const hasNotice = ({ code }: FoundProblem): boolean => !('isSilent' in problemKinds[code]);

const levels: Readonly<Record<ProblemSeverity, 'warning' | 'error'>> = {
  warning: 'warning',
  error: 'error',
  critical: 'error',
};

const noticeOf = (about: string, found: FoundProblem): Notice => ({
  about,
  level: levels[severityOf(found)],
  title: sentenceOf(found.message),
  message: joinTexts([sentenceOf(found.detail ?? nothing), found.action]),
  source: problemKinds[found.code].source,
  quotes: found.quotes,
});
