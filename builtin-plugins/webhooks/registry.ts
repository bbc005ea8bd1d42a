/** The present webhooks: read at the start of each run, and changed only here. */
import type { Host } from '../../plugin-api/index.ts';
import { patternsFor } from './event-filter.ts';
import { allOf, gone, removedKey, healthKey, hookKey } from './keys.ts';
import { readWebhooks, saveWebhook, type StoredWebhook } from './webhook-store.ts';

/** The webhooks of this server. */
export type Registry = ReturnType<typeof createRegistry>;

/** Creates it; nothing is known before the first `load`. */
export function createRegistry() {
  let known: readonly StoredWebhook[] = [];
  /** Counts the changes that have begun or ended: a read across one may be outdated. */
  let changes = 0;

  const without = (id: string): readonly StoredWebhook[] => known.filter((one) => one.id !== id);

  /** The log follows at least the events of the stored webhooks: further events are released unread. */
  async function follow(host: Host, webhooks: readonly StoredWebhook[]): Promise<void> {
    const wanted = webhooks.filter(({ enabled }) => enabled).map(({ events }) => events);
    await host.eventLog.follow({ patterns: patternsFor(wanted) });
  }

  const byAge = (one: StoredWebhook, other: StoredWebhook): number => (one.id < other.id ? -1 : 1);

  async function change(work: () => Promise<void>): Promise<void> {
    changes += 1;
    try {
      await work();
    } finally {
      changes += 1;
    }
  }

  async function read(host: Host): Promise<void> {
    let before: number;
    let found: readonly StoredWebhook[];
    do {
      before = changes;
      found = await readWebhooks(host);
    } while (before !== changes);
    known = found;
  }

  return {
    /** Reads them again, and deletes what removed ones have left. */
    load: async (host: Host): Promise<void> => {
      await read(host);
      const { keys } = await host.kv.list({ prefix: gone });
      for (const key of keys) await clear(host, key.slice(gone.length));
    },
    /** The result of the last read; the oldest first. */
    all: (): readonly StoredWebhook[] => known,
    find: (id: string): StoredWebhook | undefined => known.find((one) => one.id === id),
    save: (host: Host, webhook: StoredWebhook): Promise<void> =>
      change(async () => {
        const next = [...without(webhook.id), webhook].sort(byAge);
        if (webhook.enabled) await follow(host, next);
        await saveWebhook(host, webhook);
        known = next;
        if (!webhook.enabled) await follow(host, next);
      }),
    /** Removes it, and its waiting deliveries. */
    remove: async (host: Host, id: string): Promise<void> => {
      await change(async () => {
        await host.kv.batch({
          remove: [hookKey(id), healthKey(id)],
          set: [{ key: removedKey(id), value: null }],
        });
        known = without(id);
        await follow(host, known);
      });
      await clear(host, id);
    },
  };
}

async function clear(host: Host, webhookId: string): Promise<void> {
  for (const prefix of allOf(webhookId)) {
    let removed: number;
    do ({ removed } = await host.kv.trim({ prefix, keep: 0 }));
    while (removed > 0);
  }
  await host.kv.remove({ key: removedKey(webhookId) });
}
