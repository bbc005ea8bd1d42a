/** Sends what waits in the queue. */
import type { Host, KvEntry } from '@vitrine/plugin-api';
import { sendToLastFm } from './last-fm.ts';
import { profileOf, sentKey, type Listen, type Queued, type ServiceName } from './listen.ts';
import { sendToListenBrainz } from './listen-brainz.ts';
import type { Send, Sent } from './send.ts';

interface Service {
  readonly name: ServiceName;
  readonly send: Send;
  /** The most listens in one request. */
  readonly most: number;
}

const services: readonly Service[] = [
  { name: 'listenbrainz', send: sendToListenBrainz, most: 100 },
  { name: 'lastfm', send: sendToLastFm, most: 50 },
];

const minuteMs = 60_000;
const longestPauseMinutes = 60;
/** So many listens are remembered as sent. */
const mostSent = 5000;

/** Sends all that waits; what a service does not take now is tried again later. */
export async function flush(host: Host): Promise<void> {
  const ends = [];
  for (const service of services) ends.push(await flushOne(service, host));
  await host.kv.trim({ prefix: 'sent/', keep: mostSent });
  if (ends.every(Boolean)) {
    await host.kv.remove({ key: 'tries' });
    return;
  }
  const tries = Number((await host.kv.get({ key: 'tries' })) ?? 0);
  await host.kv.set({ key: 'tries', value: tries + 1 });
  const minutes = Math.min(2 ** tries, longestPauseMinutes);
  await host.schedule.set({ name: 'flush', at: Date.now() + minutes * minuteMs });
}

/** Whether nothing waits any longer. */
async function flushOne(service: Service, host: Host): Promise<boolean> {
  const prefix = `queue/${service.name}/`;
  const waiting = new Set<string>();
  let cursor: string | null = null;
  do {
    const page: Page = await host.kv.scan({ prefix, limit: 500, cursor });
    const queued = page.entries.map(({ key, value }) => ({ key, listen: value as Listen }));
    for (const [profile, all] of Map.groupBy(queued, ({ key }) => profileOf(key)))
      if (!waiting.has(profile) && !(await sendAll(service, all, profile, host)))
        waiting.add(profile);
    cursor = page.cursor;
  } while (cursor !== null);
  return waiting.size === 0;
}

interface Page {
  readonly entries: readonly KvEntry[];
  readonly cursor: string | null;
}

async function sendAll(
  service: Service,
  queued: readonly Queued[],
  profile: string,
  host: Host,
): Promise<boolean> {
  for (let from = 0; from < queued.length; from += service.most)
    if (!(await sendSome(service, queued.slice(from, from + service.most), profile, host)))
      return false;
  return true;
}

/** Whether they need not be sent again. Of several that are refused, each is tried alone. */
async function sendSome(
  service: Service,
  queued: readonly Queued[],
  profile: string,
  host: Host,
): Promise<boolean> {
  const listens = queued.map(({ listen }) => listen);
  const sent = await service.send(listens, profile, host).catch(outcomeOf);
  if (sent === 'later' || sent === 'denied') return false;
  if (sent === 'refused' && queued.length > 1) {
    for (const one of queued) if (!(await sendSome(service, [one], profile, host))) return false;
    return true;
  }
  if (sent === 'refused')
    console.warn(`${service.name} does not take ${JSON.stringify(listens[0])}.`);
  const keys = queued.map(({ key }) => key);
  await host.kv.batch({
    remove: keys,
    set: keys.map((key) => ({ key: sentKey(key), value: true })),
  });
  return true;
}

/** A host call that failed. Without its secret an account is gone; all else may pass. */
function outcomeOf(error: unknown): Sent {
  const { code } = error as { readonly code?: string };
  return code === 'not_found' ? 'gone' : 'later';
}
