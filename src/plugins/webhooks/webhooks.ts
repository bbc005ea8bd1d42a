/**
 * The admins' operations on webhooks. The plugin with the capability `webhooks` stores and delivers
 * them. Their fields are validated here, and their secrets are passed from here to the host, which
 * signs with them.
 */
import { createSerialQueue } from '../../../packages/lib/concurrency/index.ts';
import { KernelError, type CallPlugin } from '../../../kernel/index.ts';
import type { Database } from '../../../kernel/store/index.ts';
import type { Plugins } from '../../../kernel/run/index.ts';
import type {
  DeliveryStatus,
  MethodCatalogue,
  Webhook,
  WebhookChanges,
  WebhookDelivery,
} from '../../../plugin-api/index.ts';
import type { Viewer } from '../../people/viewer/index.ts';
import type { AuditReport, RecordAudit } from '../../platform/audit/index.ts';
import { toTimestamp, type Clock } from '../../platform/clock.ts';
import { readCursor, writeCursor } from '../../platform/cursor.ts';
import { AppError } from '../../platform/errors.ts';
import type { NewId } from '../../platform/uuid-v7.ts';
import {
  readDeliveries,
  readDeliveryAnswer,
  readRemoved,
  readWebhookAnswer,
  readWebhookList,
} from './answers.ts';
import {
  keyOf,
  masked,
  newSecret,
  parseEvents,
  parseUrl,
  type CheckedWebhook,
  type ShownWebhook,
} from './webhook.ts';
import { defaultEvents, type NewWebhook } from '../../contract/resources/plugins/webhooks.ts';
import type { PageQuery } from '../../contract/resources/schema-parts.ts';

/** The fields to change; an absent field stays unchanged. */
export type ChangedWebhook = { readonly [Key in keyof NewWebhook]?: NewWebhook[Key] | undefined };

export interface WebhooksParts {
  readonly call: CallPlugin;
  readonly provider: (capability: 'webhooks') => string | undefined;
  /** Why a request of a plugin to the URL cannot go out now; `null` = nothing is known. */
  readonly refusalOf: (pluginId: string, url: string) => Promise<string | null>;
  readonly secrets: Pick<Plugins['secrets'], 'put' | 'remove'>;
  readonly database: Database;
  readonly audit: RecordAudit;
  readonly clock: Pick<Clock, 'now'>;
  readonly random: (count: number) => Uint8Array;
  readonly newId: NewId;
}

const timeoutMs = 10_000;
/** An attempt may take 10 s, after a wait in the queue. */
const testTimeoutMs = 20_000;
/** Longer, because the plugin removes the deliveries as well. */
const removeTimeoutMs = 30_000;

type WebhookMethod = Extract<keyof MethodCatalogue, `webhooks.${string}`>;

/** The webhooks of this server. Unknown ids throw `not_found`. */
export class Webhooks {
  readonly #parts: WebhooksParts;
  readonly #changes = createSerialQueue();

  constructor(parts: WebhooksParts) {
    this.#parts = parts;
  }

