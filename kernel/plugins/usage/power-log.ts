/**
 * What a plugin does with what it may do: every use of a power is counted, and each one that was refused
 * is kept, with when and why. However often a plugin tries and whatever it names, the log stays small:
 * alike calls are one entry, and past the last entry the oldest goes.
 */
import type { PermissionName } from '../../../plugin-api/index.ts';
import type { KernelErrorCode } from '../../errors.ts';
import { guestWords } from '../../foreign-text.ts';
import type { HostMethod } from '../../host-service.ts';
import type { Clock } from '../clock.ts';

/** One use of a power. */
export interface PowerUse {
  /** `net.fetch` */
  readonly call: string;
  /** What it was used on: a host, a library, a type of jobs; `null` = nothing in particular. */
  readonly subject: string | null;
  /** What it takes; `null` = no power. */
  readonly need: HostMethod['permission'];
}

/** How often one call was made of one thing. */
export interface CountedUse extends PowerUse {
  readonly count: number;
  /** Of them, those that were refused. */
  readonly refused: number;
}

/** A use that was refused; alike ones are one. */
export interface Refusal {
  readonly call: string;
  readonly subject: string | null;
  readonly permission: PermissionName | null;
  readonly code: string;
  /** Why, as the plugin was told. */
  readonly message: string;
  readonly count: number;
  /** ISO 8601. */
  readonly firstAt: string;
  readonly lastAt: string;
}

/** How often a power was used. */
export interface PowerCount {
  readonly permission: PermissionName;
  readonly uses: number;
  readonly refused: number;
}

/** What was called since the plugin was last started. */
export interface LastRun {
  /** ISO 8601; `null` = it has not been started yet. */
  readonly since: string | null;
  /** The most frequent first. */
  readonly calls: readonly CountedUse[];
}

/** The log of one plugin. */
export interface PowerLog {
  readonly note: (use: PowerUse) => void;
  /** A power that is used without a call, such as when the plugin is asked for metadata. */
  readonly exercise: (permission: PermissionName) => void;
  /** That a use that was noted is refused. */
  readonly refuse: (
    use: PowerUse,
    why: { readonly code: string; readonly message: string },
  ) => void;
  /**
   * That something which the plugin named in its answers is not taken. It is no call, so its last run
   * has nothing of it.
   */
  readonly refuseClaim: (subject: string, message: string) => void;
  /** The plugin is started: what it called before counts no longer as its last run. */
  readonly begin: () => void;
  readonly lastRun: () => LastRun;
  /** The latest first. */
  readonly refusals: () => readonly Refusal[];
  /** By power; those that were never used are missing. */
  readonly powers: () => readonly PowerCount[];
}

/** Hears of each refusal. */
export type OnRefusal = (
  use: PowerUse,
  why: { readonly code: string; readonly message: string },
) => void;

const mostCalls = 500;
const mostRefusals = 100;
const longestSubject = 200;
const longestMessage = 300;
/** Stands for all that are too many to be told apart. */
const others = '…';

/** Codes that say that a plugin may not do something, and not that it did not work out. */
const refusing: ReadonlySet<string> = new Set([
  'permission_denied',
  'quota_exceeded',
  'overloaded',
  'net_refused',
  'outside_root',
] satisfies readonly KernelErrorCode[]);

/** What a plugin writes of items is metadata. */
const claimNeed = { name: 'metadata', level: 'write' } as const;

/** Whether an answer with this code is a refusal. */
export const isRefusal = (code: string): boolean => refusing.has(code);

/** Creates an empty log. */
export function createPowerLog(clock: Clock, onRefusal: OnRefusal = () => undefined): PowerLog {
  const calls = new Map<string, Counted>();
  const refusals = new Map<string, KeptRefusal>();
  const powers = new Map<PermissionName, { uses: number; refused: number }>();
  let since: number | null = null;

  function counted(use: PowerUse): Counted {
    const subject = use.subject === null ? null : guestWords(use.subject, longestSubject);
    const known = calls.get(keyOf(use.call, subject));
    if (known) return known;
    const isFull = calls.size >= mostCalls;
    const kept = isFull ? calls.get(keyOf(use.call, others)) : undefined;
    if (kept) return kept;
    const fresh = { ...use, subject: isFull ? others : subject, count: 0, refused: 0 };
    // A call that is none has a name of the plugin's choosing, and there is no end of them.
    if (calls.size < 2 * mostCalls) calls.set(keyOf(fresh.call, fresh.subject), fresh);
    return fresh;
  }

  function powerOf(permission: PermissionName): { uses: number; refused: number } {
    const known = powers.get(permission) ?? { uses: 0, refused: 0 };
    powers.set(permission, known);
    return known;
  }

  function keep(use: PowerUse, code: string, message: string): void {
    const subject = use.subject === null ? null : guestWords(use.subject, longestSubject);
    const key = JSON.stringify([use.call, subject, code]);
    const at = clock.now();
    const known = refusals.get(key) ?? { firstAt: at, count: 0 };
    // Set anew it is the last one, and the first one is the oldest.
    refusals.delete(key);
    refusals.set(key, {
      call: use.call,
      subject,
      permission: use.need?.name ?? null,
      code,
      message: guestWords(message, longestMessage),
      count: known.count + 1,
      firstAt: known.firstAt,
      lastAt: at,
    });
    const [oldest] = refusals.keys();
    if (refusals.size > mostRefusals && oldest !== undefined) refusals.delete(oldest);
  }

  return {
    note: (use) => {
      counted(use).count += 1;
      if (use.need) powerOf(use.need.name).uses += 1;
    },
    exercise: (permission) => {
      powerOf(permission).uses += 1;
    },
    refuse: (use, { code, message }) => {
      counted(use).refused += 1;
      if (use.need) powerOf(use.need.name).refused += 1;
      keep(use, code, message);
      onRefusal(use, { code, message });
    },
    refuseClaim: (subject, message) => {
      const use = { call: 'reference', subject, need: claimNeed };
      const code = 'permission_denied';
      powerOf(claimNeed.name).refused += 1;
      keep(use, code, message);
      onRefusal(use, { code, message });
    },
    begin: () => {
      calls.clear();
      since = clock.now();
    },
    lastRun: () => ({
      since: since === null ? null : new Date(since).toISOString(),
      calls: [...calls.values()].sort((one, other) => other.count - one.count),
    }),
    refusals: () =>
      [...refusals.values()].reverse().map((refusal) => ({
        ...refusal,
        firstAt: new Date(refusal.firstAt).toISOString(),
        lastAt: new Date(refusal.lastAt).toISOString(),
      })),
    powers: () =>
      [...powers].map(([permission, { uses, refused }]) => ({ permission, uses, refused })),
  };
}

interface Counted extends CountedUse {
  count: number;
  refused: number;
}

type KeptRefusal = Omit<Refusal, 'firstAt' | 'lastAt'> & {
  readonly firstAt: number;
  readonly lastAt: number;
};

const keyOf = (call: string, subject: string | null): string => `${call} ${subject ?? ''}`;
