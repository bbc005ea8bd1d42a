/** The methods for admins. */
import type { Handler, MethodCatalogue, Webhook } from '../../plugin-api/index.ts';
import { attemptDelivery } from './attempt.ts';
import { freshDelivery, shownDelivery } from './delivery.ts';
import { deliveryKey, healthKey, statuses } from './keys.ts';
import { findDelivery, settle } from './outbox.ts';
import type { Pump } from './pump.ts';
import type { Registry } from './registry.ts';
import { goodHealth, mostWebhooks, type StoredWebhook } from './webhook-store.ts';

type Method<Name extends keyof MethodCatalogue> = Handler<
  MethodCatalogue[Name]['input'],
  MethodCatalogue[Name]['output']
>;

/** The handlers. */
export interface Admin {
  readonly list: Method<'webhooks.list'>;
  readonly create: Method<'webhooks.create'>;
  readonly update: Method<'webhooks.update'>;
  readonly remove: Method<'webhooks.remove'>;
  readonly test: Method<'webhooks.test'>;
  readonly redeliver: Method<'webhooks.redeliver'>;
}

/** The parts that the handlers use. */
export interface AdminParts {
  readonly registry: Registry;
  readonly pump: Pump;
  readonly clock: () => number;
}

const shown = ({ lane: _, ...webhook }: StoredWebhook): Webhook => webhook;

/** Creates the handlers. */
export function createAdmin({ registry, pump, clock }: AdminParts): Admin {
  const lowestFreeLane = (): number => {
    const taken = new Set(registry.all().map(({ lane }) => lane));
    let lane = 0;
    while (taken.has(lane)) lane += 1;
    return lane;
  };

  return {
    list: async (_input, host) => {
      await registry.load(host);
      return { webhooks: registry.all().map(shown) };
    },

    create: async ({ webhook }, host) => {
      await registry.load(host);
      if (registry.all().length >= mostWebhooks) return null;
      await registry.save(host, { ...webhook, lane: lowestFreeLane() });
      return { webhook };
    },

    update: async ({ id, changes }, host) => {
      await registry.load(host);
      const before = registry.find(id);
      if (before === undefined) return null;
      const after = { ...before, ...changes };
      await registry.save(host, after);
      const isAnother = after.url !== before.url || (after.enabled && !before.enabled);
      if (isAnother) await host.kv.remove({ key: healthKey(id) });
      if (after.enabled) await pump.wake(host, [id]);
      return { webhook: shown(after) };
    },

    remove: async ({ id }, host) => {
      await registry.load(host);
      if (registry.find(id) === undefined) return { removed: false };
      await registry.remove(host, id);
      return { removed: true };
    },

    test: async ({ id, deliveryId }, host) => {
      await registry.load(host);
      const webhook = registry.find(id);
      if (webhook === undefined) return null;
      const now = clock();
      const event = {
        type: 'webhook.test',
        timestamp: new Date(now).toISOString(),
        data: { webhookId: id, name: webhook.name },
      };
      const fresh = freshDelivery(deliveryId, event, now);
      const ending = await attemptDelivery(host, webhook, fresh, clock);
      const last =
        ending.kind === 'held'
          ? { at: now, durationMs: 0, status: null, error: ending.why }
          : ending.attempt;
      const tried = { ...fresh, attempts: 1, last };
      const status = ending.kind === 'taken' ? 'delivered' : 'failed';
      await host.kv.set({ key: deliveryKey(status, id, deliveryId), value: tried });
      if (ending.kind === 'taken' && webhook.enabled) {
        await host.kv.set({ key: healthKey(id), value: { ...goodHealth, isBack: true } });
        await pump.wake(host, [id]);
      }
      return { delivery: shownDelivery(tried, status) };
    },

    redeliver: async ({ id, deliveryId }, host) => {
      await registry.load(host);
      if (registry.find(id) === undefined) return null;
      for (const from of statuses) {
        const before = await findDelivery(host, from, id, deliveryId);
        if (before === null) continue;
        if (from === 'pending') return { delivery: shownDelivery(before, from) };
        const after = { ...before, attempts: 0, dueAt: clock() };
        await settle(host, id, [{ from, before, to: 'retrying', after }], null);
        await pump.wake(host, [id]);
        return { delivery: shownDelivery(after, 'retrying') };
      }
      return null;
    },
  };
}
