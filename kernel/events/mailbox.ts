/**
 * What waits for one plugin. Invariant: events start in the order in which they were emitted; at
 * most `inFlight` calls run at once and at most `capacity` events wait, past which the oldest go
 * and are counted. While the plugin does not run (it restarts) all wait; a call that was under way
 * when it ended is not repeated. A mailbox touches no other plugin's, so a slow or dead subscriber
 * costs nobody else anything, and the emitter no more than an entry in a ring.
 */
import type { Dispatcher } from '../dispatch.ts';
import type { Log } from '../log.ts';
import type { Outcome } from '../outcome.ts';
import type { DeliveryScheduler } from './delivery-scheduler.ts';
import { isMilestone } from './milestone.ts';
import { Ring } from './ring.ts';

/** One event on its way; the same object for every plugin that hears it. */
export interface EventEnvelope {
  readonly type: string;
  /** The envelope. */
  readonly json: string;
}

/** How an event subscriber fares, since the server started. */
export interface EventCounters {
  /** Waiting now, not counting those under way. */
  readonly queued: number;
  readonly delivered: number;
  /** Lost because the queue was full. */
  readonly dropped: number;
  /** Ended in a throw or a time-out, or without a handler. Never repeated. */
  readonly failed: number;
}

/** How much a mailbox holds. */
export interface MailboxLimits {
  readonly capacity: number;
  /** UTF-16 code units of all that waits. */
  readonly textCapacity: number;
  readonly inFlight: number;
}

/** What a mailbox is made of. */
export interface MailboxParts {
  readonly dispatcher: Dispatcher;
  readonly log: Log;
  readonly limits: MailboxLimits;
  readonly scheduler: DeliveryScheduler;
  /** Whether the plugin may hear of an event with this name, now. */
  readonly canReceive: (pluginId: string, type: string) => boolean;
  /** Called whenever the mailbox has become emptier. */
  readonly onRelief: () => void;
}

const timeoutMs = 5000;
/** How often a mailbox that nobody puts anything into looks whether its plugin is back. */
const pauseMs = 500;

export class Mailbox {
  readonly #pluginId: string;
  readonly #parts: MailboxParts;
  readonly #waiting: Ring<EventEnvelope>;
  #waitingText = 0;
  #inFlight = 0;
  #isPumping = false;
  #awaitsTurn = false;
  #pause: NodeJS.Timeout | undefined;
  #delivered = 0;
  #dropped = 0;
  #failed = 0;

  constructor(pluginId: string, parts: MailboxParts) {
    this.#pluginId = pluginId;
    this.#parts = parts;
    this.#waiting = new Ring(parts.limits.capacity);
  }

  get counters(): EventCounters {
    return {
      queued: this.#waiting.length,
      delivered: this.#delivered,
      dropped: this.#dropped,
      failed: this.#failed,
    };
  }

  /** Whether a bulk emitter may go on. A plugin that is away holds nobody up. */
  get hasRoom(): boolean {
    return this.#isAway || this.#waiting.length * 2 < this.#parts.limits.capacity;
  }

  /** Whether nothing waits or is under way that could still arrive. */
  get isQuiet(): boolean {
    return this.#inFlight === 0 && (this.#waiting.length === 0 || this.#isAway);
  }

  put(envelope: EventEnvelope): void {
    if (!this.#canReceive(envelope)) return;
    while (this.#waiting.length > 0 && this.#isTooFullFor(envelope)) this.#drop();
    this.#waiting.push(envelope);
    this.#waitingText += envelope.json.length;
    this.#pump();
  }

  /** Forgets what waits. Calls under way end on their own. */
  close(): void {
    this.#endPause();
    this.#waiting.clear();
    this.#waitingText = 0;
    this.#parts.onRelief();
  }

  #canReceive({ type }: EventEnvelope): boolean {
    return this.#parts.canReceive(this.#pluginId, type);
  }

  #isTooFullFor(envelope: EventEnvelope): boolean {
    const text = this.#waitingText + envelope.json.length;
    return this.#waiting.isFull || text > this.#parts.limits.textCapacity;
  }

  #drop(): void {
    this.#take();
    this.#dropped += 1;
    if (!isMilestone(this.#dropped)) return;
    const fields = { pluginId: this.#pluginId, dropped: this.#dropped };
    this.#parts.log.warn(fields, `Plugin ${this.#pluginId} is behind: its oldest events are lost.`);
  }

  #take(): EventEnvelope | undefined {
    const envelope = this.#waiting.shift();
    if (envelope) this.#waitingText -= envelope.json.length;
    return envelope;
  }

  get #isAway(): boolean {
    return !this.#parts.dispatcher.isRunning(this.#pluginId);
  }

  #startPause(): void {
    if (this.#waiting.length === 0) return;
    this.#pause ??= setTimeout(() => {
      this.#pause = undefined;
      this.#pump();
    }, pauseMs).unref();
  }

  #endPause(): void {
    clearTimeout(this.#pause);
    this.#pause = undefined;
  }

  /** Starts what may start. A put from inside a dispatch waits its turn in the loop. */
  #pump(): void {
    if (this.#isPumping || this.#awaitsTurn) return;
    if (this.#isAway) {
      this.#startPause();
      return;
    }
    this.#endPause();
    this.#isPumping = true;
    while (this.#waiting.length > 0 && this.#inFlight < this.#parts.limits.inFlight) {
      if (!this.#parts.scheduler.take()) {
        this.#awaitTurn();
        break;
      }
      const envelope = this.#take();
      // What an admin took away while the event waited is not told any more.
      if (envelope && this.#canReceive(envelope)) this.#send(envelope);
    }
    this.#isPumping = false;
  }

  #awaitTurn(): void {
    this.#awaitsTurn = true;
    this.#parts.scheduler.wait(() => {
      this.#awaitsTurn = false;
      this.#pump();
    });
  }

  #send(envelope: EventEnvelope): void {
    this.#inFlight += 1;
    void this.#parts.dispatcher
      .dispatch({
        pluginId: this.#pluginId,
        method: 'event.dispatch',
        name: envelope.type,
        inputJson: envelope.json,
        timeoutMs,
        ignoresReply: true,
      })
      .then((outcome) => this.#ended(envelope, outcome));
  }

  #ended(envelope: EventEnvelope, outcome: Outcome): void {
    this.#inFlight -= 1;
    if (outcome.kind === 'returned') this.#delivered += 1;
    else this.#countFailure(envelope, outcome);
    this.#pump();
    this.#parts.onRelief();
  }

  #countFailure(
    envelope: EventEnvelope,
    outcome: Exclude<Outcome, { readonly kind: 'returned' }>,
  ): void {
    this.#failed += 1;
    if (outcome.kind === 'unknown-handler' || !isMilestone(this.#failed)) return;
    const fields = { pluginId: this.#pluginId, type: envelope.type, failed: this.#failed, outcome };
    this.#parts.log.warn(fields, `Plugin ${this.#pluginId} failed on the event ${envelope.type}.`);
  }
}
