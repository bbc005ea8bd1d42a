/** The present webhooks: read at the start of each run, and changed only here. */
import type { Host } from '../../plugin-api/index.ts';
import { patternsFor } from './event-filter.ts';
import { allOf, gone, removedKey, healthKey, hookKey } from './keys.ts';
import { readWebhooks, saveWebhook, type StoredWebhook } from './webhook-store.ts';

/** The webhooks of this server. */
export interface Registry {
  /** Reads them again, and deletes what removed ones have left. */
  readonly load: (host: Host) => Promise<void>;
  /** The result of the last read; the oldest first. */
  readonly all: () => readonly StoredWebhook[];
  readonly find: (id: string) => StoredWebhook | undefined;
  readonly save: (host: Host, webhook: StoredWebhook) => Promise<void>;
  /** Removes it, and its waiting deliveries. */
  readonly remove: (host: Host, id: string) => Promise<void>;
}

/** Creates it; nothing is known before the first `load`. */
export function createRegistry(): Registry {
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
    load: async (host) => {
      await read(host);
      const { keys } = await host.kv.list({ prefix: gone });
      for (const key of keys) await clear(host, key.slice(gone.length));
    },
    all: () => known,
    find: (id) => known.find((one) => one.id === id),
    save: (host, webhook) =>
      change(async () => {
        const next = [...without(webhook.id), webhook].sort(byAge);
        if (webhook.enabled) await follow(host, next);
        await saveWebhook(host, webhook);
        known = next;
        if (!webhook.enabled) await follow(host, next);
      }),
    remove: async (host, id) => {
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
