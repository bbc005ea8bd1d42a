/**
 * Follows the feeds of the brokers of linked users, and sends those brokers the new address or name
 * of this server. If a broker does not answer, known data stays in force, its age is visible, and
 * the interval grows up to an hour. Identity sign-ins are refused only when the feed is older than
 * the maximum age that the operator set.
 */
import type { Log } from '../../../kernel/index.ts';
import type { Database } from '../../../kernel/storage/index.ts';
import { steadyOf, type Clock, type Undo } from '../../platform/clock.ts';
import { AppError } from '../../platform/errors.ts';
import type { BrokerClient } from './broker-client.ts';
import type { ApplyPage } from './feed-page.ts';
import { findFeed, listFeeds, putFeed } from './feed-store.ts';
import { findLink, listAwaiting, listLinks, settleLinks } from './link-store.ts';
import type { Presenter } from './server-card.ts';

/** Follows feeds. */
export type FeedReader = ReturnType<typeof createFeedReader>;

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

/** Creates it; it sends no request before it starts. */
export function createFeedReader(parts: FeedReaderParts) {
  const { database, broker, apply, presenter, settings, clock, random, log } = parts;
  const steady = steadyOf(clock);
  const intervalMs = settings.minutes * 60_000;
  const following = new Map<string, Following>();
  const lastReplyAt = new Map<string, number>();
  let stopTimer: Undo = () => undefined;
  let round: Promise<void> | null = null;
  let isWoken = false;
  let isRunning = false;

  /** The brokers of active links, each with the start of the time for which its silence counts. */
  async function brokers(): Promise<ReadonlyMap<string, number>> {
    const linked = await listLinks(database.read, null);
    const since = new Map<string, number>();
    for (const { identityUrl, linkedAt } of linked)
      since.set(identityUrl, Math.max(Date.parse(linkedAt), since.get(identityUrl) ?? 0));
    return since;
  }

  async function runRound(): Promise<void> {
    const current = await brokers();
    for (const url of following.keys()) if (!current.has(url)) following.delete(url);
    for (const url of lastReplyAt.keys()) if (!current.has(url)) lastReplyAt.delete(url);
    for (const [url, linkedAt] of current) {
      if (!lastReplyAt.has(url)) lastReplyAt.set(url, linkedAt);
      const one = following.get(url) ?? newFollowing();
      following.set(url, one);
      if (one.dueAt <= steady.now() && isRunning) await follow(url, one);
    }
  }

  async function follow(url: string, one: Following): Promise<void> {
    try {
      await read(url, one);
      lastReplyAt.set(url, clock.now());
      one.failures = 0;
      await sendUpdate(url);
    } catch (err) {
      one.failures += 1;
      const level = one.failures === 1 ? 'warn' : 'debug';
      log[level]({ err, identityUrl: url }, 'The feed of an identity broker could not be read.');
    }
    const usualMs = intervalMs * 2 ** Math.min(one.failures, 10);
    const waitMs =
      one.failures === 0 ? intervalMs : Math.min(Math.max(hourMs, intervalMs), usualMs);
    one.dueAt = steady.now() + waitMs * (0.8 + 0.4 * random());
  }

  /**
   * A waiting link becomes active through a read that began after it was made, from the first
   * record on. Such a read may take several rounds; links that are made meanwhile wait for the next
   * one.
   */
  async function begin(url: string, one: Following): Promise<void> {
    if (one.awaiting !== null) return;
    const awaiting = await listAwaiting(database.read, url);
    if (awaiting.length === 0) return;
    await database.write(async (trx) => putFeed(trx, { ...(await findFeed(trx, url)), next: 0 }));
    one.tag = null;
    one.awaiting = awaiting;
  }

  async function finish(one: Following): Promise<void> {
    const { awaiting } = one;
    if (awaiting !== null) await database.write((trx) => settleLinks(trx, awaiting));
    one.awaiting = null;
  }

  async function read(url: string, one: Following): Promise<void> {
    await begin(url, one);
    for (let pages = 0; pages < mostPages && isRunning; pages += 1) {
      const { next: since, epoch } = await findFeed(database.read, url);
      const etag = one.tag?.since === since ? one.tag.etag : null;
      const page = await broker.feedPage(url, since, etag);
      if (page === null) {
        if (etag === null)
          throw new AppError('broker_unreachable', { why: 'its feed is malformed' });
        return finish(one);
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
      if (!page.more) return finish(one);
    }
  }

  async function sendUpdate(url: string): Promise<void> {
    const { toldBaseUrl, toldName } = await findFeed(database.read, url);
    const { baseUrl, name } = presenter.card();
    if (toldBaseUrl === baseUrl && toldName === name) return;
    if (toldBaseUrl !== null) await broker.sendUpdate(url, (await presenter.request(true)).signed);
    await database.write(async (trx) =>
      putFeed(trx, { ...(await findFeed(trx, url)), toldBaseUrl: baseUrl, toldName: name }),
    );
  }

  function run(): void {
    stopTimer();
    if (!isRunning) return;
    if (round !== null) {
      isWoken = true;
      return;
    }
    round = runRound()
      .catch((err: unknown) => log.error({ err }, 'The feeds of identity brokers were not read.'))
      .finally(() => {
        round = null;
        if (isWoken) {
          isWoken = false;
          run();
        } else plan();
      });
  }

  function plan(): void {
    if (!isRunning) return;
    const due = [...following.values()].map(({ dueAt }) => dueAt);
    const dueAt = due.length === 0 ? steady.now() + intervalMs : Math.min(...due);
    stopTimer = clock.after(Math.max(1000, dueAt - steady.now()), run);
  }

  return {
    /** Loads the stored state. */
    open: async (): Promise<void> => {
      for (const { identityUrl, lastOkAt } of await listFeeds(database.read))
        if (lastOkAt !== null) lastReplyAt.set(identityUrl, Date.parse(lastOkAt));
      for (const [url, linkedAt] of await brokers())
        if (!lastReplyAt.has(url)) lastReplyAt.set(url, linkedAt);
    },
    start: (): void => {
      isRunning = true;
      run();
    },
    /** Reads all feeds now, without waiting for their next turn; resolves when that is done. */
    wake: async (): Promise<void> => {
      for (const one of following.values()) Object.assign(one, { dueAt: 0, tag: null });
      run();
      while (round !== null) await round;
    },
    /** Stops it, with requests in progress. */
    stop: async (): Promise<void> => {
      isRunning = false;
      stopTimer();
      await round;
    },
    /**
     * Seconds since the last reply of a broker; with several, of the one that is silent for longest.
     * `null` = no user is linked.
     */
    ageSeconds: (): number | null =>
      lastReplyAt.size === 0
        ? null
        : Math.max(0, Math.round((clock.now() - Math.min(...lastReplyAt.values())) / 1000)),
    /** Rejects with `identity_feed_stale` if the operator set a maximum age. */
    assertFresh: async (linkId: string): Promise<void> => {
      if (settings.maxAgeHours === 0) return;
      const link = await findLink(database.read, linkId);
      if (!link) return;
      const at = lastReplyAt.get(link.identityUrl) ?? Date.parse(link.linkedAt);
      if (clock.now() - at > settings.maxAgeHours * hourMs)
        throw new AppError('identity_feed_stale', {});
    },
  };
}
