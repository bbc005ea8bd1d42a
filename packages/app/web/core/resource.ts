/**
 * Data of the server that pages show. What was read is shown at once when a page comes again, and
 * read again in the background; an event of the server marks it as old.
 */
import { signal, type ReadonlySignal, type Signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

/** The state of one resource. `value` stays while it is read again. */
export interface Loaded<Value> {
  readonly value: Value | undefined;
  readonly error: unknown;
  readonly isLoading: boolean;
}

interface Entry {
  readonly state: Signal<Loaded<unknown>>;
  load: () => Promise<unknown>;
  readonly topics: readonly string[];
  isOld: boolean;
  running: Promise<void> | undefined;
  users: number;
}

/** More are dropped, the least recently used first. */
const maxEntries = 120;
const entries = new Map<string, Entry>();

function entryOf(key: string, topics: readonly string[], load: () => Promise<unknown>): Entry {
  const known = entries.get(key);
  if (known !== undefined) {
    entries.delete(key);
    entries.set(key, known);
    known.load = load;
    return known;
  }
  const state = signal<Loaded<unknown>>({ value: undefined, error: undefined, isLoading: true });
  const entry: Entry = { state, load, topics, isOld: true, running: undefined, users: 0 };
  entries.set(key, entry);
  for (const [old, { users }] of entries) {
    if (entries.size <= maxEntries) break;
    if (users === 0 && old !== key) entries.delete(old);
  }
  return entry;
}

async function read(entry: Entry): Promise<void> {
  entry.isOld = false;
  entry.state.value = { ...entry.state.peek(), isLoading: true };
  try {
    entry.state.value = { value: await entry.load(), error: undefined, isLoading: false };
  } catch (error) {
    entry.isOld = true;
    entry.state.value = { ...entry.state.peek(), error, isLoading: false };
  }
}

function refresh(entry: Entry): Promise<void> {
  entry.running ??= read(entry).finally(() => {
    entry.running = undefined;
    if (entry.isOld && entry.users > 0 && entry.state.peek().error === undefined)
      void refresh(entry);
  });
  return entry.running;
}

/**
 * A resource of the server, shared by its key. `topics` name what it is made of: an event that
 * touches one of them reads it again.
 */
export function useResource<Value>(
  key: string,
  topics: readonly string[],
  load: () => Promise<Value>,
): ReadonlySignal<Loaded<Value>> {
  const entry = entryOf(key, topics, load);
  useEffect(() => {
    entry.users += 1;
    if (entry.isOld || entry.state.peek().error !== undefined) void refresh(entry);
    return () => {
      entry.users -= 1;
      // A page that is shown again shows what it had, and asks whether that is still so.
      entry.isOld = true;
    };
  }, [entry]);
  return entry.state as Signal<Loaded<Value>>;
}

/** Reads a resource before its page is shown, so that the page appears whole. */
export function preload<Value>(
  key: string,
  topics: readonly string[],
  load: () => Promise<Value>,
): Promise<void> {
  const entry = entryOf(key, topics, load);
  return entry.state.peek().value === undefined ? refresh(entry) : Promise.resolve();
}

/** Reads a resource that failed again, as a person asks. */
export function readAgain(state: ReadonlySignal<Loaded<unknown>>): void {
  for (const entry of entries.values()) if (entry.state === state) void refresh(entry);
}

/** What was read under a key; `undefined` = nothing by now. */
export const peekResource = <Value>(key: string): Value | undefined =>
  entries.get(key)?.state.peek().value as Value | undefined;

/** Makes known what another resource has of this one. It is shown at once, and read when it is shown. */
export function seedResource<Value>(
  key: string,
  given: {
    readonly topics: readonly string[];
    readonly load: () => Promise<Value>;
    readonly value: Value;
  },
): void {
  const { state } = entryOf(key, given.topics, given.load);
  if (state.peek().value === undefined)
    state.value = { value: given.value, error: undefined, isLoading: false };
}

/** Changes what is shown at once, before the server has answered. */
export function patchResource<Value>(key: string, change: (value: Value) => Value): void {
  const entry = entries.get(key);
  const value = entry?.state.peek().value as Value | undefined;
  if (entry !== undefined && value !== undefined)
    entry.state.value = { ...entry.state.peek(), value: change(value) };
}

/** Reads what is made of these topics again: now if it is shown, else when it is shown. */
export function invalidate(touched: (topic: string) => boolean): void {
  for (const entry of entries.values()) {
    if (!entry.topics.some(touched)) continue;
    entry.isOld = true;
    if (entry.users > 0) void refresh(entry);
  }
}

/** Forgets everything: another person or profile sees something else. */
export function forgetResources(): void {
  for (const [key, entry] of entries) {
    if (entry.users === 0) entries.delete(key);
    else {
      entry.state.value = { value: undefined, error: undefined, isLoading: true };
      entry.isOld = true;
      void refresh(entry);
    }
  }
}
