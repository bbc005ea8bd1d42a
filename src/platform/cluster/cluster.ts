/**
 * Several servers on one PostgreSQL database. They share:
 *
 * - changes: changes by one server to data that the others cache, see `shared-changes.ts`;
 * - events: in one order for all, see `shared-events.ts`;
 * - singletons: work that only one server does (events to plugins, their wake-ups, watching, the
 *   schedule). It runs on the leader, see `leadership.ts`; after its death another server takes over
 *   within two seconds, and within fifteen when it is frozen;
 *   A server that lacks a plugin which hears events does not lead while another one could;
 * - liveness: each server holds a lock of its own, so the others detect its death when PostgreSQL
 *   does, and gives a sign every two seconds, so that they detect that it is frozen. The leader ends
 *   the connections of a frozen one, and takes over the jobs that it ran.
 *
 * A server that loses its connection stops being the leader immediately.
 */
import { KernelError, type Log } from '../../../kernel/index.ts';
import type { SerialisedEvent } from '../../../kernel/call/events/index.ts';
import type { AskLine, Database, SharedDatabase } from '../../../kernel/store/index.ts';
import { steadyOf, type Clock, type Undo } from '../clock.ts';
import { ConfigError } from '../config.ts';
import { createEventDelivery, type EventDelivery } from './event-delivery.ts';
import { createLeadership } from './leadership.ts';
import type { LackedPlugins, Member, MemberFacts } from './member.ts';
import { readMembers } from './members.ts';
import { openSharedChanges, type SharedChanges } from './shared-changes.ts';
import { createSharedEvents, retainedEvents, type SharedEvents } from './shared-events.ts';
import {
  claimKey,
  cutOff,
  delist,
  describeMember,
  enlist,
  forgetOld,
  hasAbler,
  hasOthers,
  internalPorts,
  leaderSilence,
  lockNumberOf,
  lostProcesses,
  nextProcessNo,
  noteHeartbeat,
  noteMissing,
  readState,
  releaseLock,
  setKey,
  takeLock,
} from './shared-store.ts';

/** Work that only one server does. */
export interface Singleton {
  readonly start: () => void | Promise<void>;
  /** It may be started again. */
  readonly stop: () => void | Promise<void>;
}

/** The servers of one database, from the view of one of them. */
export interface Cluster extends Pick<SharedChanges, 'catchUp' | 'generation'> {
  /** The id of this process. */
  readonly processId: string;
  /** The same for all servers. */
  readonly feedId: string;
  readonly onChange: SharedChanges['listen'];
  /** The events of all servers. */
  readonly events: Pick<SharedEvents, 'listen' | 'listenFromPast'>;
  /** Takes the events that are emitted here. */
  readonly relay: (event: SerialisedEvent) => void;
  readonly room: SharedEvents['room'];
  /** Resolves when all events emitted until now were received here, or after the timeout. */
  readonly settled: (timeoutMs: number) => Promise<void>;
  readonly isLeader: () => boolean;
  /** All servers, those that are missing too. */
  readonly members: () => Promise<readonly Member[]>;
  /** The internal ports of the other servers that are there. */
  readonly internalPorts: () => Promise<readonly string[]>;
  /** Whether no other server runs. */
  readonly isAlone: () => Promise<boolean>;
  /** Milliseconds since the last sign of the leader. */
  readonly leaderSilence: () => Promise<number>;
  /** The database for duties of the leader: no write of theirs takes effect after its term. */
  readonly duties: Database;
  /** Runs on the leader: now if this is the leader, or when it becomes the leader. */
  readonly addSingleton: (singleton: Singleton) => void;
  /** Reports servers that died; only on the leader. */
  readonly onServerDeath: (listener: (processId: string) => Promise<void>) => void;
  /** Runs a statement on the connection of the cluster, without the lock of the writers. */
  readonly ask: AskLine;
  /**
   * Takes an exclusive claim; `null` = another server holds it. It ends with the undo, or with this
   * process.
   */
  readonly claim: (name: string) => Promise<Undo | null>;
  readonly start: (parts: {
    readonly deliver: (event: SerialisedEvent) => void;
    readonly room: (timeoutMs: number) => Promise<void>;
    /** What this server says of itself to the others. */
    readonly facts: () => Omit<MemberFacts, 'lacks'>;
    readonly lacks: () => LackedPlugins | null;
  }) => Promise<void>;
  /**
   * Delivers pending events to plugins, and gives up leadership for ever; to be called before
   * plugins are stopped.
   */
  readonly resign: () => Promise<void>;
  /** Stores pending events, and leaves the cluster. */
  readonly stop: () => Promise<void>;
}

