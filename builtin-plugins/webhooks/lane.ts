/**
 * The lane of one receiver. It makes one attempt at a time, the oldest first: deliveries in retry
 * that are due, then those that wait for their first attempt. The next delivery waits until the one
 * before is accepted, failed or in retry; so order is kept while nothing fails. Accepted deliveries
 * are stored a few at a time: a crash before that repeats those few, with the same ids.
 */
import type { Host } from '../../plugin-api/index.ts';
import { attemptDelivery, type Ending } from './attempt.ts';
import type { Delivery } from './delivery.ts';
import {
  findDelivery,
  prune,
  readQueue,
  settle,
  soonestDue,
  wakeRetrying,
  type Move,
} from './outbox.ts';
import { restAfter, retryDelay } from './retry-plan.ts';
import { goodHealth, readHealth, type Health, type StoredWebhook } from './webhook-store.ts';

/** What a lane knows of its run. */
export interface LaneParts {
  readonly host: Host;
  readonly clock: () => number;
  readonly random: () => number;
  /** The present webhook; `undefined` = it was removed. */
  readonly webhook: () => StoredWebhook | undefined;
  /** Throws when the run was given up. */
  readonly moved: () => void;
  /** Whether no other attempt may begin. */
  readonly isOver: () => boolean;
  /** Whether the due deliveries were changed from outside; reports it once. */
  readonly isStale: () => boolean;
  /** The receiver is gone for good. */
  readonly onGone: () => Promise<void>;
  /** A delivery has failed for good. */
  readonly onDead: (delivery: Delivery) => Promise<void>;
}

export type Lane = ReturnType<typeof createLane>;

/**
 * So many consecutive failures are of the receiver, and not of one event that it refuses: such an
 * event must not lose its attempts because others are accepted.
 */
const failuresOfOutage = 2;
/** Accepted deliveries are stored in groups of so many, or of so long a time. */
const mostUnsettled = 16;
const longestUnsettledMs = 250;
/** After trouble of the server itself the lane tries again after this time. */
const heldMs = 5000;
const movesOfOnePrune = 100;

export function createLane(webhookId: string, parts: LaneParts) {
  const { host, clock, random, moved } = parts;
  let health: Health = goodHealth;
  let isHealthNew = false;
  let moves: Move[] = [];
  let unsettledSince = 0;
  let movedSincePrune = 0;
  let due: Awaited<ReturnType<typeof soonestDue>> | undefined;

  /** Stores at once which deliveries were accepted. */
  async function flush(): Promise<void> {
    const settled = moves;
    const changed = isHealthNew ? health : null;
    moves = [];
    isHealthNew = false;
    // Anything stored for a removed webhook would stay for ever.
    if (parts.webhook() === undefined) return;
    await settle(host, webhookId, settled, changed);
    movedSincePrune += settled.length;
    if (movedSincePrune < movesOfOnePrune) return;
    movedSincePrune = 0;
    await prune(host, webhookId);
  }

  function note(move: Move): void {
    if (moves.length === 0) unsettledSince = clock();
    moves.push(move);
  }

  function setHealth(next: Health): void {
    if (next.failures === health.failures && next.restUntil === health.restUntil) return;
    health = next;
    isHealthNew = true;
  }

  /** Returns when to come back, if not at once. */
  async function deliver(
    webhook: StoredWebhook,
    from: 'pending' | 'retrying',
    delivery: Delivery,
  ): Promise<number | null> {
    const ending = await attemptDelivery(host, webhook, delivery, clock);
    moved();
    if (ending.kind === 'held') return clock() + heldMs;
    const after = { ...delivery, attempts: delivery.attempts + 1, last: ending.attempt };
    await conclude(ending, { from, before: delivery, after });
    const isFull = moves.length >= mostUnsettled || clock() - unsettledSince >= longestUnsettledMs;
    if (ending.kind !== 'taken' || from === 'retrying' || isFull) await flush();
    return null;
  }

  async function conclude(
    ending: Exclude<Ending, { readonly kind: 'held' }>,
    move: Omit<Move, 'to'>,
  ): Promise<void> {
    const over = { ...move.after, dueAt: null };
    switch (ending.kind) {
      case 'taken': {
        const wasAway = health.failures >= failuresOfOutage;
        setHealth(goodHealth);
        note({ ...move, to: 'delivered', after: over });
        if (wasAway) await wakeOthers();
        return;
      }
      case 'gone':
        note({ ...move, to: 'failed', after: over });
        return parts.onGone();
      case 'refused':
        return fail(move, ending.retryAfterMs);
    }
  }

  /** The receiver is back: what waits for its next attempt need not wait any longer. */
  async function wakeOthers(): Promise<void> {
    await flush();
    moved();
    await wakeRetrying(host, webhookId, clock());
    due = undefined;
  }

  async function fail({ from, before, after }: Omit<Move, 'to'>, pauseMs: number): Promise<void> {
    const now = clock();
    const failures = health.failures + 1;
    setHealth({ failures, restUntil: now + Math.max(restAfter(failures), pauseMs) });
    const delay = retryDelay(after.attempts, random);
    if (delay === null) {
      const over = { ...after, dueAt: null };
      note({ from, before, to: 'failed', after: over });
      return parts.onDead(over);
    }
    note({
      from,
      before,
      to: 'retrying',
      after: { ...after, dueAt: now + Math.max(delay, pauseMs) },
    });
    due = undefined;
  }

  async function readDue(): Promise<NonNullable<typeof due> | null> {
    if (due === undefined || parts.isStale()) {
      await flush();
      due = await soonestDue(host, webhookId);
      moved();
    }
    return due;
  }

  async function retry(webhook: StoredWebhook, id: string, key: string): Promise<number | null> {
    const delivery = await findDelivery(host, 'retrying', webhookId, id);
    due = undefined;
    if (delivery !== null) return deliver(webhook, 'retrying', delivery);
    await host.kv.remove({ key });
    return null;
  }

  async function work(): Promise<number | null> {
    let page: readonly Delivery[] = [];
    let cursor: string | null = null;
    for (;;) {
      moved();
      const webhook = parts.webhook();
      if (!webhook?.enabled) return null;
      if (parts.isOver()) return clock();
      if (health.restUntil > clock()) return health.restUntil;
      const next = await readDue();
      let backAt: number | null;
      if (next !== null && next.at <= clock()) {
        backAt = await retry(webhook, next.id, next.key);
      } else {
        if (page.length === 0) {
          ({ deliveries: page, cursor } = await readQueue(host, webhookId, cursor));
          moved();
        }
        const [first, ...rest] = page;
        if (first === undefined) return next?.at ?? null;
        page = rest;
        backAt = await deliver(webhook, 'pending', first);
      }
      if (backAt !== null) return backAt;
    }
  }

  return {
    /** Delivers until nothing is due. Returns when something will be, in Unix milliseconds. */
    run: async (): Promise<number | null> => {
      health = await readHealth(host, webhookId);
      due = undefined;
      moved();
      try {
        if (health.isBack === true) {
          health = goodHealth;
          isHealthNew = true;
          await wakeOthers();
        }
        return await work();
      } finally {
        await flush();
      }
    },
    flush,
  };
}
