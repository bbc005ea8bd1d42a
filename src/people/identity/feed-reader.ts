/**
 * Follows the feeds of the brokers of linked users, and sends those brokers the new address or name
 * of this server. If a broker does not answer, known data stays in force, its age is visible, and
 * the interval grows up to an hour. Identity sign-ins are refused only when the feed is older than
 * the maximum age that the operator set.
 */
import type { Log } from '../../../kernel/index.ts';
import type { Database } from '../../../kernel/store/index.ts';
import { steadyOf, type Clock, type Undo } from '../../platform/clock.ts';
import { AppError } from '../../platform/errors.ts';
import type { BrokerClient } from './broker-client.ts';
import type { ApplyPage } from './feed-page.ts';
import { findFeed, listFeeds, putFeed } from './feed-store.ts';
import { findLink, listAwaiting, listLinks, settleLinks } from './link-store.ts';
import type { Presenter } from './server-card.ts';

export interface FeedSettings {
  readonly minutes: number;
  /** 0 = no maximum. */
  readonly maxAgeHours: number;
}

export interface FeedReaderParts {
  readonly database: Database;
  readonly broker: Pick<BrokerClient, 'feedPage' | 'sendUpdate'>;
  readonly apply: ApplyPage;
  readonly presenter: Presenter;
  readonly settings: FeedSettings;
  readonly clock: Clock;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly log: Log;
}

const hourMs = 3_600_000;
/** The most pages of one feed in a round; the rest waits for the next round. */
const mostPages = 200;

interface Following {
  failures: number;
  dueAt: number;
  tag: { readonly since: number; readonly etag: string } | null;
  /**
   * The links that become active when this read reaches the end of the feed; `null` = none waited
   * when it began.
   */
  awaiting: readonly string[] | null;
}

const newFollowing = (): Following => ({ failures: 0, dueAt: 0, tag: null, awaiting: null });

/** Follows feeds. */
export class FeedReader {
  readonly #parts: FeedReaderParts;
  readonly #steady: ReturnType<typeof steadyOf>;
  readonly #intervalMs: number;
  readonly #following = new Map<string, Following>();
  readonly #lastReplyAt = new Map<string, number>();
  #stopTimer: Undo = () => undefined;
  #round: Promise<void> | null = null;
  #isWoken = false;
  #isRunning = false;

  constructor(parts: FeedReaderParts) {
    this.#parts = parts;
    this.#steady = steadyOf(parts.clock);
    this.#intervalMs = parts.settings.minutes * 60_000;
  }

  /** The brokers of active links, each with the start of the time for which its silence counts. */
  async #brokers(): Promise<ReadonlyMap<string, number>> {
    const linked = await listLinks(this.#parts.database.read, null);
    const since = new Map<string, number>();
    for (const { identityUrl, linkedAt } of linked)
      since.set(identityUrl, Math.max(Date.parse(linkedAt), since.get(identityUrl) ?? 0));
    return since;
  }

  async #runRound(): Promise<void> {
    const current = await this.#brokers();
    for (const url of this.#following.keys()) if (!current.has(url)) this.#following.delete(url);
    for (const url of this.#lastReplyAt.keys())
      if (!current.has(url)) this.#lastReplyAt.delete(url);
    for (const [url, linkedAt] of current) {
      if (!this.#lastReplyAt.has(url)) this.#lastReplyAt.set(url, linkedAt);
      const one = this.#following.get(url) ?? newFollowing();
      this.#following.set(url, one);
      if (one.dueAt <= this.#steady.now() && this.#isRunning) await this.#follow(url, one);
    }
  }

  async #follow(url: string, one: Following): Promise<void> {
    const { clock, log, random } = this.#parts;
    try {
      await this.#read(url, one);
      this.#lastReplyAt.set(url, clock.now());
      one.failures = 0;
      await this.#sendUpdate(url);
    } catch (err) {
      one.failures += 1;
      const level = one.failures === 1 ? 'warn' : 'debug';
      log[level]({ err, identityUrl: url }, 'The feed of an identity broker could not be read.');
    }
    const usualMs = this.#intervalMs * 2 ** Math.min(one.failures, 10);
    const waitMs =
      one.failures === 0 ? this.#intervalMs : Math.min(Math.max(hourMs, this.#intervalMs), usualMs);
    one.dueAt = this.#steady.now() + waitMs * (0.8 + 0.4 * random());
  }

  /**
   * A waiting link becomes active through a read that began after it was made, from the first
   * record on. Such a read may take several rounds; links that are made meanwhile wait for the next
   * one.
   */
  async #begin(url: string, one: Following): Promise<void> {
    if (one.awaiting !== null) return;
    const awaiting = await listAwaiting(this.#parts.database.read, url);
    if (awaiting.length === 0) return;
    await this.#parts.database.write(async (trx) =>
      putFeed(trx, { ...(await findFeed(trx, url)), next: 0 }),
    );
    one.tag = null;
    one.awaiting = awaiting;
  }

  async #finish(one: Following): Promise<void> {
    const { awaiting } = one;
    if (awaiting !== null) await this.#parts.database.write((trx) => settleLinks(trx, awaiting));
    one.awaiting = null;
  }

