/**
 * Several servers on one PostgreSQL database. What they share:
 *
 * - changes: what one changed of what the others keep in memory, see `shared-changes.ts`;
 * - events: in one order for all, see `shared-events.ts`;
 * - duties: what is done once for all - events to plugins, their times, watching, the schedule - is done
 *   by one of them, the keeper. It is whoever holds a lock that ends with its connection; when it dies
 *   another one takes the duties on within two seconds;
 * - lives: each holds a lock of its own, so the others know of its death as soon as PostgreSQL does, and
 *   take up the jobs that it ran.
 *
 * A server whose connection is lost keeps nothing from that moment on, whatever it was about to do.
 */
import type {
  AskLine,
  SerialisedEvent,
  Log,
  Queries,
  SharedDatabase,
  SharedLine,
} from '../../kernel/index.ts';
import type { Clock, Undo } from '../clock.ts';
import { ConfigError } from '../config.ts';
import { createEventDelivery, type EventDelivery } from './event-delivery.ts';
import { openSharedChanges, type SharedChanges } from './shared-changes.ts';
import { createSharedEvents, keptEvents, type SharedEvents } from './shared-events.ts';
import {
  announce,
  claimKey,
  deadProcesses,
  delist,
  dutyOf,
  enlist,
  forgetOld,
  hasOthers,
  leaveDuty,
  nextProcessNo,
  readState,
  setKey,
  takeDuty,
} from './shared-store.ts';

/** What one server does for all. */
export interface Duty {
  readonly start: () => void | Promise<void>;
  /** It may be started again. */
  readonly stop: () => void | Promise<void>;
}

/** The servers of one database, as one of them sees them. */
export interface Cluster extends Pick<SharedChanges, 'catchUp' | 'generation'> {
  /** Of this life of this process. */
  readonly processId: string;
  /** The same for all servers. */
  readonly feedId: string;
  readonly onChange: SharedChanges['listen'];
  /** What happens in any of them. */
  readonly events: Pick<SharedEvents, 'listen' | 'listenFromPast'>;
  /** Takes what is emitted here. */
  readonly relay: (event: SerialisedEvent) => void;
  readonly room: SharedEvents['room'];
  /** What was emitted until now was heard here; or the time is over. */
  readonly settled: (timeoutMs: number) => Promise<void>;
  readonly isKeeper: () => boolean;
  /** Done by the keeper, from the start or from when it becomes the keeper. */
  readonly keeps: (duty: Duty) => void;
  /** Hears of servers that ended without a word; told to the keeper alone. */
  readonly onDeath: (listener: (processId: string) => Promise<void>) => void;
  /** Nobody else may do that meanwhile; `null` = somebody does. Ends with the undo, or this process. */
  readonly claim: (name: string) => Promise<Undo | null>;
  readonly start: (parts: {
    readonly deliver: (event: SerialisedEvent) => void;
    readonly room: (timeoutMs: number) => Promise<void>;
  }) => Promise<void>;
  /** Brings to plugins what there is, and leaves the duties to others: before plugins are stopped. */
  readonly retire: () => Promise<void>;
  /** Stores what was emitted, and leaves the servers. */
  readonly stop: () => Promise<void>;
}

/** What it is made of. */
export interface ClusterParts {
  readonly shared: SharedDatabase;
  readonly read: Queries;
  /** Tells the key that seals secrets from another one, and nothing about it. */
  readonly keyPrint: string;
  readonly version: string;
  readonly clock: Clock;
  readonly log: Log;
}

const beatMs = 1000;
const upkeepMs = 5 * 60_000;
const keeperDuty = 0;
/** What plugins do not take by then is for the next keeper. */
const lastDeliveryMs = 1000;
/** A connection that was lost for a moment is no death; what was dead before this server began is. */
const beatsOfDeath = 2;

