/**
 * The downloads of the profile: one after the other, in one tab at a time. They go on over all routes,
 * and after a reload. A tab that changes something tells the others.
 */
import { computed, effect, signal } from '@preact/signals';
import { call, Refusal, requestHeaders, type Resources } from '../core/api.ts';
import { isOnline } from '../core/live.ts';
import { isLocked, hasDownloads, markKept, viewer } from '../core/session.ts';
import { isStillMe } from '../core/still-me.ts';
import { collect, NotKept, planOf } from './collect.ts';
import { followViewer, lockDevice } from './device.ts';
import { fetchParts, type Ending, type FetchParts } from './fetch-parts.ts';
import {
  addKept,
  addPlanned,
  changeKept,
  partStore,
  readAll,
  removeKept,
  replacePlanned,
} from './kept-store.ts';
import { bytesHere, bytesOf, fits, goingOn, isComing, keyOf } from './kept.ts';
import type { Fault, Kept } from './kept.ts';
import { answerPlayers } from './kept-requests.ts';
import { isPassing, tellPlaces } from './places.ts';

/** All that is kept here, of all profiles of the user. */
const all = signal<readonly Kept[]>([]);
/** What the profile keeps. */
export const kept = computed(() =>
  all.value.filter(({ profileId }) => profileId === viewer.value?.profileId),
);
/** What comes now, with the bytes of the part under way; it waits while the server does not answer. */
export const coming = signal<{
  readonly key: string;
  readonly bytes: number;
  readonly waits: boolean;
} | null>(null);

const channel = new BroadcastChannel('downloads');
let stop: AbortController | undefined;
let isPumping = false;

/** Not enough space on the device for a download. */
export class NoSpace extends Error {
  readonly needed: number;
  readonly free: number;

  constructor(needed: number, free: number) {
    super(`${needed} of ${free}`);
    [this.needed, this.free] = [needed, free];
  }
}

/** Whether this browser can keep anything: it needs a secure address. */
export const canKeep = (): boolean =>
  isSecureContext && 'serviceWorker' in navigator && 'locks' in navigator;

/** Whether the service worker is there, which plays what is kept. */
export const isInstalled = (): boolean => navigator.serviceWorker.controller !== null;

async function reload(): Promise<void> {
  all.value = await readAll();
}

/** Something changed: other tabs read it again. */
async function changed(): Promise<void> {
  channel.postMessage('changed');
  await reload();
}

channel.onmessage = () => {
  void reload().then(() => {
    const now = coming.peek();
    if (now !== null && !isStillComing(now.key)) stop?.abort();
    return pump();
  });
};

const isStillComing = (key: string): boolean =>
  all.peek().some((one) => one.key === key && isComing(one));

/** Bytes that the browser gives this server; `undefined` = it does not say. */
export async function freeSpace(): Promise<number | undefined> {
  const { quota, usage } = await navigator.storage.estimate();
  return quota === undefined ? undefined : Math.max(0, quota - (usage ?? 0));
}

async function assertSpace(needed: number): Promise<void> {
  const free = await freeSpace();
  if (!fits(needed, free)) throw new NoSpace(needed, free ?? 0);
}

const missing = (sum: number, one: Kept): number => sum + bytesOf(one) - bytesHere(one);

/** Bytes that are still to come. */
const toCome = (list: readonly Kept[]): number =>
  list.filter((one) => isComing(one) || one.state === 'paused').reduce(missing, 0);

/**
 * Begins to keep an item. Rejects with `NotKept`, {@link NoSpace} or a refusal of the server, and keeps
 * nothing then.
 */
export async function keepItem(itemId: string): Promise<void> {
  const me = viewer.peek();
  if (me === null || !isStillMe()) return;
  await startDownloads();
  const found = await collect(itemId, me);
  await assertSpace(bytesOf(found) + toCome(all.peek()));
  await beginToKeep();
  await addKept(found);
  await changed();
  void pump();
}

/** The device belongs to the person from now on. */
async function beginToKeep(): Promise<void> {
  // The answer is the browser's alone; the page of downloads says what it is.
  await navigator.storage.persist();
  markKept(true);
  await followViewer();
}

