/**
 * How a plugin uses its powers: every use is counted, and each refusal is stored with its time and
 * reason. The log stays small under any input: similar calls share one entry, and the oldest entry is
 * dropped beyond the limit.
 */
import type { PermissionName } from '../../../plugin-api/index.ts';
import type { KernelErrorCode } from '../../errors.ts';
import { guestWords } from '../../foreign-text.ts';
import type { HostMethod } from '../../call/host-service.ts';
import type { Clock } from '../plugin/clock.ts';

export interface PowerUse {
  /** `net.fetch` */
  readonly call: string;
  /** The host, library or job type of the use; `null` = none. */
  readonly subject: string | null;
  /** The power that it needs; `null` = none. */
  readonly need: HostMethod['permission'];
}

/** How often one call was made with one subject. */
export interface CountedUse extends PowerUse {
  readonly count: number;
  /** How many of them were refused. */
  readonly refused: number;
}

/** A refused use; similar ones share an entry. */
export interface Refusal {
  readonly call: string;
  readonly subject: string | null;
  readonly permission: PermissionName | null;
  readonly code: string;
  /** The reason, as the plugin received it. */
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

/** The calls since the plugin was last started. */
export interface LastRun {
  /** ISO 8601; `null` = it has never been started. */
  readonly since: string | null;
  /** The most frequent first. */
  readonly calls: readonly CountedUse[];
}

/** The log of one plugin. */
export type PowerLog = ReturnType<typeof createPowerLog>;

/** A use of a power that was refused. */
export interface RefusedUse {
  readonly pluginId: string;
  readonly use: PowerUse;
  readonly code: string;
  readonly message: string;
}

/** Called for each refusal. */
export type OnRefusal = (
  use: PowerUse,
  why: { readonly code: string; readonly message: string },
) => void;

const mostCalls = 500;
const mostRefusals = 100;
const longestSubject = 200;
const longestMessage = 300;
/** Stands for all subjects beyond the limit. */
const others = '…';

/** Codes that mean "not allowed", not "failed". */
const refusing: ReadonlySet<string> = new Set([
  'permission_denied',
  'quota_exceeded',
  'overloaded',
  'net_refused',
  'outside_root',
] satisfies readonly KernelErrorCode[]);

/** References in answers are metadata. */
const claimNeed = { name: 'metadata', level: 'write' } as const;

/** Whether an answer with this code is a refusal. */
export const isRefusal = (code: string): boolean => refusing.has(code);

/** Creates an empty log. */
export function createPowerLog(clock: Clock, onRefusal: OnRefusal = () => undefined) {
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
    // Plugins can invent names of methods without limit.
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
    // Inserted again as the last entry, so that the first entry is the oldest.
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
    note: (use: PowerUse): void => {
      counted(use).count += 1;
      if (use.need) powerOf(use.need.name).uses += 1;
    },
    /** Records a use without a host call, such as a request for metadata. */
    exercise: (permission: PermissionName): void => {
      powerOf(permission).uses += 1;
    },
    /** Records that a recorded use was refused. */
    refuse: (
      use: PowerUse,
      { code, message }: { readonly code: string; readonly message: string },
    ): void => {
      counted(use).refused += 1;
      if (use.need) powerOf(use.need.name).refused += 1;
      keep(use, code, message);
      onRefusal(use, { code, message });
    },
    /**
     * Records that a reference in the plugin's answers is not accepted. It is not a call, so the
     * last run does not include it.
     */
    refuseClaim: (subject: string, message: string): void => {
      const use = { call: 'reference', subject, need: claimNeed };
      const code = 'permission_denied';
      powerOf(claimNeed.name).refused += 1;
      keep(use, code, message);
      onRefusal(use, { code, message });
    },
    /** The plugin starts: its last run begins now. */
    begin: (): void => {
      calls.clear();
      since = clock.now();
    },
    lastRun: (): LastRun => ({
      since: since === null ? null : new Date(since).toISOString(),
      calls: [...calls.values()].sort((one, other) => other.count - one.count),
    }),
    /** The latest first. */
    refusals: (): readonly Refusal[] =>
      [...refusals.values()].reverse().map((refusal) => ({
        ...refusal,
        firstAt: new Date(refusal.firstAt).toISOString(),
        lastAt: new Date(refusal.lastAt).toISOString(),
      })),
    /** By power; unused powers are absent. */
    powers: (): readonly PowerCount[] =>
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
