/** Ties the parts of the plugin together, over a clock and chance that tests bring themselves. */
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
  /** `eventLog.waiting`: what waits goes into the outbox, and from there to its receivers. */
  readonly takeInAndDeliver: Handler<unknown, void>;
  /** `schedule.wake`: something is due again. */
  readonly deliverDue: Handler<unknown, void>;
  /** `shutdown`: no other attempt begins, and what was taken is noted. */
  readonly stop: Handler<unknown, void>;
}

/** What the plugin cannot do without. */
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
      // A store that is full takes nothing in, and is emptied by delivering.
      const taken = intake.run(host, deliver).finally(deliver);
      await Promise.allSettled([taken]);
      await Promise.all(pumps);
      await taken;
    },
    deliverDue: (_input, host) => pump.run(host),
    stop: () => pump.stop(),
  };
}