/** A file that changed comes from its beginning. */
const fromStart = (one: Kept): Kept => (one.fault === 'changed' ? { ...one, files: [] } : one);

/**
 * Begins to keep all of these items, one after the other, and goes on with those that were stopped or
 * failed. Rejects with {@link NoSpace} if they do not fit by what the server says of their files, and
 * changes nothing then. An item that cannot be kept fails by itself.
 */
export async function keepAll(items: readonly Resources['Item'][]): Promise<void> {
  const me = viewer.peek();
  if (me === null || !isStillMe()) return;
  await startDownloads();
  const now = Date.now();
  const added = items
    .filter(({ id }) => keptOf(id) === undefined)
    .map((item, at) => planOf(item, me, now + at));
  const again = items
    .flatMap(({ id }) => keptOf(id) ?? [])
    .filter(({ state }) => state === 'paused' || state === 'failed');
  const failed = again.filter(({ state }) => state === 'failed').map(fromStart);
  await assertSpace([...added, ...failed].reduce(missing, 0) + toCome(all.peek()));
  await beginToKeep();
  await addPlanned(added);
  for (const { key } of again) await changeKept(key, (one) => goingOn(fromStart(one)));
  await changed();
  void pump();
}

/** Stops downloads that are not here yet. What came of them stays. */
export async function pauseDownloads(keys: readonly string[]): Promise<void> {
  for (const key of keys)
    await changeKept(key, (one) => (isComing(one) ? { ...one, state: 'paused' } : one));
  if (keys.includes(coming.peek()?.key ?? '')) stop?.abort();
  await changed();
}

/** Goes on with a download, or tries a failed one again: from its beginning if the file changed. */
export async function resumeDownload({ key, fault, item }: Kept): Promise<void> {
  const me = viewer.peek();
  if (me === null) return;
  if (fault === 'changed') {
    const found = await collect(item.id, me);
    await assertSpace(bytesOf(found));
    await addKept(found);
  } else await changeKept(key, goingOn);
  await changed();
  void pump();
}

/** Removes downloads of the profile from the device. */
export async function removeDownloads(keys: readonly string[]): Promise<void> {
  await removeKept(keys);
  if (keys.includes(coming.peek()?.key ?? '')) stop?.abort();
  await changed();
}

const askAs =
  (profileId: string): FetchParts['ask'] =>
  ({ fileId }, { first, last }, signal) =>
    fetch(`/api/files/${encodeURIComponent(fileId)}/stream`, {
      headers: { ...requestHeaders(), 'x-profile-id': profileId, range: `bytes=${first}-${last}` },
      // The browser would keep it twice.
      cache: 'no-store',
      credentials: 'same-origin',
      signal,
    });

const [firstPauseMs, lastPauseMs] = [2000, 60_000];

/** Waits before the next try: for a while, or until the browser says that it is online. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      clearTimeout(timer);
      removeEventListener('online', go);
      resolve();
    };
    const timer = setTimeout(go, ms);
    addEventListener('online', go);
    signal.addEventListener('abort', go, { once: true });
  });
}

/** Fetches one item until it is here, not wanted, or fails for good. */
async function fetchItem(first: Kept): Promise<Exclude<Ending, 'later'>> {
  const { signal } = (stop = new AbortController());
  let now = first;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, lastPauseMs)) {
    const free = await freeSpace();
    if (!fits(bytesOf(now) - bytesHere(now), free)) return 'space';
    const before = bytesHere(now);
    const ending = await fetchParts(now, {
      ask: askAs(now.profileId),
      store: partStore,
      signal,
      heard: (kept, bytes) => {
        if (kept !== now) {
          now = kept;
          all.value = all.peek().map((one) => (one.key === kept.key ? kept : one));
          channel.postMessage('part');
        }
        coming.value = { key: kept.key, bytes, waits: false };
      },
    });
    if (ending !== 'later') return ending;
    if (bytesHere(now) > before) pauseMs = firstPauseMs;
    coming.value = { key: now.key, bytes: 0, waits: true };
    await pause(pauseMs, signal);
    if (signal.aborted) return 'stopped';
  }
}

