/**
 * The events of the server. What an event touches is read again, so that a page is never reloaded
 * by hand. Events that come close together are one refresh.
 */
import { signal } from '@preact/signals';
import { eventBeforeReads, send } from './api.ts';
import { invalidate } from './resource.ts';
import { isLocked, openedProfileId } from './session.ts';

/** One event of the server. */
export interface LiveEvent {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Whether the server answers. */
export const isOnline = signal(true);

const listeners = new Set<(event: LiveEvent) => void>();
/** Events are gathered for so long. */
const gatherMs = 700;
const [firstRetryMs, lastRetryMs] = [1000, 15_000];

/** Calls `hear` with each event; returns how to stop. */
export function onEvent(hear: (event: LiveEvent) => void): () => void {
  listeners.add(hear);
  return () => listeners.delete(hear);
}

/** Pages of people hear of their own subject. */
const subjectTopics: Readonly<Record<string, string>> = {
  group: 'group',
  invite: 'invite',
  credential: 'credentials',
};

/** The topics of resources that an event touches. */
export function topicsOf({ type, data }: LiveEvent): readonly string[] {
  const topics = [type.split('.')[0] ?? ''];
  if (type === 'user.changed') topics.push(subjectTopics[String(data['subject'])] ?? '');
  for (const key of ['libraryId', 'itemId', 'entityId', 'collectionId', 'profileId', 'pluginId'])
    if (typeof data[key] === 'string') topics.push(`${key.slice(0, -2)}:${data[key]}`);
  return topics;
}

const touched = new Set<string>();
let timer: ReturnType<typeof setTimeout> | undefined;

function gather(event: LiveEvent): void {
  for (const topic of topicsOf(event)) touched.add(topic);
  timer ??= setTimeout(() => {
    const now = new Set(touched);
    touched.clear();
    timer = undefined;
    invalidate((topic) => now.has(topic));
  }, gatherMs);
}

/** Calls `open` when the profile is no longer locked; returns how to give that up. */
function whenUnlocked(open: () => void): () => void {
  const stop = isLocked.subscribe((locked) => {
    if (locked) return;
    queueMicrotask(() => stop());
    open();
  });
  return stop;
}

/**
 * Follows the events of the server, as the profile may see them, until the page ends. They begin with those
 * after the first read of the page, so nothing that was read is read again.
 */
export function startLive(): void {
  let since = eventBeforeReads();
  let retryMs = firstRetryMs;
  let current: WebSocket | undefined;
  let followed = openedProfileId.peek();
  let stopWaiting: (() => void) | undefined;

  const open = (): void => {
    stopWaiting?.();
    stopWaiting = undefined;
    // A locked profile has no events. They begin when it is unlocked, or another one is chosen.
    if (isLocked.peek()) {
      stopWaiting = whenUnlocked(open);
      return;
    }
    const query = since === undefined ? '' : `?since=${encodeURIComponent(since)}`;
    const socket = new WebSocket(`/api/ws${query}`, [
      'vitrine.v1',
      ...(followed === undefined ? [] : [`vitrine.profile.${followed}`]),
    ]);
    current = socket;
    socket.onopen = () => {
      isOnline.value = true;
      retryMs = firstRetryMs;
      // What was read before the feed began may have changed meanwhile.
      if (since === undefined) invalidate(() => true);
    };
    socket.onmessage = ({ data }) => {
      if (socket !== current) return;
      const message = JSON.parse(String(data)) as Partial<LiveEvent> & { readonly id?: string };
      since = message.id ?? since;
      const { type = '' } = message;
      if (type === 'gap') invalidate(() => true);
      if (!type.includes('.')) return;
      const event = { type, data: message.data ?? {} };
      gather(event);
      for (const hear of listeners) hear(event);
    };
    socket.onclose = ({ code }) => {
      if (socket !== current) return;
      if (code === 4401 || code === 4403) since = undefined;
      setTimeout(() => void reopen(socket), retryMs);
      retryMs = Math.min(retryMs * 2, lastRetryMs);
    };
  };
  const reopen = async (closed: WebSocket): Promise<void> => {
    try {
      await send('/api/health');
      if (!isOnline.peek()) invalidate(() => true);
    } catch {
      isOnline.value = false;
    }
    if (closed === current) open();
  };
  /** Another profile sees other events; what it shows is read from the beginning. */
  openedProfileId.subscribe((now) => {
    if (now === followed) return;
    followed = now;
    since = undefined;
    const last = current;
    current = undefined;
    last?.close();
    open();
  });
  open();
}
