/**
 * A queue of messages. Each is stored before it is sent and removed after its delivery, so a crash, a
 * restart or an unavailable receiver loses none. A message may arrive twice: delivery is at least
 * once.
 *
 * An event stores its message and schedules a call; only that call sends. Calls of one name never
 * overlap, so no message is sent twice at the same time.
 */
import type { Host } from '@vitrine/plugin-api';
import type { Configuration } from './configuration.ts';

/** A message. */
export interface Message {
  /** The same for each delivery of the same event. */
  readonly id: string;
  readonly text: string;
}

/** The waiting messages. */
export interface Outbox {
  /** Stores a message, to be sent a second later. */
  readonly put: (message: Message) => Promise<void>;
  /** Sends all waiting messages, the oldest first; failed ones are tried again later. */
  readonly send: () => Promise<void>;
}

const prefix = 'waiting/';
const longestText = 1000;
/** A receiver that stays unavailable must not fill the store. */
const most = 200;
/** The earliest time that is allowed. */
const soonMs = 1000;
const againInMs = 60_000;

/** Creates it over the host. */
export function createOutbox({ kv, net, schedule, config }: Host<Configuration>): Outbox {
  async function post(text: string): Promise<'arrived' | 'refused' | 'not-now'> {
    const { topic } = await config.get({});
    if (topic === undefined || !URL.canParse(topic)) return 'not-now';
    try {
      const { status } = await net.fetch({
        url: topic,
        method: 'POST',
        headers: { 'content-type': 'text/plain; charset=utf-8', title: 'Vitrine' },
        body: text,
      });
      if (status >= 200 && status < 300) return 'arrived';
      return status === 429 || status >= 500 ? 'not-now' : 'refused';
    } catch (error) {
      console.warn('Not sent:', error instanceof Error ? error.message : error);
      return 'not-now';
    }
  }

  /** Schedules the next call, since nothing of a plugin runs between calls. */
  const callAgain = (inMs: number): Promise<null> =>
    schedule.set({ name: 'send', at: Date.now() + inMs });

  async function send(): Promise<void> {
    const { keys } = await kv.list({ prefix, limit: most });
    for (const key of keys) {
      const text = await kv.get({ key });
      const ending = typeof text === 'string' ? await post(text) : 'refused';
      if (ending === 'not-now') {
        await callAgain(againInMs);
        return;
      }
      if (ending === 'refused') console.warn('The topic refused the message; it is dropped.');
      await kv.remove({ key });
    }
  }

  return {
    put: async ({ id, text }) => {
      const { keys } = await kv.list({ prefix, limit: most });
      const key = prefix + id;
      if (keys.length >= most && !keys.includes(key)) {
        console.warn(`${most} messages are waiting; this one is dropped.`);
        return;
      }
      await kv.set({ key, value: text.slice(0, longestText) });
      await callAgain(soonMs);
    },
    send,
  };
}