  /** Serializes changes, so that two concurrent ones cannot take the same place. */
  #providerId(): string {
    const pluginId = this.#parts.provider('webhooks');
    if (pluginId !== undefined) return pluginId;
    const what = 'No webhooks plugin is running; check the plugin webhooks.';
    throw new AppError('unavailable', { what });
  }

  readonly #ask = <Name extends WebhookMethod>(
    method: Name,
    input: MethodCatalogue[Name]['input'],
    waitMs = timeoutMs,
  ): Promise<unknown> => this.#parts.call(this.#providerId(), method, input, { timeoutMs: waitMs });

  readonly #all = async (): Promise<readonly Webhook[]> =>
    readWebhookList(await this.#ask('webhooks.list', {}));

  readonly #find = async (id: string): Promise<Webhook> =>
    (await this.#all()).find((one) => one.id === id) ?? unknown(id);

  async #checked(webhook: ShownWebhook): Promise<CheckedWebhook> {
    const pluginId = this.#parts.provider('webhooks');
    const reason =
      pluginId === undefined ? null : await this.#parts.refusalOf(pluginId, webhook.url);
    return { ...webhook, reason };
  }

  async #note(
    viewer: Viewer,
    action: string,
    id: string,
    what: Pick<AuditReport, 'change' | 'details'>,
  ): Promise<void> {
    const target = { type: 'webhook', id };
    await this.#parts.database.write((trx) =>
      this.#parts.audit(trx, { actor: viewer, action, target, ...what }),
    );
  }

  async #create(wanted: NewWebhook, viewer: Viewer): Promise<ShownWebhook> {
    const { newId, clock, secrets } = this.#parts;
    const id = newId();
    const at = toTimestamp(clock.now());
    const secret = wanted.secret ?? newSecret(this.#parts.random);
    const key = keyOf(secret);
    const webhook: Webhook = {
      id,
      name: wanted.name,
      url: parseUrl(wanted.url),
      events: parseEvents(wanted.events ?? defaultEvents),
      enabled: wanted.enabled ?? true,
      secretName: `webhook.${id}`,
      createdAt: at,
      updatedAt: at,
    };
    const pluginId = this.#providerId();
    await secrets.put(pluginId, { name: webhook.secretName, value: key, encoding: 'base64' });
    try {
      const made = readWebhookAnswer(await this.#ask('webhooks.create', { webhook }));
      if (made === null) throw new AppError('conflict', { what: tooMany });
      await this.#note(viewer, 'webhook.created', id, {
        change: 'event',
        details: auditDetails(made),
      });
      return { ...masked(made), secret };
    } catch (error) {
      await secrets.remove(pluginId, { name: webhook.secretName }).catch(() => false);
      throw error;
    }
  }

  async #update(id: string, wanted: ChangedWebhook, viewer: Viewer): Promise<ShownWebhook> {
    const { name, url, events, enabled, secret } = wanted;
    const key = secret === undefined ? null : keyOf(secret);
    const changes: WebhookChanges = {
      updatedAt: toTimestamp(this.#parts.clock.now()),
      ...(name !== undefined && { name }),
      ...(url !== undefined && { url: parseUrl(url) }),
      ...(events !== undefined && { events: parseEvents(events) }),
      ...(enabled !== undefined && { enabled }),
    };
    const before = await this.#find(id);
    const { secretName } = before;
    if (key !== null)
      await this.#parts.secrets.put(this.#providerId(), {
        name: secretName,
        value: key,
        encoding: 'base64',
      });
    const changed =
      readWebhookAnswer(await this.#ask('webhooks.update', { id, changes })) ?? unknown(id);
    const after = { ...changed, updatedAt: before.updatedAt };
    // A secret cannot be read, so that one who sends it may have changed it.
    await this.#note(viewer, 'webhook.updated', id, {
      change: key === null ? { before, after } : 'event',
      details: { ...auditDetails(changed), secretChanged: key !== null },
    });
    return masked(changed);
  }

  async #remove(id: string, viewer: Viewer): Promise<void> {
    const { secretName, name } = await this.#find(id);
    if (!readRemoved(await this.#ask('webhooks.remove', { id }, removeTimeoutMs))) unknown(id);
    await this.#parts.secrets.remove(this.#providerId(), { name: secretName });
    await this.#note(viewer, 'webhook.deleted', id, { change: 'event', details: { name } });
  }

  readonly list = async ({
    limit = 50,
    cursor,
  }: PageQuery): Promise<{
    readonly webhooks: readonly ShownWebhook[];
    readonly nextCursor: string | null;
  }> => {
    const after = cursor === undefined ? '' : textIn(cursor);
    const found = (await this.#all())
      .filter(({ id }) => id > after)
      .sort((one, other) => (one.id < other.id ? -1 : 1));
    const page = found.slice(0, limit);
    const last = found.length > limit ? page.at(-1) : undefined;
    return {
      webhooks: page.map(masked),
      nextCursor: last === undefined ? null : writeCursor([last.id]),
    };
  };

  readonly get = async (id: string): Promise<CheckedWebhook> =>
    this.#checked(masked(await this.#find(id)));

  /** The only reply that contains the whole secret. */
  readonly create = async (wanted: NewWebhook, viewer: Viewer): Promise<CheckedWebhook> =>
    this.#checked(await this.#changes.run(() => this.#create(wanted, viewer)));

  readonly update = async (
    id: string,
    wanted: ChangedWebhook,
    viewer: Viewer,
  ): Promise<CheckedWebhook> =>
    this.#checked(await this.#changes.run(() => this.#update(id, wanted, viewer)));

  readonly remove = (id: string, viewer: Viewer): Promise<void> =>
    this.#changes.run(() => this.#remove(id, viewer));

  /** Sends a test event once, and returns the delivery. */
  readonly test = async (id: string, viewer: Viewer): Promise<WebhookDelivery> => {
    const answer = await this.#ask(
      'webhooks.test',
      { id, deliveryId: this.#parts.newId() },
      testTimeoutMs,
    );
    const delivery = readDeliveryAnswer(answer) ?? unknown(id);
    const details = { status: delivery.status };
    await this.#note(viewer, 'webhook.tested', id, { change: 'event', details });
    return delivery;
  };

  readonly deliveries = async (
    id: string,
    { limit = 50, cursor, status }: PageQuery & { readonly status?: DeliveryStatus | undefined },
  ): Promise<{
    readonly deliveries: readonly WebhookDelivery[];
    readonly nextCursor: string | null;
  }> => {
    const page = readDeliveries(
      await this.#ask('webhooks.deliveries', {
        id,
        limit,
        ...(status !== undefined && { status }),
        ...(cursor !== undefined && { after: textIn(cursor) }),
      }),
    );
    if (page === null) return unknown(id);
    const last = page.more ? page.deliveries.at(-1) : undefined;
    return {
      deliveries: page.deliveries,
      nextCursor: last === undefined ? null : writeCursor([last.id]),
    };
  };

  readonly redeliver = async (
    id: string,
    deliveryId: string,
    viewer: Viewer,
  ): Promise<WebhookDelivery> => {
    const { enabled, name } = await this.#find(id);
    if (!enabled) {
      const what = `The webhook ${name} is disabled; enable it to deliver to it.`;
      throw new AppError('conflict', { what });
    }
    const delivery = readDeliveryAnswer(await this.#ask('webhooks.redeliver', { id, deliveryId }));
    if (delivery === null)
      throw new AppError('not_found', { what: `Delivery ${deliveryId} of webhook ${id}` });
    await this.#note(viewer, 'webhook.redelivered', id, {
      change: 'event',
      details: { deliveryId },
    });
    return delivery;
  };
}

export const createWebhooks = (parts: WebhooksParts): Webhooks => new Webhooks(parts);

const tooMany = 'The maximum number of webhooks is reached; remove one first.';

/** Without path and query, which may contain a secret and must not be in the log. */
const auditDetails = ({ name, url, events, enabled }: Webhook) => ({
  name,
  host: new URL(url).host,
  events,
  enabled,
});

function textIn(cursor: string): string {
  const [text] = readCursor(cursor, 1);
  if (typeof text === 'string') return text;
  throw new KernelError('invalid_argument', 'query.cursor is not from this list.');
}

function unknown(id: string): never {
  throw new AppError('not_found', { what: `Webhook ${id}` });
}
