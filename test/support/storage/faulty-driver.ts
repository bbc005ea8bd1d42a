/**
 * SQLite that fails when a test says so, in the way it does: with the code of a locked file, a disk that
 * fails, a disk that is full or a damaged file; and as on a real disk it rolls back by itself the
 * transaction in which its disk failed.
 */
import type { SqliteDriver } from '../../../kernel/store/index.ts';
import type { SqliteConnection } from '../../../kernel/store/sqlite/driver.ts';

/** What may go wrong. */
export const faultKinds = ['BUSY', 'IOERR', 'FULL', 'CORRUPT'] as const;

/** And what a disk does that somebody made read-only; what only reads it goes on. */
export type FaultKind = (typeof faultKinds)[number] | 'READONLY';

/** A fault to come. */
export interface Fault {
  readonly kind: FaultKind;
  /** So many statements in a row fail. */
  readonly length: number;
  /**
   * So many statements may pass that met this kind of fault before; the next one fails with any
   * text. Infinity = it strikes what it has not met, or nothing.
   */
  readonly passes: number;
  /** When it is over it strikes again. */
  readonly repeats?: boolean;
}

/** When SQLite fails. */
export interface FaultPlan {
  readonly through: (driver: SqliteDriver) => SqliteDriver;
  /** The next statement fails whose text this kind of fault has not met yet. */
  readonly arm: (fault: Fault) => void;
  /** The disk is well again. */
  readonly disarm: () => void;
  /** The text at which the fault began that was armed last; `null` = it did not. */
  readonly struck: () => string | null;
  /** How often it did. */
  readonly strikes: () => number;
  /** So many different texts have met a kind of fault. */
  readonly met: (kind: FaultKind) => number;
  /** All texts that were sent so far, each once. */
  readonly sent: () => ReadonlySet<string>;
}

const messages: Readonly<Record<FaultKind, string>> = {
  BUSY: 'database is locked',
  IOERR: 'disk I/O error',
  FULL: 'database or disk is full',
  CORRUPT: 'database disk image is malformed',
  READONLY: 'attempt to write a readonly database',
};

const writing = /^(insert|update|delete|create|drop|alter|commit)\b/i;

/** Creates a plan of nothing. */
export function createFaultPlan(): FaultPlan {
  const met = new Map<FaultKind, Set<string>>();
  const sent = new Set<string>();
  const shapes = new Map<string, string>();
  let armed: Fault | null = null;
  let left = 0;
  let passed = 0;
  let struck: string | null = null;
  let strikes = 0;

  /** What is to go wrong with a statement; `null` = nothing. */
  function faultAt(sql: string): FaultKind | null {
    const text = shapes.get(sql) ?? shapeOf(sql);
    shapes.set(sql, text);
    sent.add(text);
    if (armed === null) return null;
    const { kind, length, passes, repeats } = armed;
    // Nobody can hold a lock against a rollback.
    if (kind === 'BUSY' && sql === 'ROLLBACK') return null;
    if (kind === 'READONLY' && !writing.test(sql)) return null;
    const known = met.get(kind) ?? new Set();
    met.set(kind, known);
    if (left === 0) {
      if (struck !== null && repeats !== true) return null;
      passed += 1;
      if (known.has(text) && passed <= passes) return null;
      struck = text;
      strikes += 1;
      left = length;
    }
    left -= 1;
    known.add(text);
    return kind;
  }

  const around = (connection: SqliteConnection): SqliteConnection => {
    let isInside = false;
    return {
      run: async (sql, bindings, wanted) => {
        const kind = faultAt(sql);
        if (kind !== null) {
          if (isInside && (kind === 'IOERR' || kind === 'FULL')) {
            isInside = false;
            await connection.run('ROLLBACK', [], 'changes');
          }
          throw Object.assign(new Error(`SQLITE_${kind}: ${messages[kind]}`), {
            code: `SQLITE_${kind}`,
          });
        }
        const result = await connection.run(sql, bindings, wanted);
        if (sql.startsWith('BEGIN')) isInside = true;
        if (/^(COMMIT;?|ROLLBACK;?)$/.test(sql)) isInside = false;
        return result;
      },
      isOpen: connection.isOpen,
      close: connection.close,
    };
  };

  return {
    through: (driver) => ({
      ...driver,
      open: async (file, mode) => around(await driver.open(file, mode)),
    }),
    arm: (fault) => {
      armed = fault;
      passed = 0;
      left = 0;
      strikes = 0;
      struck = null;
    },
    disarm: () => {
      armed = null;
      left = 0;
    },
    struck: () => struck,
    strikes: () => strikes,
    met: (kind) => met.get(kind)?.size ?? 0,
    sent: () => sent,
  };
}

/** Statements that differ only in how many values they bind, or in whose index they look, are one. */
const shapeOf = (sql: string): string =>
  sql
    .replaceAll(/\(\?(?:, \?)*\)(?:, \(\?(?:, \?)*\))*/g, '(?)')
    .replaceAll(/trx\d+/g, 'trx')
    .replaceAll(/text_index_\d+/g, 'text_index')
    .replaceAll(/'[^']*'/g, "'?'")
    .replaceAll(/\s+/g, ' ');
