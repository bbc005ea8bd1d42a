/**
 * The events of the server. What an event touches is read again, so that a page is never reloaded
 * by hand. Events that come close together are one refresh.
 */
import { signal } from '@preact/signals';
import { send } from './api.ts';
import { invalidate } from './resource.ts';
import { isLocked, viewer } from './session.ts';

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

/** The topics of resources that an event touches. */
export function topicsOf({ type, data }: LiveEvent): readonly string[] {
  const topics = [type.split('.')[0] ?? ''];
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

/** Follows the events of the server until the page ends. */
export function startLive(): void {
  let since: string | undefined;
  let retryMs = firstRetryMs;
  const open = (): void => {
    // A locked profile has no events. They begin when it is unlocked, or another one is chosen.
    if (isLocked.peek()) {
      const stop = isLocked.subscribe((locked) => {
        if (locked) return;
        queueMicrotask(() => stop());
        open();
      });
      return;
    }
    const query = since === undefined ? '' : `?since=${encodeURIComponent(since)}`;
    const socket = new WebSocket(`/api/ws${query}`, [
      'vitrine.v1',
      ...(viewer.peek() === null ? [] : [`vitrine.profile.${viewer.peek()?.profileId ?? ''}`]),
    ]);
    socket.onopen = () => {
      isOnline.value = true;
      retryMs = firstRetryMs;
    };
    socket.onmessage = ({ data }) => {
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
      if (code === 4401 || code === 4403) since = undefined;
      setTimeout(() => void reopen(), retryMs);
      retryMs = Math.min(retryMs * 2, lastRetryMs);
    };
  };
  const reopen = async (): Promise<void> => {
    try {
      await send('/api/health');
      if (!isOnline.peek()) invalidate(() => true);
    } catch {
      isOnline.value = false;
    }
    open();
  };
  open();
}
