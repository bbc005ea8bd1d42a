/**
 * The order of requests. Requests wait in the order in which they came. A request starts as soon as
 * its host's lane and the limits of its plugin and the server allow it, and overtakes requests that
 * may not start yet. So a slow host delays only requests to it. A request whose turn would come
 * after its deadline is refused at once.
 */
import { KernelError, type Log } from '../../../kernel/index.ts';
import type { FetchInput } from '../../../plugin-api/index.ts';
import type { Clock, Undo } from '../clock.ts';
import { HostLane, type LaneEnding, type Sending } from './host-lane.ts';

/** A request that waits for its turn. */
export interface TurnRequest {
  readonly pluginId: string;
  /** Name and port. */
  readonly host: string;
  /** The plugin's lane; 0 when absent. */
  readonly laneNo?: number;
  /** How many lanes the plugin has; one when absent. */
  readonly lanes?: number;
  readonly perSecond: number;
  /** As `FetchInput.pauses`. */
  readonly pauses?: FetchInput['pauses'];
  /** Unix milliseconds until which it may wait. */
  readonly deadline: number;
  /** Aborted with the `KernelError` that is the reason. */
  readonly signal: AbortSignal;
}

/** A request that may start. */
export interface Turn {
  /** The bytes of the request went out: the rate counts from then. */
  readonly sent: () => void;
  /** Ends the turn, with the result for the host. */
  readonly end: (ending: LaneEnding) => void;
}

/** Gives turns to requests. */
export type RequestQueue = ReturnType<typeof createRequestQueue>;

interface Waiting extends TurnRequest {
  readonly lane: HostLane;
  readonly start: (sending: Sending) => void;
  readonly refuse: (error: KernelError) => void;
}

/** How many may be under way; a plugin with lanes has one per lane, outside the other limits. */
export const queueLimits = { perPlugin: 8, inAll: 32, waitingPerHost: 100, lanes: 1000 } as const;

const pausesItself = ({ pauses }: TurnRequest): boolean => pauses === 'own';

/** When the request may start, after `ahead` others of its lane. */
const startOf = (request: TurnRequest, lane: HostLane, now: number, ahead = 0): number =>
  pausesItself(request) ? lane.nextByRate(now, ahead) : lane.nextStart(now, ahead);

const hasLanes = ({ lanes = 1 }: TurnRequest): boolean => lanes > 1;

/** Creates an empty queue. */
export function createRequestQueue({ clock, log }: { readonly clock: Clock; readonly log: Log }) {
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
      throw new KernelError(
        'overloaded',
        'Requests to too many hosts are waiting. Use fewer hosts at a time.',
      );
    }
  }

  /** Starts all requests that may start, and sets a timer for the next one. */
  function pump(): void {
    alarm();
    let wakeAt = Number.POSITIVE_INFINITY;
    for (const one of waiting) {
      if (!hasLanes(one) && runningInAll >= queueLimits.inAll) continue;
      const most = Math.max(queueLimits.perPlugin, one.lanes ?? 1);
      if ((running.get(one.pluginId) ?? 0) >= most) continue;
      const now = clock.now();
      const startAt = startOf(one, one.lane, now);
      if (startAt <= now) begin(one);
      else wakeAt = Math.min(wakeAt, startAt);
    }
    if (Number.isFinite(wakeAt)) alarm = clock.after(Math.ceil(wakeAt - clock.now()), pump);
  }

  function begin(one: Waiting): void {
    waiting.delete(one);
    const sending = one.lane.started();
    count(one, 1);
    one.start(sending);
  }

  function end(one: Waiting, sending: Sending, ending: LaneEnding): void {
    count(one, -1);
    const told: LaneEnding = pausesItself(one) ? { kind: 'neutral' } : ending;
    const change = one.lane.ended(sending, told, clock.now());
    const { pluginId, host } = one;
    if (change === 'closed')
      log.warn({ pluginId, host }, 'A host fails repeatedly and is suspended for a while');
    if (change === 'reopened') log.info({ pluginId, host }, 'A suspended host answers again');
    refuseLate(one.lane);
    pump();
  }

  /** The lane was closed: refuses waiting requests whose deadline is before its end. */
  function refuseLate(lane: HostLane): void {
    const now = clock.now();
    const closed = lane.closed(now);
    if (!closed) return;
    for (const one of waiting) {
      if (one.lane !== lane || pausesItself(one)) continue;
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
    const closed = pausesItself(request) ? null : lane.closed(now);
    const ahead = [...waiting].filter((one) => one.lane === lane).length;
    const startAt = startOf(request, lane, now, ahead);
    const isFailing = closed?.why === 'failing';
    const isTooLate = Number.isFinite(startAt) && startAt > request.deadline;
    if (isFailing || isTooLate || ahead >= queueLimits.waitingPerHost) {
      throw refusal({ ...request, lane }, (isFailing ? closed.until : startAt) - now);
    }
  }

  return {
    /** Milliseconds until all hosts of a plugin take requests again; 0 = they do. */
    pauseOf: (pluginId: string): number => {
      const now = clock.now();
      const own = [...lanes].filter(([key]) => key.startsWith(`${pluginId} `));
      return own.reduce(
        (most, [, lane]) => Math.max(most, (lane.closed(now)?.until ?? now) - now),
        0,
      );
    },
    /**
     * Resolves when the request may start; rejects with a `KernelError` if that would be too late.
     */
    turn: async (request: TurnRequest): Promise<Turn> => {
      const lane = laneOf(request);
      admit(request, lane);
      return new Promise<Turn>((resolve, reject) => {
        const giveUp = () => {
          waiting.delete(one);
          reject(request.signal.reason as Error);
          pump();
        };
        const settle = () => request.signal.removeEventListener('abort', giveUp);
        const one: Waiting = {
          ...request,
          lane,
          start: (sending) => {
            settle();
            resolve({
              sent: () => {
                lane.sent(sending, clock.now());
                pump();
              },
              end: (ending) => end(one, sending, ending),
            });
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
        `${host} failed several times in a row and is suspended for another ${wait}.`,
      );
    }
    return new KernelError(
      'quota_exceeded',
      closed
        ? `${host} asked to wait; the next request is possible in ${wait}.`
        : `Too many requests to ${host}; the next is possible in ${wait}.`,
    );
  }
}
