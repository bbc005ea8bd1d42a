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
import type { Database } from '../../../kernel/storage/index.ts';
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

/** The problems of this server. */
export type Problems = ReturnType<typeof createProblems>;

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

/** Creates the table, without problems. */
export function createProblems(parts: ProblemsParts) {
  const { database, notifications, clock, log } = parts;
  const entries = new Map<string, Entry>();
  /** Those of before the start, until their code is reported. */
  const remembered = new Map<string, { readonly code: string; readonly since: number }>();
  /** Changes that are not stored yet; an entry that ended untold is still told. */
  const pending = new Map<string, Entry | null>();
  let saving: Promise<void> = Promise.resolve();
  let cancelAgain: Undo = () => undefined;
  let isOpen = false;

  function begin(key: string, found: FoundProblem): void {
    const before = remembered.get(key);
    const sinceMs = before?.since ?? clock.now();
    entries.set(key, { found, sinceMs, isTold: before !== undefined });
    remembered.delete(key);
    tellLog(found);
    pending.set(key, null);
  }

  function update(key: string, entry: Entry, found: FoundProblem): void {
    const isSame = JSON.stringify(entry.found) === JSON.stringify(found);
    if (isSame) return;
    if (isWorse(severityOf(found), severityOf(entry.found))) {
      entry.isTold = false;
      tellLog(found);
    }
    entry.found = found;
    pending.set(key, null);
  }

  function end(key: string, entry: Entry): void {
    entries.delete(key);
    log.info(fieldsOf(entry.found), `Solved: ${messageOf(entry.found).english}`);
    pending.set(key, entry.isTold ? null : entry);
  }

  function tellLog(found: FoundProblem): void {
    const level = severityOf(found) === 'warning' ? 'warn' : 'error';
    log[level](fieldsOf(found), joinTexts([messageOf(found), found.action]).english);
  }

  /** States that these are all problems with one of the codes. */
  const set = (codes: readonly ProblemCode[], found: readonly FoundProblem[]): void => {
    const now = new Map(found.map((one) => [keyOf(one), one]));
    for (const [key, one] of now) {
      const entry = entries.get(key);
      if (entry) update(key, entry, one);
      else begin(key, one);
    }
    for (const [key, entry] of entries)
      if (codes.includes(entry.found.code) && !now.has(key)) end(key, entry);
    for (const [key, { code }] of remembered)
      if (codes.some((one) => one === code)) {
        remembered.delete(key);
        pending.set(key, null);
      }
    if (pending.size > 0) save();
  };

  function save(): void {
    if (!isOpen) return;
    cancelAgain();
    saving = saving.then(saveAll);
  }

  async function saveAll(): Promise<void> {
    for (const [key, ended] of [...pending]) {
      pending.delete(key);
      try {
        await store(key, ended);
      } catch (error) {
        log.debug({ err: error, key }, 'A problem could not be stored; it is stored later.');
        if (!pending.has(key)) pending.set(key, ended);
      }
    }
    cancelAgain();
    if (pending.size > 0 && isOpen) cancelAgain = clock.after(againMs, save);
  }

  async function store(key: string, ended: Entry | null): Promise<void> {
    const entry = entries.get(key);
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

  return {
    set,
    /** The worst first, in the language of a reader; English without one. */
    list: (locale?: string | null): readonly Problem[] =>
      [...entries.values()]
        .map((entry) => toProblem(entry, locale))
        .sort(
          (a, b) =>
            Number(isWorse(b.severity, a.severity)) - Number(isWorse(a.severity, b.severity)),
        ),
    /** Reads what was known before the start. */
    open: async (): Promise<void> => {
      for (const { key, code, since } of await readProblems(database.read)) {
        const entry = entries.get(key);
        if (entry) Object.assign(entry, { isTold: true, sinceMs: Number(since) });
        else remembered.set(key, { code, since: Number(since) });
      }
      isOpen = true;
      if (pending.size > 0) save();
    },
    /** Waits for pending writes. */
    close: async (): Promise<void> => {
      isOpen = false;
      cancelAgain();
      await saving;
    },
  };
}

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
