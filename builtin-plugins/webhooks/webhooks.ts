/** Builds the plugin from its parts, over a clock and a source of randomness, which tests replace. */
import type { Handler, MethodCatalogue } from '../../plugin-api/index.ts';
import { createAdmin, type Admin } from './admin.ts';
import { createIntake } from './intake.ts';
import { createListDeliveries } from './list-deliveries.ts';
import { createPump } from './pump.ts';
import { createRegistry } from './registry.ts';

/** The handlers of the plugin. */
export interface Webhooks {
  readonly admin: Admin;
  readonly listDeliveries: Handler<
    MethodCatalogue['webhooks.deliveries']['input'],
    MethodCatalogue['webhooks.deliveries']['output']
  >;
  /** `eventLog.waiting`: takes waiting events into the outbox, and delivers them. */
  readonly takeInAndDeliver: Handler<unknown, void>;
  /** `schedule.wake`: a delivery is due again. */
  readonly deliverDue: Handler<unknown, void>;
  /** `shutdown`: no other attempt begins, and accepted deliveries are stored. */
  readonly stop: Handler<unknown, void>;
}

/** What the plugin needs. */
export interface WebhooksParts {
  /** Unix milliseconds. */
  readonly clock: () => number;
  /** From 0 to below 1. */
  readonly random: () => number;
  /** Into the plugin's log. */
  readonly warn: (text: string) => void;
  readonly mostQueued?: number;
}

/** Creates the handlers. */
export function createWebhooks(parts: WebhooksParts): Webhooks {
  const { clock, random, warn, mostQueued } = parts;
  const registry = createRegistry();
  const pump = createPump({ registry, clock, random, warn });
  const intake = createIntake({
    registry,
    clock,
    ...(mostQueued !== undefined && { mostQueued }),
  });

  return {
    admin: createAdmin({ registry, pump, clock }),
    listDeliveries: createListDeliveries(registry),
    takeInAndDeliver: async (_input, host) => {
      const pumps: Promise<void>[] = [];
      const deliver = (): void => void pumps.push(pump.run(host));
      // A full store takes nothing in; deliveries empty it.
      const taken = intake.run(host, deliver).finally(deliver);
      await Promise.allSettled([taken]);
      await Promise.all(pumps);
      await taken;
    },
    deliverDue: (_input, host) => pump.run(host),
    stop: () => pump.stop(),
  };
}
