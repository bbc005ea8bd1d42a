/** The webhooks in the plugin's store, and the state of their receivers. */
import type { Host, Webhook } from '../../plugin-api/index.ts';
import { healthKey, hookKey, hooks } from './keys.ts';

/** A webhook with the fields that only this plugin needs. */
export interface StoredWebhook extends Webhook {
  /** Its own lane of `host.net`, from 0: receivers never wait for each other. */
  readonly lane: number;
}

/** The state of a receiver. */
export interface Health {
  /** Consecutive failed attempts, of any deliveries. */
  readonly failures: number;
  /** Nothing is sent before this time. */
  readonly restUntil: number;
  /** It accepted a test: deliveries in retry are due at once. */
  readonly isBack?: boolean;
}

/** As many as there are lanes in the manifest. */
export const mostWebhooks = 50;

/** A receiver without any attempt. */
export const goodHealth: Health = { failures: 0, restUntil: 0 };

/** All of them, the oldest first. */
export async function readWebhooks(host: Host): Promise<readonly StoredWebhook[]> {
  const { entries } = await host.kv.scan({ prefix: hooks, limit: 2 * mostWebhooks });
  return entries.map(({ value }) => value as StoredWebhook);
}

export async function findWebhook(host: Host, id: string): Promise<StoredWebhook | null> {
  return (await host.kv.get({ key: hookKey(id) })) as StoredWebhook | null;
}

export async function saveWebhook(host: Host, webhook: StoredWebhook): Promise<void> {
  await host.kv.set({ key: hookKey(webhook.id), value: webhook });
}

export async function readHealth(host: Host, webhookId: string): Promise<Health> {
  const known = (await host.kv.get({ key: healthKey(webhookId) })) as Health | null;
  return known ?? goodHealth;
}
