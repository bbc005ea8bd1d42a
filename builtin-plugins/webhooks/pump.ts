/**
 * Delivers everything that is due, for all webhooks in parallel: each has its own lane, so a slow or
 * unreachable receiver does not delay the others. It works for half a minute at most and then
 * schedules its next run, since no code of a plugin runs between calls.
 */
import type { Host } from '../../plugin-api/index.ts';
import type { Delivery } from './delivery.ts';
import { createLane, type Lane } from './lane.ts';
import type { Registry } from './registry.ts';
import { createSingleRun } from './single-run.ts';
import { findWebhook, type StoredWebhook } from './webhook-store.ts';

/** Delivers. */
export type Pump = ReturnType<typeof createPump>;

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
  /** Webhooks that got a delivery after their lane had ended. */
  readonly again: Set<string>;
  /** Webhooks whose due deliveries were changed from outside. */
  readonly stale: Set<string>;
  readonly moved: () => void;
  endsAt: number;
  backAt: number | null;
  onIdle: () => void;
}

const budgetMs = 25_000;
/** The delay after a fault that no receiver caused: in the store, or in this plugin. */
const troubleMs = 30_000;
const wakeName = 'deliver';
const soonestMs = 1000;

/** Creates a pump that is not running. */
export function createPump({ registry, clock, random, warn }: PumpParts) {
  const sole = createSingleRun(clock);
  let work: Work | undefined;
  let isStopping = false;
  /** Whether a time is scheduled with the host; unknown at first. */
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
      onDead: (delivery) => notifyFailed(own.host, registry.find(webhookId), delivery),
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

  /** Delivers what is due. Returns at once when a run is active, which then continues with it. */
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
      // Another lane may begin while the time is being scheduled.
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
      message: `${hostOf(webhook)} answered 410, so nothing more is sent there. Switch the webhook on again if that was a mistake; its waiting deliveries are kept.`,
    });
  }

  return {
    run,
    /** New deliveries wait for these webhooks: starts soon, if no run is active. */
    wake: async (host: Host, webhookIds: readonly string[]): Promise<void> => {
      if (work === undefined) return comeBack(host, clock());
      for (const id of webhookIds) {
        work.stale.add(id);
        startLane(work, id);
      }
    },
    /** The server stops: no other attempt begins, and accepted deliveries are stored. */
    stop: async (): Promise<void> => {
      isStopping = true;
      await Promise.allSettled([...(work?.lanes.values() ?? [])].map((lane) => lane.flush()));
    },
  };
}

async function notifyFailed(
  host: Host,
  webhook: StoredWebhook | undefined,
  delivery: Delivery,
): Promise<void> {
  if (webhook === undefined) return;
  await host.notifications.tell({
    level: 'warning',
    title: `The webhook ${webhook.name} does not get its events.`,
    message: `${hostOf(webhook)} did not accept ${delivery.event.type} in ${delivery.attempts} attempts; the last one: ${delivery.last?.error ?? 'unknown.'} Its list of deliveries has the failed ones, which you can redeliver.`,
  });
}

/** A path or query may contain a secret of the receiver. */
const hostOf = ({ url }: StoredWebhook): string =>
  /^https?:\/\/([^/?#]+)/.exec(url)?.[1] ?? 'The receiver';
