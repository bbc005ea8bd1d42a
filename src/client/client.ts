/**
 * One app on one device. Everything that it knows is in the stores: a restart goes on where it was. A
 * revocation, wherever it is seen first, clears all of it, and nothing is tried again.
 */
import { isAppId } from '../identity/primitives/index.ts';
import { createAsk, type Fetch } from './ask.ts';
import { createBroker, type Grant } from './broker.ts';
import { systemClock, type Clock, type Undo } from './clock.ts';
import type { Connection } from './connection.ts';
import { IdentityError } from './identity-error.ts';
import { createKept } from './kept.ts';
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

/** What a client is made of. */
export interface ClientOptions {
  /** `app_<slug>`, as registered at the broker. */
  readonly appId: string;
  /** The broker. */
  readonly identityUrl: string;
  /** How the user knows this device: 1 to 64 characters. */
  readonly deviceName: string;
  readonly platform: Platform;
  readonly keys: KeyStore;
  readonly store: TextStore;
  readonly fetch?: Fetch;
  readonly clock?: Clock;
  readonly random?: RandomBytes;
}

/** One server, to show and to use. */
export interface Server extends Rest {
  readonly serverId: string;
  readonly state: () => ServerState;
  /** Tries now instead of later; never rejects. */
  readonly connect: () => Promise<ServerState>;
  /** `fetch` with the session of this server; `path` begins with a slash. */
  readonly fetch: (path: string, init?: RequestInit) => Promise<Response>;
}

/** The SDK. */
export interface Client {
  /** Reads what is kept and goes on: signs in, plans the renewal, polls for an open pairing. */
  readonly start: () => Promise<ClientState>;
  /** Stops timers and requests; what is kept stays. */
  readonly stop: () => void;
  readonly state: () => ClientState;
  readonly subscribe: (listener: Listener) => Undo;
  /** Shows a code that the user types at the broker. */
  readonly pairByCode: (options?: { readonly signal?: AbortSignal }) => Promise<CodePairing>;
  /** Ends the pairing by code that is shown, an earlier run's too. */
  readonly cancelPairing: () => void;
  /** Gives the page to send the user to; the callback goes to {@link Client.finishPairing}. */
  readonly pairByBrowser: (options: { readonly callbackUrl: string }) => Promise<ShownPairing>;
  /** Takes the whole URL that the user came back with. */
  readonly finishPairing: (callback: string) => Promise<Account>;
  readonly servers: () => readonly Server[];
  readonly server: (serverId: string) => Server;
  /** Signs in to all servers side by side; resolves when each is online or offline. */
  readonly connect: () => Promise<readonly ServerState[]>;
  /** Asks for a new pass now; it is done by itself when it is time. */
  readonly renew: () => Promise<RenewalOutcome>;
  /** Ends all sessions and removes everything, the key too. */
  readonly signOut: () => Promise<void>;
}

interface Held {
  readonly membership: Membership;
  readonly key: ClientKey;
}

const endedKey = 'ended';

