import type {
  FetchInput,
  FetchResult,
  Host,
  KvEntry,
  LoggedEvent,
} from '../../plugin-api/index.ts';

/** A host with a store, an event log and a network in memory, for the tests of this plugin. */
export interface FakeHost {
  readonly host: Host;
  readonly kv: Map<string, unknown>;
  /** Events that wait in the event log. */
  readonly logged: LoggedEvent[];
  /** The patterns that are followed. */
  readonly followed: () => readonly string[];
  readonly sent: FetchInput[];
  /** The scheduled times, by name. */
  readonly wakes: Map<string, number>;
  readonly notices: string[];
  /** Called before each host call with its name; may throw or wait. */
  before: (call: string) => Promise<void> | void;
  /** A receiver's answer: a status, headers with it, or an error of the host. */
  answer: (input: FetchInput) => Answer | Promise<Answer>;
}

/** What a receiver answers. */
export type Answer = number | Pick<FetchResult, 'status' | 'headers'> | Error;

/** An error that a host call rejects with. */
export const hostError = (code: string): Error =>
  Object.assign(new Error(`It is ${code}.`), { code });

/** Builds an empty one, with a way to sign. */
export function createFakeHost(sign: (message: string) => string): FakeHost {
  const kv = new Map<string, unknown>();
  const sent: FetchInput[] = [];
  const wakes = new Map<string, number>();
  const notices: string[] = [];
  let logged: LoggedEvent[] = [];
  let followed: readonly string[] = [];

  const fake: FakeHost = {
    host: undefined as never,
    kv,
    get logged() {
      return logged;
    },
    followed: () => followed,
    sent,
    wakes,
    notices,
    before: () => undefined,
    answer: () => 200,
  };

  const on =
    <Input, Output>(name: string, run: (input: Input) => Output | Promise<Output>) =>
    async (input: Input): Promise<Output> => {
      await fake.before(name);
      return structuredClone(await run(input));
    };

  const keysWith = (prefix: string): readonly string[] =>
    [...kv.keys()].filter((key) => key.startsWith(prefix)).sort();

  function scan(input: ScanInput): { entries: KvEntry[]; cursor: string | null } {
    const { prefix = '', cursor = null, limit = 100, reverse = false } = input;
    const keys = reverse ? keysWith(prefix).toReversed() : keysWith(prefix);
    const later = keys.filter((key) => cursor === null || (reverse ? key < cursor : key > cursor));
    const page = later.slice(0, limit);
    const entries = page.map((key) => ({ key, value: kv.get(key) }));
    return { entries, cursor: page.length < later.length ? (page.at(-1) ?? null) : null };
  }

  const services = {
    kv: {
      get: on('kv.get', ({ key }: { key: string }) => kv.get(key) ?? null),
      set: on('kv.set', ({ key, value }: KvEntry) => {
        kv.set(key, value);
        return null;
      }),
      remove: on('kv.remove', ({ key }: { key: string }) => {
        kv.delete(key);
        return null;
      }),
      scan: on('kv.scan', scan),
      list: on('kv.list', (input: ScanInput) => {
        const { entries, cursor } = scan({ limit: 1000, ...input });
        return { keys: entries.map(({ key }) => key), cursor };
      }),
      batch: on('kv.batch', ({ remove = [], set = [] }: BatchInput) => {
        for (const key of remove) kv.delete(key);
        for (const { key, value } of structuredClone(set)) kv.set(key, value);
        return null;
      }),
      count: on('kv.count', ({ prefix, most }: { prefix: string; most: number }) => ({
        count: Math.min(keysWith(prefix).length, most),
      })),
      trim: on('kv.trim', ({ prefix, keep }: { prefix: string; keep: number }) => {
        const gone = keysWith(prefix).slice(0, Math.max(0, keysWith(prefix).length - keep));
        for (const key of gone) kv.delete(key);
        return { removed: gone.length };
      }),
    },
    eventLog: {
      follow: on('eventLog.follow', ({ patterns }: { patterns: readonly string[] }) => {
        followed = patterns;
        return null;
      }),
      read: on('eventLog.read', ({ limit = 100 }: { limit?: number }) => ({
        events: logged.slice(0, limit),
        more: logged.length > limit,
      })),
      release: on('eventLog.release', ({ ids }: { ids: readonly string[] }) => {
        logged = logged.filter(({ id }) => !ids.includes(id));
        return null;
      }),
    },
    net: {
      fetch: on('net.fetch', async (input: FetchInput): Promise<FetchResult> => {
        sent.push(input);
        const answer = await fake.answer(input);
        if (answer instanceof Error) throw answer;
        const reply = typeof answer === 'number' ? { status: answer, headers: {} } : answer;
        return { ...reply, body: '', cache: 'miss' };
      }),
    },
    secrets: {
      sign: on('secrets.sign', ({ messages }: { messages: readonly string[] }) => ({
        signature: sign(messages.join('')),
      })),
    },
    schedule: {
      set: on('schedule.set', ({ name, at }: { name: string; at: number }) => {
        wakes.set(name, at);
        return null;
      }),
      clear: on('schedule.clear', ({ name }: { name: string }) => {
        wakes.delete(name);
        return null;
      }),
    },
    notifications: {
      tell: on('notifications.tell', ({ title }: { title: string }) => {
        notices.push(title);
        return null;
      }),
    },
  };
  return Object.defineProperty(fake, 'host', { value: services });
}

interface ScanInput {
  readonly prefix?: string;
  readonly cursor?: string | null;
  readonly limit?: number;
  readonly reverse?: boolean;
}

interface BatchInput {
  readonly remove?: readonly string[];
  readonly set?: readonly KvEntry[];
}
