/**
 * Which request goes next. Requests wait in the order in which they came; one starts as soon as its
 * host's lane, its plugin's share and the server's share all let it, and overtakes those that may not
 * start yet, so a slow host holds up nobody but those who ask it. A request whose turn would come
 * after its time is refused at once: nobody waits for nothing.
 */
import { KernelError, type Log } from '../../kernel/index.ts';
import type { Clock, Undo } from '../clock.ts';
import { HostLane, type LaneEnding } from './host-lane.ts';

/** A request that wants its turn. */
export interface TurnRequest {
  readonly pluginId: string;
  /** Name and port. */
  readonly host: string;
  /** Of the plugin's lanes; 0 when absent. */
  readonly laneNo?: number;
  /** How many lanes the plugin has; one when absent. */
  readonly lanes?: number;
  readonly perSecond: number;
  /** Unix milliseconds until which it can wait. */
  readonly deadline: number;
  /** Aborted with the `KernelError` that says why. */
  readonly signal: AbortSignal;
}

/** Ends a turn, and says how it went. */
export type EndTurn = (ending: LaneEnding) => void;

/** Hands out turns. */
export interface RequestQueue {
  /** Resolves when the request may start; rejects with a `KernelError` when it never will in time. */
  readonly turn: (request: TurnRequest) => Promise<EndTurn>;
}

interface Waiting extends TurnRequest {
  readonly lane: HostLane;
  readonly start: () => void;
  readonly refuse: (error: KernelError) => void;
}

/** How many may be under way; a plugin with lanes has as many as lanes, beside all others. */
export const queueLimits = { perPlugin: 8, inAll: 32, waitingPerHost: 100, lanes: 1000 } as const;

const hasLanes = ({ lanes = 1 }: TurnRequest): boolean => lanes > 1;

/** Creates a queue in which nobody waits. */
export function createRequestQueue({
  clock,
  log,
}: {
  readonly clock: Clock;
  readonly log: Log;
}): RequestQueue {
  const lanes = new Map<string, HostLane>();
  const waiting = new Set<Waiting>();
  const running = new Map<string, number>();
  let runningInAll = 0;
  let alarm: Undo = () => undefined;

  function laneOf({ pluginId, host, perSecond, laneNo = 0 }: TurnRequest): HostLane {
    const key = `${pluginId} ${host} ${perSecond} ${laneNo}`;
    const known = lanes.get(key);
    if (known) return known;
    if (lanes.size >= queueLimits.lanes) forgetIdleLanes();
    const lane = new HostLane(perSecond);
    lanes.set(key, lane);
    return lane;
  }

  function forgetIdleLanes(): void {
    const needed = new Set([...waiting].map(({ lane }) => lane));
    for (const [key, lane] of lanes) {
      if (!needed.has(lane) && lane.isIdle(clock.now())) lanes.delete(key);
    }
    if (lanes.size >= queueLimits.lanes) {
      throw new KernelError('overloaded', 'Too many hosts are asked at a time; ask fewer.');
    }
  }

  /** Starts whatever may start, and comes back when the next one may. */
  function pump(): void {
    alarm();
    let wakeAt = Number.POSITIVE_INFINITY;
    for (const one of waiting) {
      if (!hasLanes(one) && runningInAll >= queueLimits.inAll) continue;
      const most = Math.max(queueLimits.perPlugin, one.lanes ?? 1);
      if ((running.get(one.pluginId) ?? 0) >= most) continue;
      const now = clock.now();
      const startAt = one.lane.nextStart(now);
      if (startAt <= now) begin(one, now);
      else wakeAt = Math.min(wakeAt, startAt);
    }
    if (Number.isFinite(wakeAt)) alarm = clock.after(Math.ceil(wakeAt - clock.now()), pump);
  }

  function begin(one: Waiting, now: number): void {
    waiting.delete(one);
    one.lane.started(now);
    count(one, 1);
    one.start();
  }

  function end(one: Waiting, ending: LaneEnding): void {
    count(one, -1);
    const change = one.lane.ended(ending, clock.now());
    const { pluginId, host } = one;
    if (change === 'closed')
      log.warn({ pluginId, host }, 'A host fails and is left alone for a while');
    if (change === 'reopened') log.info({ pluginId, host }, 'A host that failed answers again');
    refuseLate(one.lane);
    pump();
  }

  /** The lane was closed: whoever waits in it beyond their time hears so now. */
  function refuseLate(lane: HostLane): void {
    const now = clock.now();
    const closed = lane.closed(now);
    if (!closed) return;
    for (const one of waiting) {
      if (one.lane !== lane) continue;
      if (closed.why === 'failing' || closed.until > one.deadline) {
        waiting.delete(one);
        one.refuse(refusal(one, closed.until - now));
      }
    }
  }

  function count(one: Waiting, by: number): void {
    const { pluginId } = one;
    if (!hasLanes(one)) runningInAll += by;
    const now = (running.get(pluginId) ?? 0) + by;
    if (now === 0) running.delete(pluginId);
    else running.set(pluginId, now);
  }

  function admit(request: TurnRequest, lane: HostLane): void {
    request.signal.throwIfAborted();
    const now = clock.now();
    const closed = lane.closed(now);
    const ahead = [...waiting].filter((one) => one.lane === lane).length;
    const startAt = lane.nextStart(now, ahead);
    const isFailing = closed?.why === 'failing';
    const isTooLate = Number.isFinite(startAt) && startAt > request.deadline;
    if (isFailing || isTooLate || ahead >= queueLimits.waitingPerHost) {
      throw refusal({ ...request, lane }, (isFailing ? closed.until : startAt) - now);
    }
  }

  return {
    turn: async (request) => {
      const lane = laneOf(request);
      admit(request, lane);
      return new Promise<EndTurn>((resolve, reject) => {
        const giveUp = () => {
          waiting.delete(one);
          reject(request.signal.reason as Error);
          pump();
        };
        const settle = () => request.signal.removeEventListener('abort', giveUp);
        const one: Waiting = {
          ...request,
          lane,
          start: () => {
            settle();
            resolve((ending) => end(one, ending));
          },
          refuse: (error) => {
            settle();
            reject(error);
          },
        };
        request.signal.addEventListener('abort', giveUp, { once: true });
        waiting.add(one);
        pump();
      });
    },
  };

  function refusal({ host, lane }: Pick<Waiting, 'host' | 'lane'>, waitMs: number): KernelError {
    const wait = `${Math.ceil(Math.max(0, waitMs))} ms`;
    const closed = lane.closed(clock.now());
    if (closed?.why === 'failing') {
      return new KernelError(
        'net_unreachable',
        `${host} failed several times in a row and is left alone for another ${wait}.`,
      );
    }
    return new KernelError(
      'quota_exceeded',
      closed
        ? `${host} asked for time; the next request is possible in ${wait}.`
        : `Too many requests to ${host}; the next is possible in ${wait}.`,
    );
  }
}
