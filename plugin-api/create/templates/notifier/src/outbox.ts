/**
 * Messages on their way. Each is kept before it is sent and removed when it has arrived, so a crash, a
 * restart or a receiver that is away loses none. One may arrive twice: at least once is what can be had.
 *
 * An event keeps its message and asks to be called; only that call sends. Calls of one name never overlap,
 * so no message is sent by two at once, however many events come.
 */
import type { Host } from '@vitrine/plugin-api';

/** A message. */
export interface Message {
  /** The same message has the same id, however often its event comes. */
  readonly id: string;
  readonly text: string;
}

/** The messages that wait. */
export interface Outbox {
  /** Keeps a message; it is sent a second later. */
  readonly put: (message: Message) => Promise<void>;
  /** Sends all that wait, the oldest first; what cannot be sent now is tried again in a while. */
  readonly send: () => Promise<void>;
}

const prefix = 'waiting/';
const longestText = 1000;
/** A receiver that is away for long shall not fill the store. */
const most = 200;
/** The least that there is. */
const soonMs = 1000;
const againInMs = 60_000;

/** Creates it over the way out. */
export function createOutbox({ kv, net, schedule, config }: Host): Outbox {
  async function post(text: string): Promise<'arrived' | 'refused' | 'not-now'> {
    const { topic } = await config.get({});
    if (typeof topic !== 'string' || !URL.canParse(topic)) return 'not-now';
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

  /** Nothing of a plugin runs between calls; this is how it is called again. */
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
      if (ending === 'refused') console.warn('The topic takes no message; this one is dropped.');
      await kv.remove({ key });
    }
  }

  return {
    put: async ({ id, text }) => {
      const { keys } = await kv.list({ prefix, limit: most });
      const key = prefix + id;
      if (keys.length >= most && !keys.includes(key)) {
        console.warn(`${most} messages wait already; this one is dropped.`);
        return;
      }
      await kv.set({ key, value: text.slice(0, longestText) });
      await callAgain(soonMs);
    },
    send,
  };
}
