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

/** Delivers. */
export class Pump {
  readonly #parts: PumpParts;
  readonly #sole: ReturnType<typeof createSingleRun>;
  #work: Work | undefined;
  #isStopping = false;
  /** Whether a time is scheduled with the host; unknown at first. */
  #hasWake: boolean | null = null;

  constructor(parts: PumpParts) {
    this.#parts = parts;
    this.#sole = createSingleRun(parts.clock);
  }

  #startLane(own: Work, webhookId: string): void {
    const { clock, random, registry, warn } = this.#parts;
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
      isOver: () => this.#isStopping || clock() >= own.endsAt,
      isStale: () => own.stale.delete(webhookId),
      onGone: () => this.#disable(own.host, webhookId),
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
        if (own.again.delete(webhookId) && !this.#isStopping && clock() < own.endsAt)
          this.#startLane(own, webhookId);
        else if (backAt !== null) own.backAt = Math.min(own.backAt ?? backAt, backAt);
        if (own.lanes.size === 0) own.onIdle();
      });
  }

  readonly #idle = (own: Work): Promise<void> =>
    own.lanes.size === 0
      ? Promise.resolve()
      : new Promise((resolve) => {
          own.onIdle = resolve;
        });

  async #comeBack(host: Host, at: number | null): Promise<void> {
    if (at !== null) {
      this.#hasWake = true;
      await host.schedule.set({
        name: wakeName,
        at: Math.ceil(Math.max(at, this.#parts.clock() + soonestMs)),
      });
    } else if (this.#hasWake !== false) {
      this.#hasWake = false;
      await host.schedule.clear({ name: wakeName });
    }
  }

  /** Delivers what is due. Returns at once when a run is active, which then continues with it. */
  readonly run = async (host: Host): Promise<void> => {
    const { registry, clock } = this.#parts;
    const begun = this.#isStopping ? null : this.#sole.begin();
    if (begun === null) {
      for (const { id } of registry.all()) if (this.#work) this.#startLane(this.#work, id);
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
    this.#work = own;
    try {
      await registry.load(host);
      begun.moved();
      for (const { id, enabled } of registry.all()) if (enabled) this.#startLane(own, id);
      // Another lane may begin while the time is being scheduled.
      do {
        await this.#idle(own);
        await this.#comeBack(host, own.backAt);
        begun.moved();
      } while (own.lanes.size > 0);
    } finally {
      if (this.#work === own) this.#work = undefined;
      begun.end();
    }
  };

  async #disable(host: Host, webhookId: string): Promise<void> {
    // As it is stored: another server may have changed it meanwhile.
    const webhook = await findWebhook(host, webhookId);
    if (webhook === null) return;
    const updatedAt = new Date(this.#parts.clock()).toISOString();
    await this.#parts.registry.save(host, { ...webhook, enabled: false, updatedAt });
    await host.notifications.tell({
      level: 'warning',
      title: `The webhook ${webhook.name} was switched off.`,
      message: `${hostOf(webhook)} answered 410, so nothing more is sent there. Switch the webhook on again if that was a mistake; its waiting deliveries are kept.`,
    });
  }

  /** New deliveries wait for these webhooks: starts soon, if no run is active. */
  readonly wake = async (host: Host, webhookIds: readonly string[]): Promise<void> => {
    if (this.#work === undefined) return this.#comeBack(host, this.#parts.clock());
    for (const id of webhookIds) {
      this.#work.stale.add(id);
      this.#startLane(this.#work, id);
    }
  };

  /** The server stops: no other attempt begins, and accepted deliveries are stored. */
  readonly stop = async (): Promise<void> => {
    this.#isStopping = true;
    await Promise.allSettled([...(this.#work?.lanes.values() ?? [])].map((lane) => lane.flush()));
  };
}

/** Creates a pump that is not running. */
export const createPump = (parts: PumpParts): Pump => new Pump(parts);

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
