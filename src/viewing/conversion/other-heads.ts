/**
 * What other servers convert. A server says which processes it runs, and beats while they do. One that is
 * asked for a segment which the process of another server makes soon fetches it there. Where the beat is
 * old, or the other one does not answer, a process begins where there is the least work.
 */
import { createHash } from 'node:crypto';
import type { Log } from '../../../kernel/index.ts';
import type { Database } from '../../../kernel/store/index.ts';
import type { Clock, Undo } from '../../platform/clock.ts';
import type { ConversionWork } from '../transcoding/index.ts';
import type { AskedServers } from './asked-servers.ts';
import { begunWork } from './begun-work.ts';
import type { DescribedWork } from './described-work.ts';
import { nameOfPart } from './part-store.ts';
import { beatHeads, deleteHead, headsAt, insertHead } from './head-store.ts';
import type { PlacedHeads } from './placed-heads.ts';
import { endOf } from './timeline.ts';

/** The processes of the other servers. */
export interface OtherHeads {
  /** A process begins here; the undo says that it ended. */
  readonly begins: (work: DescribedWork, from: number, until: number) => Undo;
  /** A part that a process of another server makes: `init`, or segment `n`. `null` = none does. */
  readonly part: (
    work: DescribedWork,
    part: { readonly name: string; readonly n: number; readonly key: string },
    sessionId: string,
  ) => Promise<Buffer | null>;
  /** The same of a process that begins where there is the least work. `null` = it is to begin here. */
  readonly placed: (
    asked: ConversionWork,
    work: DescribedWork,
    part: { readonly name: string; readonly n: number },
  ) => Promise<Buffer | null>;
  /** Whether another server converts. */
  readonly hasConverters: () => boolean;
  readonly close: () => void;
}

export interface OtherHeadsParts {
  readonly database: Database;
  /** The id of this process. */
  readonly server: string;
  /** Of its internal port. */
  readonly address: () => string | null;
  readonly asked: Pick<AskedServers, 'get'>;
  readonly placing: Pick<PlacedHeads, 'place' | 'hasOthers' | 'close'>;
  /** What another server has converted and kept, by its name. */
  readonly keptElsewhere: (name: string) => Promise<Buffer | null>;
  readonly clock: Clock;
  readonly log: Log;
}

const beatMs = 3000;
/** The process of a server that did not beat for so long is not waited for. */
const oldMs = 10_000;
const goneMs = 60_000;
/** A picture is so much more work than sound. */
const weights = { video: 10, audio: 1 } as const;

/** The name of what is converted, for the database and in addresses. */
export const hashOf = (work: Pick<DescribedWork, 'key'>): string =>
  createHash('sha256').update(work.key).digest('hex');

export function createOtherHeads(parts: OtherHeadsParts): OtherHeads {
  const { database, server, asked, placing, clock, log } = parts;
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
          insertHead(trx, {
            ...{ ...key, address, until_us: endOf(timeline, until - 1) },
            weight: weights[work.kind],
          }),
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
    part: async (work, { name, n, key }, sessionId) => {
      if (parts.address() === null) return null;
      const hash = hashOf(work);
      const at = name === 'init' ? null : (work.timeline.starts[n] ?? 0);
      const addresses = await headsAt(database.read, { work: hash, server, at }, oldMs);
      for (const address of addresses) {
        const found = await asked.get(address, `/v1/heads/${hash}/${name}/${sessionId}`);
        if (found !== null) return found;
      }
      return parts.keptElsewhere(nameOfPart(key));
    },
    placed: (work, { key, kind, encoder }, { name, n }) =>
      // Another server encodes on its processor for this one, since that is the same everywhere.
      encoder.kind !== 'software' || parts.address() === null
        ? Promise.resolve(null)
        : placing.place({
            work: hashOf({ key }),
            weight: weights[kind],
            body: begunWork({ work, n, isInit: name === 'init' }),
          }),
    hasConverters: () => placing.hasOthers(),
    close: () => placing.close(),
  };
}
