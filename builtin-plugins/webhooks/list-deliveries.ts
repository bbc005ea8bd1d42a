import type {
  DeliveryStatus,
  Handler,
  Host,
  MethodCatalogue,
  WebhookDelivery,
} from '../../plugin-api/index.ts';
import { shownDelivery, type Delivery } from './delivery.ts';
import { deliveriesOf, deliveryKey, statuses } from './keys.ts';
import type { Registry } from './registry.ts';

type Deliveries = MethodCatalogue['webhooks.deliveries'];

interface Part {
  readonly deliveries: readonly WebhookDelivery[];
  /** The id at which it ended, since a page has a limited size; `null` = it has all of them. */
  readonly endsAt: string | null;
}

/** `webhooks.deliveries`: the newest first, of one status or of all. */
export function createListDeliveries(
  registry: Registry,
): Handler<Deliveries['input'], Deliveries['output']> {
  return async ({ id, status, after, limit }, host) => {
    await registry.load(host);
    if (registry.find(id) === undefined) return null;
    const wanted = status === undefined ? statuses : [status];
    const parts = await Promise.all(wanted.map((one) => readPart(host, one, { id, after, limit })));
    // After the end of one part, deliveries of another part may be newer than the unread ones.
    const floor = parts.reduce(
      (last, { endsAt }) => (endsAt !== null && endsAt > last ? endsAt : last),
      '',
    );
    const all = parts
      .flatMap(({ deliveries }) => deliveries)
      .filter((one) => one.id >= floor)
      .sort((one, other) => (one.id < other.id ? 1 : -1));
    const deliveries = all.slice(0, limit);
    return { deliveries, more: all.length > limit || floor !== '' };
  };
}

async function readPart(
  host: Host,
  status: DeliveryStatus,
  { id, after, limit }: { id: string; after: string | undefined; limit: number },
): Promise<Part> {
  const { entries, cursor } = await host.kv.scan({
    prefix: deliveriesOf(status, id),
    cursor: after === undefined ? null : deliveryKey(status, id, after),
    limit,
    reverse: true,
  });
  const deliveries = entries.map(({ value }) => shownDelivery(value as Delivery, status));
  return { deliveries, endsAt: cursor === null ? null : (deliveries.at(-1)?.id ?? null) };
}