/** Joins the servers of the database; rejects when this one does not fit to them. */
export async function openCluster(parts: ClusterParts): Promise<Cluster> {
  const { shared, read, clock, log } = parts;
  const processId = shared.origin;
  const changes = await openSharedChanges({ read, origin: processId, clock, log });
  const duties: Duty[] = [];
  const mourners: ((processId: string) => Promise<void>)[] = [];
  const absences = new Map<string, number>();
  let delivery: EventDelivery | null = null;
  let cancelBeat: Undo = () => undefined;
  let upkeepAtMs = 0;
  let processNo: number | null = null;
  let isHolding = false;
  let isStarted = false;
  let isStopping = false;
  let areKept = false;
  let hasMourned = false;
  let turn: Promise<void> = Promise.resolve();

  const line: SharedLine = await shared.openLine('vitrine', { up, heard, down });
  const events = createSharedEvents({ ask: line.ask, log });
  const feedId = await join().catch(async (error: unknown) => {
    await line.close();
    throw error;
  });
  const isKeeper = (): boolean => isHolding && isStarted && !isStopping;

  async function join(): Promise<string> {
    if ((await claimKey(line.ask, parts.keyPrint)) !== parts.keyPrint) {
      if (await hasOthers(line.ask, processId)) throw new ConfigError(anotherKey);
      log.warn({}, 'This server has another key than the servers of this database had before.');
      await setKey(line.ask, parts.keyPrint);
    }
    return (await readState(line.ask)).feed_id;
  }

  async function up(ask: AskLine): Promise<void> {
    const member = { id: processId, version: parts.version };
    processNo ??= await nextProcessNo(ask);
    while (!(await enlist(ask, { ...member, no: processNo }))) processNo = await nextProcessNo(ask);
    if (isStarted) hurry();
  }

  function heard(what: string): void {
    if (!isStarted) return;
    if (what === 'members') hurry();
    else void takeOver();
  }

  function down(): void {
    isHolding = false;
    settleDuties();
  }

  /** What changed first: an event about it finds it changed. */
  async function takeOver(): Promise<void> {
    try {
      await changes.catchUp();
      await events.read();
      delivery?.wake();
    } catch (error) {
      log.debug({ err: error }, 'What other servers tell was not read; it is tried again.');
    }
  }

  function hurry(): void {
    cancelBeat();
    cancelBeat = clock.after(0, beat);
  }

  function beat(): void {
    void look()
      .catch((error: unknown) => log.debug({ err: error }, 'The other servers were not looked at.'))
      .finally(() => {
        if (!isStopping) cancelBeat = clock.after(beatMs, beat);
      });
  }

  async function look(): Promise<void> {
    await takeOver();
    if (!isHolding && (await takeDuty(line.ask, keeperDuty))) {
      isHolding = true;
      delivery?.reset();
      settleDuties();
    }
    if (!isHolding) return;
    delivery?.wake();
    await mourn();
    if (clock.now() < upkeepAtMs) return;
    upkeepAtMs = clock.now() + upkeepMs;
    await forgetOld(line.ask, keptEvents, 10 * keptEvents);
  }

  async function mourn(): Promise<void> {
    const dead = (await deadProcesses(line.ask)).map(({ id }) => id);
    for (const id of absences.keys()) if (!dead.includes(id)) absences.delete(id);
    for (const id of dead) {
      const beats = (absences.get(id) ?? 0) + 1;
      absences.set(id, beats);
      if ((hasMourned && beats < beatsOfDeath) || id === processId) continue;
      log.warn({ processId: id }, 'Another server ended without a word; its work is taken up.');
      for (const mourner of mourners) await mourner(id);
      await delist(line.ask, id);
    }
    hasMourned = true;
  }

  /** One after the other: what was started is stopped before it is started again. */
  function settleDuties(): void {
    turn = turn
      .then(async () => {
        if (areKept === isKeeper()) return;
        areKept = isKeeper();
        if (areKept) log.info({}, 'This server keeps the duties of all.');
        else log.info({}, 'Another server may keep the duties of all.');
        for (const duty of duties) await (areKept ? duty.start() : duty.stop());
      })
      .catch((error: unknown) => log.error({ err: error }, 'A duty was not begun or ended.'));
  }

  async function retire(): Promise<void> {
    if (isStopping) return;
    if (isKeeper() && delivery !== null) {
      const late = Promise.withResolvers<undefined>();
      const cancel = clock.after(lastDeliveryMs, () => late.resolve(undefined));
      await Promise.race([delivery.idle(), late.promise]);
      cancel();
    }
    isStopping = true;
    cancelBeat();
    settleDuties();
    await turn;
    if (!isHolding) return;
    isHolding = false;
    try {
      await leaveDuty(line.ask, keeperDuty);
      await announce(line.ask, 'members');
    } catch (error) {
      log.debug({ err: error }, 'The duties of all go with the connection.');
    }
  }

  async function claim(name: string): Promise<Undo | null> {
    const duty = dutyOf(name);
    if (!(await takeDuty(line.ask, duty))) return null;
    return () => void leaveDuty(line.ask, duty).catch(() => undefined);
  }

  return {
    processId,
    feedId,
    catchUp: changes.catchUp,
    generation: changes.generation,
    onChange: changes.listen,
    events,
    relay: events.put,
    room: events.room,
    settled: async (timeoutMs) => {
      await events.flushed(timeoutMs);
      await events.read().catch(() => undefined);
    },
    isKeeper,
    keeps: (duty) => void duties.push(duty),
    onDeath: (listener) => void mourners.push(listener),
    claim,
    start: async (to) => {
      delivery = createEventDelivery({ ...to, ask: line.ask, isKeeper, log });
      await events.begin((await readState(line.ask)).last_event);
      isStarted = true;
      log.info({ processId }, `This server is one of its database: ${processId}.`);
      await look();
      await turn;
      cancelBeat = clock.after(beatMs, beat);
    },
    retire,
    stop: async () => {
      await retire();
      await events.flushed(1000);
      await delist(line.ask, processId).catch(() => undefined);
      await line.close();
    },
  };
}

const anotherKey =
  'The servers of this database have another key: copy server.key and server-id.key from the data folder of one of them into the data folder of this one.';
