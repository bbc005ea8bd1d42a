export { createWebhooks } from './webhooks.ts';
export type { ChangedWebhook, Webhooks, WebhooksParts } from './webhooks.ts';
export { type CheckedWebhook, type ShownWebhook } from './webhook.ts';
