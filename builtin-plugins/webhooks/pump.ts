/**
 * Delivers whatever is due, of all webhooks side by side: each has a lane of its own, so a receiver
 * that is slow or away delays nobody else. Works for half a minute at most and then comes back by
 * itself: nothing of a plugin runs between calls.
 */
import type { Host } from '../../plugin-api/index.ts';
import type { Delivery } from './delivery.ts';
import { createLane, type Lane } from './lane.ts';
import type { Registry } from './registry.ts';
import { createSoleRun } from './sole-run.ts';
import { findWebhook, type StoredWebhook } from './webhook-store.ts';

/** Delivers. */
export interface Pump {
  /** Delivers what is due; returns at once when that is under way, and sees to it that it goes on. */
  readonly run: (host: Host) => Promise<void>;
  /** Something new waits for these: soon, if nothing is under way. */
  readonly wake: (host: Host, webhookIds: readonly string[]) => Promise<void>;
  /** The server ends: no other attempt begins, and what was taken is noted. */
  readonly stop: () => Promise<void>;
}

/** What a pump is made of. */
export interface PumpParts {
  readonly registry: Registry;
  /** Unix milliseconds. */
  readonly clock: () => number;
  /** From 0 to below 1. */
  readonly random: () => number;
  /** Into the plugin's log. */
  readonly warn: (text: string) => void;
}

interface Work {
  readonly host: Host;
  readonly lanes: Map<string, Lane>;
  /** Webhooks for which something came while their lane was at its end. */
  readonly again: Set<string>;
  /** Webhooks of which somebody changed what is due. */
  readonly stale: Set<string>;
  readonly moved: () => void;
  endsAt: number;
  backAt: number | null;
  onIdle: () => void;
}

const budgetMs = 25_000;
/** After trouble that is nobody's: the store, or a fault of this plugin. */
const troubleMs = 30_000;
const wakeName = 'deliver';
const soonestMs = 1000;

/** Creates a pump that stands still. */
export function createPump({ registry, clock, random, warn }: PumpParts): Pump {
  const sole = createSoleRun(clock);
  let work: Work | undefined;
  let isStopping = false;
  /** Whether a time is set with the host; unknown at first. */
  let hasWake: boolean | null = null;

  function startLane(own: Work, webhookId: string): void {
    if (own.lanes.has(webhookId)) {
      own.again.add(webhookId);
      return;
    }
    const lane = createLane(webhookId, {
      host: own.host,
      clock,
      random,
      webhook: () => registry.find(webhookId),
      moved: own.moved,
      isOver: () => isStopping || clock() >= own.endsAt,
      isStale: () => own.stale.delete(webhookId),
      onGone: () => disable(own.host, webhookId),
      onDead: (delivery) => tellDead(own.host, registry.find(webhookId), delivery),
    });
    own.lanes.set(webhookId, lane);
    void lane
      .run()
      .catch((error: unknown) => {
        const why = error instanceof Error ? error.message : 'it failed';
        warn(`Webhook ${webhookId}: ${why}`);
        return clock() + troubleMs;
      })
      .then((backAt) => {
        own.lanes.delete(webhookId);
        if (own.again.delete(webhookId) && !isStopping && clock() < own.endsAt)
          startLane(own, webhookId);
        else if (backAt !== null) own.backAt = Math.min(own.backAt ?? backAt, backAt);
        if (own.lanes.size === 0) own.onIdle();
      });
  }

  const idle = (own: Work): Promise<void> =>
    own.lanes.size === 0
      ? Promise.resolve()
      : new Promise((resolve) => {
          own.onIdle = resolve;
        });

  async function comeBack(host: Host, at: number | null): Promise<void> {
    if (at !== null) {
      hasWake = true;
      await host.schedule.set({ name: wakeName, at: Math.ceil(Math.max(at, clock() + soonestMs)) });
    } else if (hasWake !== false) {
      hasWake = false;
      await host.schedule.clear({ name: wakeName });
    }
  }

  async function run(host: Host): Promise<void> {
    const begun = isStopping ? null : sole.begin();
    if (begun === null) {
      for (const { id } of registry.all()) if (work) startLane(work, id);
      return;
    }
    const own: Work = {
      host,
      lanes: new Map(),
      again: new Set(),
      stale: new Set(),
      moved: begun.moved,
      endsAt: clock() + budgetMs,
      backAt: null,
      onIdle: () => undefined,
    };
    work = own;
    try {
      await registry.load(host);
      begun.moved();
      for (const { id, enabled } of registry.all()) if (enabled) startLane(own, id);
      // Another lane may begin while the time is set.
      do {
        await idle(own);
        await comeBack(host, own.backAt);
        begun.moved();
      } while (own.lanes.size > 0);
    } finally {
      if (work === own) work = undefined;
      begun.end();
    }
  }

  async function disable(host: Host, webhookId: string): Promise<void> {
    // As it is stored: another server may have changed it meanwhile.
    const webhook = await findWebhook(host, webhookId);
    if (webhook === null) return;
    const updatedAt = new Date(clock()).toISOString();
    await registry.save(host, { ...webhook, enabled: false, updatedAt });
    await host.notifications.tell({
      level: 'warning',
      title: `The webhook ${webhook.name} was switched off.`,
      message: `${hostOf(webhook)} answered 410: nothing is to be sent there any more. Switch the webhook on again if that was not meant; what waits for it is kept.`,
    });
  }

  return {
    run,
    wake: async (host, webhookIds) => {
      if (work === undefined) return comeBack(host, clock());
      for (const id of webhookIds) {
        work.stale.add(id);
        startLane(work, id);
      }
    },
    stop: async () => {
      isStopping = true;
      await Promise.allSettled([...(work?.lanes.values() ?? [])].map((lane) => lane.flush()));
    },
  };
}

async function tellDead(
  host: Host,
  webhook: StoredWebhook | undefined,
  delivery: Delivery,
): Promise<void> {
  if (webhook === undefined) return;
  await host.notifications.tell({
    level: 'warning',
    title: `The webhook ${webhook.name} does not get its events.`,
    message: `${hostOf(webhook)} did not take ${delivery.event.type} in ${delivery.attempts} attempts; the last one: ${delivery.last?.error ?? 'unknown.'} Its deliveries list what was given up, to be delivered again.`,
  });
}

/** A path or query may be a secret of the receiver's. */
const hostOf = ({ url }: StoredWebhook): string =>
  /^https?:\/\/([^/?#]+)/.exec(url)?.[1] ?? 'The receiver';