export interface ClusterParts {
  readonly shared: SharedDatabase;
  readonly database: Database;
  /** Whether this server may become the leader. */
  readonly mayLead?: () => boolean;
  /** A fingerprint of the key that encrypts secrets, to compare keys without revealing them. */
  readonly keyPrint: string;
  readonly version: string;
  /** Why a newer version that changed the database does not let this one run; `null` = it does. */
  readonly whyTooOld: () => Promise<string | null>;
  /** Ends this server, which may not run any more. */
  readonly end: () => void;
  readonly clock: Clock;
  readonly log: Log;
}

const beatMs = 1000;
const heartbeatMs = 2000;
const upkeepMs = 5 * 60_000;
/** Events that plugins do not take within this time are left to the next leader. */
const lastDeliveryMs = 1000;
/**
 * Heartbeats without a lock before a server counts as dead, so that a short loss of its connection
 * does not count. A server that is already dead at the first check counts at once.
 */
const beatsOfDeath = 2;

/** Joins the servers of the database; rejects when this server has another key. */
export async function openCluster(parts: ClusterParts): Promise<Cluster> {
  const { shared, database, clock, log, mayLead = () => true } = parts;
  const { read } = database;
  const processId = shared.origin;
  const changes = await openSharedChanges({ read, origin: processId, clock, log });
  const singletons: Singleton[] = [];
  const deathListeners: ((processId: string) => Promise<void>)[] = [];
  const missedBeats = new Map<string, number>();
  let delivery: EventDelivery | null = null;
  let facts: () => MemberFacts | null = () => null;
  let lacks: () => LackedPlugins | null = () => null;
  /** Nobody could lead better. */
  let isExcused = false;
  let toldFacts = '';
  let cancelBeat: Undo = () => undefined;
  let cancelHeartbeat: Undo = () => undefined;
  let upkeepAtMs = 0;
  let processNo: number | null = null;
  let isStarted = false;
  let isResigned = false;
  let isStopping = false;
  let isLeading = false;
  let hasReportedDeaths = false;
  let turn: Promise<void> = Promise.resolve();

  const line = await shared.openLine('vitrine', { up, onNotification, down });
  const leadership = createLeadership({
    ask: line.ask,
    processId,
    mayLead: isAble,
    onOver: settleSingletons,
    steady: steadyOf(clock),
  });
  const events = createSharedEvents({ ask: line.ask, log });
  const feedId = await join().catch(async (error: unknown) => {
    await line.close();
    throw error;
  });
  const isLeader = (): boolean => leadership.isHeld() && isStarted && !isResigned;
  heartbeat();

  async function join(): Promise<string> {
    if ((await claimKey(line.ask, parts.keyPrint)) !== parts.keyPrint) {
      if (await hasOthers(line.ask, processId)) throw new ConfigError(anotherKey);
      log.warn(
        {},
        'The key of this server differs from the one that this database was used with before.',
      );
      await setKey(line.ask, parts.keyPrint);
    }
    return (await readState(line.ask)).feed_id;
  }

  async function up(ask: AskLine): Promise<void> {
    const member = { id: processId, version: parts.version };
    processNo ??= await nextProcessNo(ask);
    while (!(await enlist(ask, { ...member, no: processNo }))) processNo = await nextProcessNo(ask);
    // Once it is listed, since a migration that leaves it behind looks at the list.
    await assertMayRun();
    toldFacts = '';
    if (isStarted) hurry();
  }

  async function assertMayRun(): Promise<void> {
    const why = await parts.whyTooOld();
    if (why === null) return;
    if (isStarted) {
      log.error({}, `This server ends. ${why}`);
      parts.end();
    }
    throw new KernelError('storage_failed', why);
  }

  function onNotification(what: string): void {
    if (!isStarted) return;
    if (what === 'members') hurry();
    else void takeOver();
  }

  function down(): void {
    leadership.lose();
    settleSingletons();
  }

  /** A plugin would miss the events that a server delivers without it. */
  const wouldMiss = (): boolean => lacks()?.hears === true;

  async function isAble(): Promise<boolean> {
    if (isResigned || !mayLead()) return false;
    isExcused = wouldMiss() && !(await hasAbler(line.ask, processId));
    return isExcused || !wouldMiss();
  }

  /** Also before the start, which may take longer than a server may be silent. */
  function heartbeat(): void {
    void tellFacts()
      .catch((error: unknown) => log.debug({ err: error }, 'The heartbeat was not stored.'))
      .finally(() => {
        if (!isStopping) cancelHeartbeat = clock.after(heartbeatMs, heartbeat);
      });
  }

  async function tellFacts(): Promise<void> {
    await noteHeartbeat(line.ask, processId, clock.now());
    const now = facts();
    const told = JSON.stringify(now);
    if (now === null || told === toldFacts) return;
    await describeMember(line.ask, processId, now);
    toldFacts = told;
  }

  /** Changes first, so that a listener of an event finds the caches up to date. */
  async function takeOver(): Promise<void> {
    try {
      await changes.catchUp();
      await events.read();
      delivery?.wake();
    } catch (error) {
      log.debug(
        { err: error },
        'The changes and events of other servers were not read; it will be retried.',
      );
    }
  }

  function hurry(): void {
    cancelBeat();
    cancelBeat = clock.after(0, beat);
  }

  function beat(): void {
    void look()
      .catch((error: unknown) =>
        log.debug({ err: error }, 'The check of the other servers failed.'),
      )
      .finally(() => {
        // One that was frozen learns here that it is no longer the leader.
        settleSingletons();
        cancelBeat();
        if (!isStopping) cancelBeat = clock.after(beatMs, beat);
      });
  }

  async function look(): Promise<void> {
    await takeOver();
    if (await leadership.look()) {
      delivery?.reset();
      settleSingletons();
    }
    if (!isLeader()) return;
    delivery?.wake();
    await reportLost();
    if (clock.now() < upkeepAtMs) return;
    upkeepAtMs = clock.now() + upkeepMs;
    await forgetOld(line.ask, retainedEvents, 10 * retainedEvents);
  }

  async function reportLost(): Promise<void> {
    const lost = await lostProcesses(line.ask);
    const ids = new Set(lost.map(({ id }) => id));
    for (const id of missedBeats.keys()) if (!ids.has(id)) missedBeats.delete(id);
    for (const { id, lives } of lost) {
      const beats = (missedBeats.get(id) ?? 0) + 1;
      missedBeats.set(id, beats);
      const isFrozen = lives === 1;
      if ((hasReportedDeaths && beats < beatsOfDeath && !isFrozen) || id === processId) continue;
      const what = isFrozen ? 'is frozen' : 'died';
      log.warn({ processId: id }, `Another server ${what}; this server takes over its jobs.`);
      // Before it is cut off, since it says that it is back as soon as it is connected again.
      if (isFrozen) await noteMissing(line.ask, id);
      if (isFrozen) await cutOff(line.ask, id);
      for (const listener of deathListeners) await listener(id);
      if (!isFrozen) await noteMissing(line.ask, id);
    }
    hasReportedDeaths = true;
  }

  /** Serialized: a singleton is stopped before it is started again. */
  function settleSingletons(): void {
    turn = turn
      .then(async () => {
        if (isLeading === isLeader()) {
          if (!isLeading) await leadership.end();
          return;
        }
        isLeading = isLeader();
        if (isLeading) log.info({}, 'This server is the leader.');
        else log.info({}, 'This server is no longer the leader.');
        for (const singleton of singletons)
          await (isLeading ? singleton.start() : singleton.stop());
        if (!isLeading) await leadership.end();
      })
      .catch((error: unknown) =>
        log.error({ err: error }, 'A singleton could not be started or stopped.'),
      );
  }

  async function resign(): Promise<void> {
    if (isResigned) return;
    if (isLeader() && delivery !== null) {
      const late = Promise.withResolvers<undefined>();
      const cancel = clock.after(lastDeliveryMs, () => late.resolve(undefined));
      await Promise.race([delivery.idle(), late.promise]);
      cancel();
    }
    isResigned = true;
    settleSingletons();
    await turn;
    await leadership
      .release()
      .catch((error: unknown) => log.debug({ err: error }, 'Leadership ends with the connection.'));
  }

  async function claim(name: string): Promise<Undo | null> {
    const lock = lockNumberOf(name);
    if (!(await takeLock(line.ask, lock))) return null;
    return () => void releaseLock(line.ask, lock).catch(() => undefined);
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
    isLeader,
    ask: line.ask,
    members: () => readMembers(read),
    internalPorts: () => internalPorts(read, processId),
    isAlone: async () => !(await hasOthers(line.ask, processId)),
    leaderSilence: () => leaderSilence(read),
    duties: leadership.fence(database),
    addSingleton: (singleton) => void singletons.push(singleton),
    onServerDeath: (listener) => void deathListeners.push(listener),
    claim,
    start: async (to) => {
      const { term } = leadership;
      const delivers = (): boolean => isLeader() && (isExcused || !wouldMiss());
      delivery = createEventDelivery({ ...to, ask: line.ask, isLeader: delivers, term, log });
      ({ lacks } = to);
      facts = () => ({ ...to.facts(), lacks: lacks() });
      await tellFacts();
      await events.begin((await readState(line.ask)).last_event);
      isStarted = true;
      log.info({ processId }, `This server has joined the cluster as ${processId}.`);
      await look();
      await turn;
      cancelBeat = clock.after(beatMs, beat);
    },
    resign,
    stop: async () => {
      await resign();
      isStopping = true;
      cancelBeat();
      cancelHeartbeat();
      await events.flushed(1000);
      await delist(line.ask, processId).catch(() => undefined);
      await line.close();
    },
  };
}

const anotherKey =
  'The servers of this database have a different key: give this one the keys of one of them with --server-key-file, or copy server.key and server-id.key from its data folder.';
