/**
 * What other servers convert. A server says which processes it runs, and beats while they do. One that is
 * asked for a segment which the process of another server makes soon fetches it there, and begins its own
 * where the beat is old, or the other one does not answer.
 */
import { createHash } from 'node:crypto';
import type { Log } from '../../../kernel/index.ts';
import type { Database } from '../../../kernel/store/index.ts';
import type { AskServer } from '../../platform/internal/index.ts';
import type { Clock, Undo } from '../../platform/clock.ts';
import type { DescribedWork } from './described-work.ts';
import { beatHeads, deleteHead, headsAt, insertHead } from './head-store.ts';
import { endOf } from './timeline.ts';

/** The processes of the other servers. */
export interface OtherHeads {
  /** A process begins here; the undo says that it ended. */
  readonly begins: (work: DescribedWork, from: number, until: number) => Undo;
  /** A part that a process of another server makes: `init`, or segment `n`. `null` = none does. */
  readonly part: (
    work: DescribedWork,
    part: { readonly name: string; readonly n: number },
    sessionId: string,
  ) => Promise<Buffer | null>;
}

export interface OtherHeadsParts {
  readonly database: Database;
  /** The id of this process. */
  readonly server: string;
  /** Of its internal port. */
  readonly address: () => string | null;
  readonly ask: Pick<AskServer, 'get'>;
  readonly clock: Clock;
  readonly log: Log;
}

const beatMs = 3000;
/** The process of a server that did not beat for so long is not waited for. */
const oldMs = 10_000;
const goneMs = 60_000;
/** As long as a player waits before it asks again. */
const waitMs = 20_000;
/** A server that says nothing within this time is frozen or away, and is not asked for a while. */
const helloMs = 1500;
const believedMs = { yes: 2000, no: 10_000 } as const;

/** Whether a server answered when it was asked last. */
interface Hello {
  readonly at: number;
  readonly isThere: Promise<boolean>;
}

/** The name of what is converted, for the database and in addresses. */
export const hashOf = (work: Pick<DescribedWork, 'key'>): string =>
  createHash('sha256').update(work.key).digest('hex');

export function createOtherHeads(parts: OtherHeadsParts): OtherHeads {
  const { database, server, ask, clock, log } = parts;
  const hellos = new Map<string, Hello>();
  let running = 0;
  let cancel: Undo | null = null;

  /** One statement after the other, so that an end follows its beginning. */
  let last: Promise<unknown> = Promise.resolve();
  function later(work: () => Promise<unknown>): void {
    last = last
      .then(work)
      .catch((err: unknown) => log.debug({ err }, 'A conversion was not told to other servers.'));
  }

  function beatLater(): void {
    if (running > 0)
      cancel ??= clock.after(beatMs, () => {
        cancel = null;
        later(() => database.write((trx) => beatHeads(trx, server, goneMs)));
        beatLater();
      });
  }

  /** A server that is frozen takes connections and answers nothing: nobody waits long for it. */
  async function isThere(address: string): Promise<boolean> {
    const known = hellos.get(address);
    if (known !== undefined) {
      const was = await known.isThere;
      if (clock.now() - known.at < (was ? believedMs.yes : believedMs.no)) return was;
    }
    const asked = ask.get(address, '/v1/health', helloMs).then((answer) => answer !== null);
    hellos.set(address, { at: clock.now(), isThere: asked });
    return asked;
  }

  /** What a server has at a path, as long as it does not freeze meanwhile. */
  async function fetched(address: string, path: string): Promise<Buffer | null> {
    let asked: Promise<{ readonly bytes: Buffer | null }> | null = null;
    while (await isThere(address)) {
      asked ??= ask.get(address, path, waitMs).then((bytes) => ({ bytes }));
      const pause = Promise.withResolvers<null>();
      const cancelPause = clock.after(believedMs.yes, () => pause.resolve(null));
      const answer = await Promise.race([asked, pause.promise]);
      cancelPause();
      if (answer !== null) return answer.bytes;
    }
    return null;
  }

  return {
    begins: (work, from, until) => {
      const address = parts.address();
      if (address === null) return () => undefined;
      const { timeline } = work;
      const key = { work: hashOf(work), server, from_us: timeline.starts[from] ?? 0 };
      running += 1;
      beatLater();
      later(() =>
        database.write((trx) =>
          insertHead(trx, { ...key, address, until_us: endOf(timeline, until - 1) }),
        ),
      );
      return () => {
        running -= 1;
        if (running === 0) {
          cancel?.();
          cancel = null;
        }
        later(() => database.write((trx) => deleteHead(trx, key)));
      };
    },
    part: async (work, { name, n }, sessionId) => {
      if (parts.address() === null) return null;
      const hash = hashOf(work);
      const at = name === 'init' ? null : (work.timeline.starts[n] ?? 0);
      const addresses = await headsAt(database.read, { work: hash, server, at }, oldMs);
      for (const address of addresses) {
        const found = await fetched(address, `/v1/heads/${hash}/${name}/${sessionId}`);
        if (found !== null) return found;
      }
      return null;
    },
  };
}
