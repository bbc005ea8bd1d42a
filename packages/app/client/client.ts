/**
 * One app on one device. All its data is in the stores, so it continues after a restart. A
 * revocation, detected anywhere, deletes all of it and stops all retries.
 */
import { isAppId } from '../../lib/identity-protocol/index.ts';
import { createAsk, type Fetch } from './ask.ts';
import { createBroker, type Grant } from './broker.ts';
import { systemClock, type Clock, type Undo } from './clock.ts';
import type { Connection } from './connection.ts';
import { IdentityError } from './identity-error.ts';
import { createPersistedState } from './persisted-state.ts';
import type { ClientKey, KeyStore } from './key-store.ts';
import { accountOf, createMembershipStore, type Membership } from './membership.ts';
import { createOpenPairings } from './open-pairings.ts';
import { createPairings } from './pairings.ts';
import { assertLive, checkPass, checkServerList } from './pass-check.ts';
import type { Platform } from './platform.ts';
import { systemRandom, type RandomBytes } from './random.ts';
import { createRenewal, renewalMoment } from './renewal.ts';
import { createRest, type Rest } from './rest.ts';
import { createServers } from './servers.ts';
import { createSessionStore } from './session-store.ts';
import type {
  Account,
  ClientEvent,
  ClientState,
  CodePairing,
  Listener,
  PairAgainReason,
  RenewalOutcome,
  ServerState,
  ShownPairing,
} from './state.ts';
import type { TextStore } from './store.ts';

/** The options of a client. */
export interface ClientOptions {
  /** `app_<slug>`, as registered at the broker. */
  readonly appId: string;
  /** The address of the broker. */
  readonly identityUrl: string;
  /** The device name that users see: 1 to 64 characters. */
  readonly deviceName: string;
  readonly platform: Platform;
  readonly keys: KeyStore;
  readonly store: TextStore;
  readonly fetch?: Fetch;
  readonly clock?: Clock;
  readonly random?: RandomBytes;
}

/** One server. */
export interface Server extends Rest {
  readonly serverId: string;
  readonly state: () => ServerState;
  /** Connects now, without waiting for the next retry; never rejects. */
  readonly connect: () => Promise<ServerState>;
  /** `fetch` with the session of this server; `path` begins with a slash. */
  readonly fetch: (path: string, init?: RequestInit) => Promise<Response>;
}

/** The SDK. */
export interface Client {
  /**
   * Loads the stored data and continues: signs in, schedules the renewal, polls for an open
   * pairing.
   */
  readonly start: () => Promise<ClientState>;
  /** Stops timers and requests; stored data stays. */
  readonly stop: () => void;
  readonly state: () => ClientState;
  readonly subscribe: (listener: Listener) => Undo;
  /** Returns a code that the user types at the broker. */
  readonly pairByCode: (options?: { readonly signal?: AbortSignal }) => Promise<CodePairing>;
  /** Ends the current pairing by code, also one of an earlier run. */
  readonly cancelPairing: () => void;
  /** Returns the page for the user; the callback goes to {@link Client.finishPairing}. */
  readonly pairByBrowser: (options: { readonly callbackUrl: string }) => Promise<ShownPairing>;
  /** Takes the whole URL of the callback. */
  readonly finishPairing: (callback: string) => Promise<Account>;
  readonly servers: () => readonly Server[];
  readonly server: (serverId: string) => Server;
  /** Signs in to all servers in parallel; resolves when each is online or offline. */
  readonly connect: () => Promise<readonly ServerState[]>;
  /** Requests a new pass now; the client also does it automatically when it is due. */
  readonly renew: () => Promise<RenewalOutcome>;
  /** Ends all sessions and deletes all data, with the key. */
  readonly signOut: () => Promise<void>;
}

interface ActiveAccount {
  readonly membership: Membership;
  readonly key: ClientKey;
}

const endedKey = 'ended';