/** What a planned item is after the server refused to say how it plays. */
function endingOf(error: unknown): Exclude<Ending, 'ready' | 'stopped'> {
  if (error instanceof NotKept) return error.reason;
  if (!(error instanceof Refusal)) return 'reply';
  if (error.status === 401) return 'signedOut';
  if (error.status === 403 || error.status === 404) return 'gone';
  return isPassing(error) ? 'later' : 'reply';
}

/** Asks the server how a planned item plays, until it answers; `wanted` = its files can come. */
async function askFor(one: Kept): Promise<Exclude<Ending, 'later' | 'ready'> | 'wanted'> {
  const me = viewer.peek();
  const { signal } = (stop = new AbortController());
  for (let pauseMs = firstPauseMs; me !== null; pauseMs = Math.min(pauseMs * 2, lastPauseMs)) {
    const found = await collect(one.item.id, me).catch(endingOf);
    if (signal.aborted) break;
    if (typeof found === 'object') return (await replacePlanned(found)) ? 'wanted' : 'stopped';
    if (found !== 'later') return found;
    coming.value = { key: one.key, bytes: 0, waits: true };
    await pause(pauseMs, signal);
  }
  return 'stopped';
}

const faults: ReadonlySet<string> = new Set<Fault>([
  ...(['changed', 'conversion', 'gone', 'nothing', 'reply', 'space', 'storage'] as const),
]);
const isFault = (ending: Ending | 'wanted'): ending is Fault => faults.has(ending);

/** Fetches what is wanted, one after the other. Another tab that does so goes first. */
async function pump(): Promise<void> {
  const wanted = (): Kept | undefined =>
    isLocked.peek() || !isStillMe() ? undefined : kept.peek().find(isComing);
  if (isPumping || wanted() === undefined) return;
  isPumping = true;
  try {
    await navigator.locks.request('downloads', async () => {
      await reload();
      for (let one = wanted(); one !== undefined; one = wanted()) {
        coming.value = { key: one.key, bytes: 0, waits: false };
        const ending = await (one.state === 'planned' ? askFor(one) : fetchItem(one));
        coming.value = null;
        if (isFault(ending))
          await changeKept(one.key, (now) => ({ ...now, state: 'failed', fault: ending }));
        await changed();
        // It goes on when the person is in again.
        if (ending === 'signedOut') return lockDevice();
      }
    });
  } finally {
    isPumping = false;
    coming.value = null;
  }
}

/** Once for each tab. */
const checkedKey = 'downloads';

/** Removes what the server no longer shows to the profile. Another answer removes nothing. */
async function checkAccess(): Promise<void> {
  if (sessionStorage.getItem(checkedKey) !== null || !isOnline.peek()) return;
  sessionStorage.setItem(checkedKey, '1');
  for (const { key, item } of kept.peek())
    try {
      await call('get', '/api/items/{id}', { path: { id: item.id } });
    } catch (error) {
      // The server names the item; something on the way that answers 404 does not.
      if (error instanceof Refusal && error.status === 404 && error.message.includes(item.id))
        await removeDownloads([key]);
    }
}

/** What follows the server and the profile while the page is there. */
function follow(): void {
  effect(() => {
    const me = viewer.value;
    if (isLocked.value || coming.peek()?.key.startsWith(`${me?.profileId}/`) === false)
      stop?.abort();
    void pump();
  });
  effect(() => {
    if (isOnline.value) tellPlaces().catch(() => {});
  });
  addEventListener('online', () => {
    if (isOnline.peek()) tellPlaces().catch(() => {});
  });
}

let starting: Promise<void> | undefined;

/**
 * Reads what is kept, lets the profile see it, and goes on with what is wanted. Before it is known who is
 * in, it does nothing.
 */
export function startDownloads(): Promise<void> {
  if (viewer.peek() === null) return Promise.resolve();
  starting ??= (async () => {
    if (hasDownloads()) await followViewer();
    answerPlayers();
    await reload();
    follow();
    void checkAccess();
  })();
  return starting;
}

/** Whether the profile keeps an item, or wants to. */
export const keptOf = (itemId: string): Kept | undefined => {
  const key = keyOf(viewer.value?.profileId ?? '', itemId);
  return kept.value.find((one) => one.key === key);
};