export function createClient(options: ClientOptions): Client {
  const { appId, keys, clock = systemClock, random = systemRandom } = options;
  if (!isAppId(appId))
    throw new IdentityError('invalid_request', { detail: `"${options.appId}" is no app_<slug>.` });
  // As a method of nothing: browsers refuse a fetch that is called on another object.
  const fetch: Fetch = options.fetch ?? ((url, init) => globalThis.fetch(url, init));
  const ask = createAsk(fetch, clock);
  const broker = createBroker(ask, options.identityUrl);
  const kept = createKept(options.store);
  const members = createMembershipStore(kept);
  const sessions = createSessionStore(kept);
  const open = createOpenPairings(kept, clock);
  const listeners = new Set<Listener>();

  let held: Held | null = null;
  let pairing: ShownPairing | null = null;
  let reason: PairAgainReason | null = null;
  let isRenewalPending = false;
  let shown: ClientState | null = null;

  const servers = createServers({
    ask,
    fetch,
    clock,
    random,
    sessions,
    credentials: () => {
      if (held === null) throw new IdentityError('not_signed_in');
      return { pass: held.membership.pass, key: held.key };
    },
    renew: () => renewal.now(),
    revoked: () => end('revoked'),
    changed: (server) => tell({ type: 'server_changed', server }),
  });

  const renewal = createRenewal({
    broker,
    clock,
    random,
    current: () => held,
    reread: async () => held && members.read({ appId, clientPubKey: held.key.publicKey }),
    adopt: async (membership) => {
      if (held) await adopt({ membership, key: held.key });
    },
    told: (outcome) => {
      if (outcome instanceof IdentityError) tell({ type: 'renewal_failed', error: outcome });
      isRenewalPending = outcome === 'pending';
      if (outcome === 'pending') tell({ type: 'renewal_pending' });
      if (outcome === 'renewed' && held)
        tell({ type: 'renewed', account: accountOf(held.membership) });
    },
    ended: async (why) => {
      if (why !== 'elsewhere') return end(why);
      leave();
      tell({ type: 'signed_out' });
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
      if (next) tell({ type: 'pairing_started', pairing: next });
      else if (error) tell({ type: 'pairing_failed', error });
      else tell({ type: 'servers_changed' });
    },
    keyRevoked: async () => {
      if (held) await end('revoked');
      else await keys.remove();
    },
  });

  function tell(event: ClientEvent): void {
    shown = null;
    const state = current();
    for (const listener of [...listeners]) {
      try {
        listener(event, state);
      } catch {
        // A listener that throws must not stop what it listens to.
      }
    }
  }

  function current(): ClientState {
    shown ??= {
      status: held ? 'signed_in' : reason ? 'pairing_needed' : 'signed_out',
      reason: held ? null : reason,
      account: held && accountOf(held.membership),
      pairing,
      isRenewalPending,
      servers: held ? servers.states() : [],
    };
    return shown;
  }

  /** Takes and keeps what an approval brought, in the place of whatever was there. */
  async function accept(grant: Grant, key: ClientKey): Promise<Account> {
    const pass = await checkPass(grant.cert, { appId, clientPubKey: key.publicKey });
    assertLive(pass.claims, clock.now());
    const list = await checkServerList(grant, pass.claims);
    if (held && held.membership.pass.claims.clientId !== pass.claims.clientId)
      await servers.follow([]);
    reason = null;
    isRenewalPending = false;
    await kept.remove(endedKey);
    const membership = { pass, list, renewAtMs: renewalMoment(pass, random) };
    await adopt({ membership, key });
    renewal.plan();
    const account = accountOf(membership);
    tell({ type: 'paired', account });
    void servers.connect();
    return account;
  }

  async function adopt(next: Held): Promise<void> {
    const before = held?.membership.list.servers;
    const { servers: after } = next.membership.list;
    held = next;
    await members.write(next.membership);
    if (before && JSON.stringify(before) === JSON.stringify(after)) return;
    await servers.follow(after);
    tell({ type: 'servers_changed' });
    if (before) void servers.connect();
  }

  /** The account is over on this device. After a revocation nothing of the user stays. */
  async function end(why: PairAgainReason): Promise<void> {
    const before = held;
    if (before === null) return;
    leave();
    reason = why;
    if (why !== 'expired' && (await isStillOurs(before))) {
      await clear(before);
      await kept.write(endedKey, why);
    }
    tell({ type: 'paired_again_needed', reason: why });
  }

  function leave(): void {
    held = null;
    isRenewalPending = false;
    renewal.stop();
    servers.drop();
    shown = null;
  }

  /** Another tab may have paired again with a new key: what it keeps is not ours to remove. */
  async function isStillOurs({ key }: Held): Promise<boolean> {
    const now = await keys.load();
    return now === null || now.publicKey === key.publicKey;
  }

  async function clear(before: Held | null): Promise<void> {
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
      held = { membership, key };
      await servers.follow(membership.list.servers);
      renewal.plan();
      void servers.connect();
    } else if (await members.isThere()) {
      reason = 'key_lost';
      await members.remove();
    } else {
      const ended = await kept.read(endedKey);
      reason = ended === 'revoked' || ended === 'key_lost' ? ended : null;
    }
    await pairings.resume();
    shown = null;
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
      const before = held;
      const connections = servers.list();
      renewal.stop();
      await Promise.all(connections.map((one) => one.signOut()));
      leave();
      pairing = null;
      reason = null;
      await kept.remove(endedKey);
      await clear(before);
      tell({ type: 'signed_out' });
    },
  };
}
