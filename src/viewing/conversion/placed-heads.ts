/**
 * Places processes on the server that converts least. Each server that converts says so in its row of the
 * members, and its processes have a weight. This server is preferred where it has no more work than another
 * one; among equals the hash of the work decides, so that works spread. One that does not answer is passed
 * over, and without an answer this server does it, if it may.
 */
import { createHash } from 'node:crypto';
import type { Database } from '../../../kernel/store/index.ts';
import type { Clock, Undo } from '../../platform/clock.ts';
import type { AskedServers } from './asked-servers.ts';
import { converters, type ConverterRow } from './head-store.ts';

export interface PlacedHeadsParts {
  readonly database: Pick<Database, 'read'>;
  /** The id of this process. */
  readonly server: string;
  readonly asked: Pick<AskedServers, 'post'>;
  readonly clock: Clock;
}

/** What is to be placed. */
export interface Placing {
  readonly work: string;
  readonly weight: number;
  /** What the server is told to begin. */
  readonly body: Uint8Array;
}

/** A server that gave no sign for so long gets nothing. */
const oldMs = 10_000;
/** Until what was placed shows in the database. */
const settledMs = 3000;
const lookEveryMs = 5000;

interface PlacedHead {
  readonly id: string;
  readonly work: string;
  readonly weight: number;
  readonly at: number;
}

/** Where processes are placed. */
export class PlacedHeads {
  readonly #parts: PlacedHeadsParts;
  #placed: readonly PlacedHead[] = [];
  #hasOthers = false;
  #cancel: Undo = () => undefined;
  #isClosed = false;

  constructor(parts: PlacedHeadsParts) {
    this.#parts = parts;
  }

  /** Keeps {@link hasOthers} up to date. */
  watch(): void {
    void this.#candidates().finally(() => {
      if (!this.#isClosed) this.#cancel = this.#parts.clock.after(lookEveryMs, () => this.watch());
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel();
  }

  /** Whether another server converted when it was looked last. */
  hasOthers(): boolean {
    return this.#hasOthers;
  }

  /** The part that another server made; `null` = this server is the one that does it. */
  async place({ work, weight, body }: Placing): Promise<Buffer | null> {
    const { server, asked, clock } = this.#parts;
    const found = await this.#candidates();
    // Parts of one work that are asked for at once come from one process.
    const known = this.#placed.find((one) => one.work === work)?.id;
    const inTurn = found.toSorted(inOrder(work, server));
    for (const { id, address } of inTurn.toSorted((one) => (one.id === known ? -1 : 0))) {
      if (id === server) return null;
      if (id !== known) this.#placed = [...this.#placed, { id, work, weight, at: clock.now() }];
      const bytes = await asked.post(address, '/v1/heads', body);
      if (bytes !== null) return bytes;
    }
    return null;
  }

  async #candidates(): Promise<readonly ConverterRow[]> {
    const { database, server, clock } = this.#parts;
    const rows = await converters(database.read, oldMs).catch(() => []);
    this.#hasOthers = rows.some(({ id }) => id !== server);
    this.#placed = this.#placed.filter(({ at }) => clock.now() - at < settledMs);
    const placedOn = (id: string): number =>
      this.#placed.reduce((sum, one) => sum + (one.id === id ? one.weight : 0), 0);
    return rows.map((row) => ({ ...row, load: row.load + placedOn(row.id) }));
  }
}

/** The least work first, this server before others, and then by the work. */
const inOrder =
  (work: string, server: string) =>
  (one: ConverterRow, other: ConverterRow): number =>
    one.load - other.load ||
    Number(other.id === server) - Number(one.id === server) ||
    (rank(work, one.id) < rank(work, other.id) ? -1 : 1);

const rank = (work: string, id: string): string =>
  createHash('sha256').update(`${work} ${id}`).digest('hex');
