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

export interface RequestQueueParts {
  readonly clock: Clock;
  readonly log: Log;
}

/** Gives turns to requests. */
export class RequestQueue {
  readonly #parts: RequestQueueParts;
  readonly #lanes = new Map<string, HostLane>();
  readonly #waiting = new Set<Waiting>();
  readonly #running = new Map<string, number>();
  #runningInAll = 0;
  #alarm: Undo = () => undefined;

  constructor(parts: RequestQueueParts) {
    this.#parts = parts;
  }

  #laneOf({ pluginId, host, perSecond, laneNo = 0 }: TurnRequest): HostLane {
    const key = `${pluginId} ${host} ${perSecond} ${laneNo}`;
    const known = this.#lanes.get(key);
    if (known) return known;
    if (this.#lanes.size >= queueLimits.lanes) this.#forgetIdleLanes();
    const lane = new HostLane(perSecond);
    this.#lanes.set(key, lane);
    return lane;
  }

  #forgetIdleLanes(): void {
    const needed = new Set([...this.#waiting].map(({ lane }) => lane));
    for (const [key, lane] of this.#lanes) {
      if (!needed.has(lane) && lane.isIdle(this.#parts.clock.now())) this.#lanes.delete(key);
    }
    if (this.#lanes.size >= queueLimits.lanes) {
      throw new KernelError(
        'overloaded',
        'Requests to too many hosts are waiting. Use fewer hosts at a time.',
      );
    }
  }

  /** Starts all requests that may start, and sets a timer for the next one. */
  readonly #pump = (): void => {
    const { clock } = this.#parts;
    this.#alarm();
    let wakeAt = Number.POSITIVE_INFINITY;
    for (const one of this.#waiting) {
      if (!hasLanes(one) && this.#runningInAll >= queueLimits.inAll) continue;
      const most = Math.max(queueLimits.perPlugin, one.lanes ?? 1);
      if ((this.#running.get(one.pluginId) ?? 0) >= most) continue;
      const now = clock.now();
      const startAt = startOf(one, one.lane, now);
      if (startAt <= now) this.#begin(one);
      else wakeAt = Math.min(wakeAt, startAt);
    }
    if (Number.isFinite(wakeAt))
      this.#alarm = clock.after(Math.ceil(wakeAt - clock.now()), this.#pump);
  };

  #begin(one: Waiting): void {
    this.#waiting.delete(one);
    const sending = one.lane.started();
    this.#count(one, 1);
    one.start(sending);
  }

  #end(one: Waiting, sending: Sending, ending: LaneEnding): void {
    const { log, clock } = this.#parts;
    this.#count(one, -1);
    const told: LaneEnding = pausesItself(one) ? { kind: 'neutral' } : ending;
    const change = one.lane.ended(sending, told, clock.now());
    const { pluginId, host } = one;
    if (change === 'closed')
      log.warn({ pluginId, host }, 'A host fails repeatedly and is suspended for a while');
    if (change === 'reopened') log.info({ pluginId, host }, 'A suspended host answers again');
    this.#refuseLate(one.lane);
    this.#pump();
  }

  /** The lane was closed: refuses waiting requests whose deadline is before its end. */
  #refuseLate(lane: HostLane): void {
    const now = this.#parts.clock.now();
    const closed = lane.closed(now);
    if (!closed) return;
    for (const one of this.#waiting) {
      if (one.lane !== lane || pausesItself(one)) continue;
      if (closed.why === 'failing' || closed.until > one.deadline) {
        this.#waiting.delete(one);
        one.refuse(this.#refusal(one, closed.until - now));
      }
    }
  }

  #count(one: Waiting, by: number): void {
    const { pluginId } = one;
    if (!hasLanes(one)) this.#runningInAll += by;
    const now = (this.#running.get(pluginId) ?? 0) + by;
    if (now === 0) this.#running.delete(pluginId);
    else this.#running.set(pluginId, now);
  }

  #admit(request: TurnRequest, lane: HostLane): void {
    request.signal.throwIfAborted();
    const now = this.#parts.clock.now();
    const closed = pausesItself(request) ? null : lane.closed(now);
    const ahead = [...this.#waiting].filter((one) => one.lane === lane).length;
    const startAt = startOf(request, lane, now, ahead);
    const isFailing = closed?.why === 'failing';
    const isTooLate = Number.isFinite(startAt) && startAt > request.deadline;
    if (isFailing || isTooLate || ahead >= queueLimits.waitingPerHost) {
      throw this.#refusal({ ...request, lane }, (isFailing ? closed.until : startAt) - now);
    }
  }

  #refusal({ host, lane }: Pick<Waiting, 'host' | 'lane'>, waitMs: number): KernelError {
    const wait = `${Math.ceil(Math.max(0, waitMs))} ms`;
    const closed = lane.closed(this.#parts.clock.now());
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

  /** Milliseconds until all hosts of a plugin take requests again; 0 = they do. */
  readonly pauseOf = (pluginId: string): number => {
    const now = this.#parts.clock.now();
    const own = [...this.#lanes].filter(([key]) => key.startsWith(`${pluginId} `));
    return own.reduce(
      (most, [, lane]) => Math.max(most, (lane.closed(now)?.until ?? now) - now),
      0,
    );
  };

  /**
   * Resolves when the request may start; rejects with a `KernelError` if that would be too late.
   */
  readonly turn = async (request: TurnRequest): Promise<Turn> => {
    const lane = this.#laneOf(request);
    this.#admit(request, lane);
    return new Promise<Turn>((resolve, reject) => {
      const giveUp = () => {
        this.#waiting.delete(one);
        reject(request.signal.reason as Error);
        this.#pump();
      };
      const settle = () => request.signal.removeEventListener('abort', giveUp);
      const one: Waiting = {
        ...request,
        lane,
        start: (sending) => {
          settle();
          resolve({
            sent: () => {
              lane.sent(sending, this.#parts.clock.now());
              this.#pump();
            },
            end: (ending) => this.#end(one, sending, ending),
          });
        },
        refuse: (error) => {
          settle();
          reject(error);
        },
      };
      request.signal.addEventListener('abort', giveUp, { once: true });
      this.#waiting.add(one);
      this.#pump();
    });
  };
}