export function createClient(options: ClientOptions): Client {
  const { appId, keys, clock = systemClock, random = systemRandom } = options;
  if (!isAppId(appId))
    throw new IdentityError('invalid_request', {
      detail: `"${options.appId}" does not have the form app_<slug>.`,
    });
  // Called without an object: browsers refuse `fetch` as a method of another object.
  const fetch: Fetch = options.fetch ?? ((url, init) => globalThis.fetch(url, init));
  const ask = createAsk(fetch, clock);
  const broker = createBroker(ask, options.identityUrl);
  const persisted = createPersistedState(options.store);
  const members = createMembershipStore(persisted);
  const sessions = createSessionStore(persisted);
  const open = createOpenPairings(persisted, clock);
  const listeners = new Set<Listener>();

  let active: ActiveAccount | null = null;
  let pairing: ShownPairing | null = null;
  let reason: PairAgainReason | null = null;
  let isRenewalPending = false;
  let snapshot: ClientState | null = null;

  const servers = createServers({
    ask,
    fetch,
    clock,
    random,
    sessions,
    credentials: () => {
      if (active === null) throw new IdentityError('not_signed_in');
      return { pass: active.membership.pass, key: active.key };
    },
    renew: () => renewal.now(),
    revoked: () => end('revoked'),
    changed: (server) => emit({ type: 'server_changed', server }),
  });

  const renewal = createRenewal({
    broker,
    clock,
    random,
    current: () => active,
    reread: async () => active && members.read({ appId, clientPubKey: active.key.publicKey }),
    adopt: async (membership) => {
      if (active) await adopt({ membership, key: active.key });
    },
    onResult: (outcome) => {
      if (outcome instanceof IdentityError) emit({ type: 'renewal_failed', error: outcome });
      isRenewalPending = outcome === 'pending';
      if (outcome === 'pending') emit({ type: 'renewal_pending' });
      if (outcome === 'renewed' && active)
        emit({ type: 'renewed', account: accountOf(active.membership) });
    },
    ended: async (why) => {
      if (why !== 'elsewhere') return end(why);
      leave();
      emit({ type: 'signed_out' });
    },
  });

  const pairings = createPairings({
    ...options,
    broker,
    clock,
    open,
    accept,
    showing: (next, error) => {
      pairing = next;
      if (next) emit({ type: 'pairing_started', pairing: next });
      else if (error) emit({ type: 'pairing_failed', error });
      else emit({ type: 'servers_changed' });
    },
    keyRevoked: async () => {
      if (active) await end('revoked');
      else await keys.remove();
    },
  });

  function emit(event: ClientEvent): void {
    snapshot = null;
    const state = current();
    for (const listener of [...listeners]) {
      try {
        listener(event, state);
      } catch {
        // An exception of a listener must not stop the client.
      }
    }
  }

  function current(): ClientState {
    snapshot ??= {
      status: active ? 'signed_in' : reason ? 'pairing_needed' : 'signed_out',
      reason: active ? null : reason,
      account: active && accountOf(active.membership),
      pairing,
      isRenewalPending,
      servers: active ? servers.states() : [],
    };
    return snapshot;
  }

  /** Verifies and stores the result of an approval, in place of an earlier account. */
  async function accept(grant: Grant, key: ClientKey): Promise<Account> {
    const pass = await checkPass(grant.cert, { appId, clientPubKey: key.publicKey });
    assertLive(pass.claims, clock.now());
    const list = await checkServerList(grant, pass.claims);
    if (active && active.membership.pass.claims.clientId !== pass.claims.clientId)
      await servers.follow([]);
    reason = null;
    isRenewalPending = false;
    await persisted.remove(endedKey);
    const membership = { pass, list, renewAtMs: renewalMoment(pass, random) };
    await adopt({ membership, key });
    renewal.plan();
    const account = accountOf(membership);
    emit({ type: 'paired', account });
    void servers.connect();
    return account;
  }

  async function adopt(next: ActiveAccount): Promise<void> {
    const before = active?.membership.list.servers;
    const { servers: after } = next.membership.list;
    active = next;
    await members.write(next.membership);
    if (before && JSON.stringify(before) === JSON.stringify(after)) return;
    await servers.follow(after);
    emit({ type: 'servers_changed' });
    if (before) void servers.connect();
  }

  /** Ends the account on this device. After a revocation all data of the user is deleted. */
  async function end(why: PairAgainReason): Promise<void> {
    const before = active;
    if (before === null) return;
    leave();
    reason = why;
    if (why !== 'expired' && (await isStillOurs(before))) {
      await clear(before);
      await persisted.write(endedKey, why);
    }
    emit({ type: 'paired_again_needed', reason: why });
  }

  function leave(): void {
    active = null;
    isRenewalPending = false;
    renewal.stop();
    servers.drop();
    snapshot = null;
  }

  /** Another tab may have paired again with a new key: its data must not be deleted. */
  async function isStillOurs({ key }: ActiveAccount): Promise<boolean> {
    const now = await keys.load();
    return now === null || now.publicKey === key.publicKey;
  }

  async function clear(before: ActiveAccount | null): Promise<void> {
    const list = before?.membership.list.servers ?? [];
    await members.remove();
    await Promise.all(list.map(({ serverId }) => sessions.remove(serverId)));
    await open.clear();
    await keys.remove();
  }

  async function start(): Promise<ClientState> {
    const key = await keys.load();
    const membership = key && (await members.read({ appId, clientPubKey: key.publicKey }));
    if (key && membership) {
      active = { membership, key };
      await servers.follow(membership.list.servers);
      renewal.plan();
      void servers.connect();
    } else if (await members.isThere()) {
      reason = 'key_lost';
      await members.remove();
    } else {
      const ended = await persisted.read(endedKey);
      reason = ended === 'revoked' || ended === 'key_lost' ? ended : null;
    }
    await pairings.resume();
    snapshot = null;
    return current();
  }

  const toServer = (connection: Connection): Server => ({
    ...createRest(connection.fetch),
    serverId: connection.server.serverId,
    state: connection.state,
    connect: connection.connect,
    fetch: connection.fetch,
  });

  return {
    start,
    stop: () => {
      pairings.stop();
      renewal.stop();
      servers.close();
    },
    state: current,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    pairByCode: pairings.byCode,
    cancelPairing: pairings.cancel,
    pairByBrowser: ({ callbackUrl }) => pairings.byBrowser(callbackUrl),
    finishPairing: pairings.finish,
    servers: () => servers.list().map(toServer),
    server: (serverId) => {
      const found = servers.list().find(({ server }) => server.serverId === serverId);
      if (!found) throw new IdentityError('unknown_server');
      return toServer(found);
    },
    connect: async () => {
      await servers.connect();
      return servers.states();
    },
    renew: renewal.now,
    signOut: async () => {
      pairings.stop();
      const before = active;
      const connections = servers.list();
      renewal.stop();
      await Promise.all(connections.map((one) => one.signOut()));
      leave();
      pairing = null;
      reason = null;
      await persisted.remove(endedKey);
      await clear(before);
      emit({ type: 'signed_out' });
    },
  };
}