  async #read(url: string, one: Following): Promise<void> {
    const { database, broker, apply } = this.#parts;
    await this.#begin(url, one);
    for (let pages = 0; pages < mostPages && this.#isRunning; pages += 1) {
      const { next: since, epoch } = await findFeed(database.read, url);
      const etag = one.tag?.since === since ? one.tag.etag : null;
      const page = await broker.feedPage(url, since, etag);
      if (page === null) {
        if (etag === null)
          throw new AppError('broker_unreachable', { why: 'its feed is malformed' });
        return this.#finish(one);
      }
      if (epoch !== null && epoch !== page.epoch && since > 0) {
        // The broker's database has a new epoch: the stored position is not valid in it.
        await apply(url, { epoch: page.epoch, records: [], next: 0, more: true });
        one.tag = null;
        continue;
      }
      if (page.next < since || (page.more && page.next === since))
        throw new AppError('broker_unreachable', { why: 'its feed does not advance' });
      await apply(url, page);
      one.tag = page.etag === null ? null : { since: page.next, etag: page.etag };
      if (!page.more) return this.#finish(one);
    }
  }

  async #sendUpdate(url: string): Promise<void> {
    const { database, presenter, broker } = this.#parts;
    const { toldBaseUrl, toldName } = await findFeed(database.read, url);
    const { baseUrl, name } = presenter.card();
    if (toldBaseUrl === baseUrl && toldName === name) return;
    if (toldBaseUrl !== null) await broker.sendUpdate(url, (await presenter.request(true)).signed);
    await database.write(async (trx) =>
      putFeed(trx, { ...(await findFeed(trx, url)), toldBaseUrl: baseUrl, toldName: name }),
    );
  }

  readonly #run = (): void => {
    this.#stopTimer();
    if (!this.#isRunning) return;
    if (this.#round !== null) {
      this.#isWoken = true;
      return;
    }
    this.#round = this.#runRound()
      .catch((err: unknown) =>
        this.#parts.log.error({ err }, 'The feeds of identity brokers were not read.'),
      )
      .finally(() => {
        this.#round = null;
        if (this.#isWoken) {
          this.#isWoken = false;
          this.#run();
        } else this.#plan();
      });
  };

  #plan(): void {
    if (!this.#isRunning) return;
    const due = [...this.#following.values()].map(({ dueAt }) => dueAt);
    const dueAt = due.length === 0 ? this.#steady.now() + this.#intervalMs : Math.min(...due);
    this.#stopTimer = this.#parts.clock.after(
      Math.max(1000, dueAt - this.#steady.now()),
      this.#run,
    );
  }

  /** Loads the stored state. */
  readonly open = async (): Promise<void> => {
    for (const { identityUrl, lastOkAt } of await listFeeds(this.#parts.database.read))
      if (lastOkAt !== null) this.#lastReplyAt.set(identityUrl, Date.parse(lastOkAt));
    for (const [url, linkedAt] of await this.#brokers())
      if (!this.#lastReplyAt.has(url)) this.#lastReplyAt.set(url, linkedAt);
  };

  readonly start = (): void => {
    this.#isRunning = true;
    this.#run();
  };

  /** Reads all feeds now, without waiting for their next turn; resolves when that is done. */
  readonly wake = async (): Promise<void> => {
    for (const one of this.#following.values()) Object.assign(one, { dueAt: 0, tag: null });
    this.#run();
    while (this.#round !== null) await this.#round;
  };

  /** Stops it, with requests in progress. */
  readonly stop = async (): Promise<void> => {
    this.#isRunning = false;
    this.#stopTimer();
    await this.#round;
  };

  /**
   * Seconds since the last reply of a broker; with several, of the one that is silent for longest.
   * `null` = no user is linked.
   */
  readonly ageSeconds = (): number | null =>
    this.#lastReplyAt.size === 0
      ? null
      : Math.max(
          0,
          Math.round((this.#parts.clock.now() - Math.min(...this.#lastReplyAt.values())) / 1000),
        );

  /** Rejects with `identity_feed_stale` if the operator set a maximum age. */
  readonly assertFresh = async (linkId: string): Promise<void> => {
    const { settings, database, clock } = this.#parts;
    if (settings.maxAgeHours === 0) return;
    const link = await findLink(database.read, linkId);
    if (!link) return;
    const at = this.#lastReplyAt.get(link.identityUrl) ?? Date.parse(link.linkedAt);
    if (clock.now() - at > settings.maxAgeHours * hourMs)
      throw new AppError('identity_feed_stale', {});
  };
}

/** Creates it; it sends no request before it starts. */
export const createFeedReader = (parts: FeedReaderParts): FeedReader => new FeedReader(parts);
