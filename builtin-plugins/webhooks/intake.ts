/**
 * From the event log into the outbox. The rows of a page and the ids of its events are stored in one
 * transaction before the events are released. So an event that is read again after a crash is
 * recognized, and an event is released only when it is in the outbox of every webhook that matches.
 */
import type { Host, LoggedEvent } from '../../plugin-api/index.ts';
import { freshDelivery, type Delivery } from './delivery.ts';
import { eventFilter } from './event-filter.ts';
import { deliveriesOf, deliveryKey, takenKey } from './keys.ts';
import { prune } from './outbox.ts';
import type { Registry } from './registry.ts';
import { createSingleRun } from './single-run.ts';
import type { StoredWebhook } from './webhook-store.ts';

/** Takes events in. */
export type Intake = ReturnType<typeof createIntake>;

export interface IntakeParts {
  readonly registry: Registry;
  readonly clock: () => number;
  /** The most deliveries that may wait for one webhook; 200 000 when absent. */
  readonly mostQueued?: number;
}

interface Entry {
  readonly key: string;
  readonly value: Delivery;
}

const budgetMs = 15_000;
const pageSize = 200;
const pagesOfOneCount = 10;
/** The most that one batch may contain. */
const mostEntries = 900;
const mostLength = 3_000_000;

export function createIntake(parts: IntakeParts) {
  const { registry, clock, mostQueued = 200_000 } = parts;
  const sole = createSingleRun(clock);
  /** Webhooks with a full queue. */
  const full = new Set<string>();
  let pagesUntilCount = 0;
  let isAsked = false;

  /** Counting a long queue takes a while: it is done from time to time, and while one of them is full. */
  async function lookForRoom(host: Host): Promise<void> {
    pagesUntilCount -= 1;
    if (pagesUntilCount > 0 && full.size === 0) return;
    pagesUntilCount = pagesOfOneCount;
    full.clear();
    for (const { id } of registry.all()) {
      const prefix = deliveriesOf('pending', id);
      const { count } = await host.kv.count({ prefix, most: mostQueued });
      if (count >= mostQueued) full.add(id);
    }
  }

  function entriesOf(events: readonly LoggedEvent[]): readonly Entry[] {
    const now = clock();
    return registry.all().flatMap((webhook) => {
      if (!webhook.enabled) return [];
      const wants = eventFilter(webhook.events);
      const wanted = events.filter(({ event }) => wants(event.type));
      return wanted.map(({ id, event }) => entryOf(webhook, freshDelivery(id, event, now), full));
    });
  }

  async function takeIn(host: Host, onPage: () => void, moved: () => void): Promise<void> {
    const endsAt = clock() + budgetMs;
    while (clock() < endsAt) {
      const { events } = await host.eventLog.read({ limit: pageSize });
      moved();
      if (events.length === 0) return;
      // Read after the events: so a webhook that was made before one of the events is included.
      await registry.load(host);
      await lookForRoom(host);
      const taken = new Set((await host.kv.get({ key: takenKey })) as readonly string[] | null);
      const fresh = events.filter(({ id }) => !taken.has(id));
      const entries = entriesOf(fresh);
      await store(
        host,
        entries,
        events.map(({ id }) => id),
      );
      moved();
      await host.eventLog.release({ ids: events.map(({ id }) => id) });
      moved();
      onPage();
      for (const id of full) await prune(host, id);
    }
  }

  return {
    /**
     * Runs until the log is empty or the time is over: then the log calls again. Returns at once
     * when it is already running. `onPage` is called after each page that is in the outbox.
     */
    run: async (host: Host, onPage: () => void): Promise<void> => {
      const begun = sole.begin();
      if (begun === null) {
        isAsked = true;
        return;
      }
      try {
        do {
          isAsked = false;
          await takeIn(host, onPage, begun.moved);
        } while (isAsked);
      } finally {
        begun.end();
      }
    },
  };
}

/** A delivery without room fails at once, and can be seen and redelivered. */
function entryOf(webhook: StoredWebhook, delivery: Delivery, full: ReadonlySet<string>): Entry {
  if (!full.has(webhook.id))
    return { key: deliveryKey('pending', webhook.id, delivery.id), value: delivery };
  const error = 'Too many deliveries were waiting for this webhook.';
  const last = { at: delivery.createdAt, durationMs: 0, status: null, error };
  return { key: deliveryKey('failed', webhook.id, delivery.id), value: { ...delivery, last } };
}

/** In as few batches as possible; the last one marks that all of them are stored. */
async function store(host: Host, entries: readonly Entry[], ids: readonly string[]): Promise<void> {
  let batch: Entry[] = [];
  let length = 0;
  for (const entry of entries) {
    const size = JSON.stringify(entry).length;
    if (batch.length >= mostEntries || (batch.length > 0 && length + size > mostLength)) {
      await host.kv.batch({ set: batch });
      batch = [];
      length = 0;
    }
    batch.push(entry);
    length += size;
  }
  await host.kv.batch({ set: [...batch, { key: takenKey, value: ids }] });
}
