/**
 * One server of the user. However many calls there are, there is one handshake at a time; a session
 * that ended is replaced without a word; a server that does not answer is offline and tried again. A
 * revocation ends everything and nothing is tried any more.
 */
import { outsiders, stopwatch, toRefusal, type Ask, type Fetch } from './ask.ts';
import { backOffMs } from './back-off.ts';
import type { Clock, Undo } from './clock.ts';
import { openSession } from './handshake.ts';
import { IdentityError, toIdentityError } from './identity-error.ts';
import { isRecord, parseJson } from './json.ts';
import type { ClientKey } from './key-store.ts';
import type { CheckedPass } from './pass-check.ts';
import type { RandomBytes } from './random.ts';
import type { KeptSession, SessionStore } from './session-store.ts';
import type { LinkedServer, ServerState } from './state.ts';

/** What a connection is made of. */
export interface ConnectionParts {
  readonly ask: Ask;
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly sessions: SessionStore;
  /** The pass as it is now, and the key that it names. */
  readonly credentials: () => { readonly pass: CheckedPass; readonly key: ClientKey };
  /** Gets the pass by the user's newer key. */
  readonly renew: () => Promise<unknown>;
  /** The server says that the user revoked this device. */
  readonly revoked: () => Promise<void>;
  readonly changed: (state: ServerState) => void;
}

/** One server. */
export interface Connection {
  readonly server: LinkedServer;
  readonly state: () => ServerState;
  /** Signs in now if it must; never rejects, the state says how it went. */
  readonly connect: () => Promise<ServerState>;
  /** `fetch` with the session; `path` begins with a slash. */
  readonly fetch: (path: string, init?: RequestInit) => Promise<Response>;
  /** Ends the session at the server and here. */
  readonly signOut: () => Promise<void>;
  /** Stops; what is under way is dropped. The session stays in the store. */
  readonly close: () => void;
}

/** A session is not used when it ends within this time. */
const restMs = 30_000;
/** How long until the head of an answer must be here. */
const headWithinMs = 15_000;

export function createConnection(server: LinkedServer, parts: ConnectionParts): Connection {
  const { ask, clock, sessions } = parts;
  const { serverId, baseUrl } = server;
  const closing = new AbortController();
  let session: KeptSession | null = null;
  /** A session that came from the store is asked about once before the server is called online. */
  let isProven = false;
  let offsetMs = 0;
  let failures = 0;
  let pending: Promise<KeptSession> | null = null;
  let connecting: Promise<ServerState> | null = null;
  let retry: Undo | null = null;
  let state: ServerState = {
    ...server,
    status: 'connecting',
    error: null,
    retryAt: null,
    isPlainHttp: baseUrl.startsWith('http:'),
  };

  function change(next: Pick<ServerState, 'status' | 'error' | 'retryAt'>): void {
    if (closing.signal.aborted) return;
    const isSame =
      state.status === next.status && state.error === next.error && state.retryAt === next.retryAt;
    if (isSame) return;
    state = { ...state, ...next };
    parts.changed(state);
  }

  function online(): void {
    retry?.();
    retry = null;
    failures = 0;
    change({ status: 'online', error: null, retryAt: null });
  }

  function offline(error: IdentityError): void {
    if (closing.signal.aborted) return;
    retry?.();
    failures += 1;
    const waitMs = backOffMs(failures, error, parts.random);
    retry = clock.after(waitMs, () => void connect());
    change({ status: 'offline', error, retryAt: clock.now() + waitMs });
  }

  /** The session that is good now: the one that is there, the kept one, or a new one. */
  function current(): Promise<KeptSession> {
    if (session && isLive(session)) return Promise.resolve(session);
    pending ??= (async () => (await restored()) ?? (await signIn()))().finally(() => {
      pending = null;
    });
    return pending;
  }

  const isLive = ({ expiresAtMs }: KeptSession): boolean =>
    expiresAtMs - restMs > clock.now() + offsetMs;

  async function restored(): Promise<KeptSession | null> {
    if (isProven) return null;
    const { clientId } = parts.credentials().pass.claims;
    const kept = await sessions.read(serverId, { clientId, baseUrl });
    if (kept) ({ offsetMs } = kept);
    session = kept && isLive(kept) ? kept : null;
    return session;
  }

  async function signIn(): Promise<KeptSession> {
    try {
      return await handshake();
    } catch (error) {
      const first = toIdentityError(error);
      if (!(await mend(first))) throw first;
      return handshake();
    }
  }

  async function handshake(): Promise<KeptSession> {
    const { pass, key } = parts.credentials();
    const nowMs = clock.now() + offsetMs;
    const opened = await openSession(closable, { cert: pass.cert, key, server, nowMs });
    const { clientId } = pass.claims;
    if (closing.signal.aborted) throw new IdentityError('cancelled');
    session = { ...opened, clientId, baseUrl, offsetMs };
    isProven = true;
    // One that cannot be kept is good all the same: the next run opens another one.
    await sessions.write(serverId, session).catch(() => undefined);
    return session;
  }

  const closable: Ask = (question) => ask({ ...question, signal: closing.signal });

  /** Whether the cause is gone, so that once more is worth it. */
  async function mend({ code, details }: IdentityError): Promise<boolean> {
    if (code === 'challenge_invalid') return true;
    if (code === 'clock_skew' && details.serverTimeMs !== undefined) {
      offsetMs = details.serverTimeMs - clock.now();
      return true;
    }
    if (code !== 'identity_rotated') return false;
    return parts.renew().then(
      () => true,
      () => false,
    );
  }

  async function forget(ended: KeptSession): Promise<void> {
    isProven = true;
    if (session?.token !== ended.token) return;
    session = null;
    await sessions.remove(serverId);
  }

  /** Asks whether a session that came from the store is still one. */
  async function prove(): Promise<void> {
    const used = await current();
    if (isProven) return;
    try {
      const headers = { authorization: `Bearer ${used.token}` };
      await closable({ method: 'GET', url: `${baseUrl}/api/auth/identity/me`, headers });
      isProven = true;
    } catch (error) {
      const { details, code } = toIdentityError(error);
      if (details.status !== 401 || code === 'identity_revoked') throw error;
      await forget(used);
      await current();
    }
  }

  function connect(): Promise<ServerState> {
    connecting ??= tryNow().finally(() => {
      connecting = null;
    });
    return connecting;
  }

  async function tryNow(): Promise<ServerState> {
    retry?.();
    retry = null;
    try {
      await prove();
      online();
    } catch (error) {
      await failed(error);
    }
    return state;
  }

  /** What every failure does, whoever sees it first. */
  async function failed(error: unknown): Promise<IdentityError> {
    const known = toIdentityError(error);
    if (known.code === 'identity_revoked') await parts.revoked();
    else offline(known);
    return known;
  }

  async function send(path: string, init: RequestInit = {}): Promise<Response> {
    if (!path.startsWith('/'))
      throw new IdentityError('invalid_request', { detail: `The path "${path}" needs a slash.` });
    const used = await current().catch(async (error: unknown) => {
      throw await failed(error);
    });
    const response = await reach(used, path, init);
    const refusal = response.status === 401 ? await sessionFault(response) : null;
    if (refusal === null) return response;
    if (refusal.code === 'identity_revoked') throw await failed(refusal);
    await forget(used);
    if (isStream(init.body)) return response;
    const renewed = await current().catch(async (error: unknown) => {
      throw await failed(error);
    });
    const second = await reach(renewed, path, init);
    const fault = second.status === 401 ? await sessionFault(second) : null;
    if (fault?.code === 'identity_revoked') throw await failed(fault);
    return second;
  }

  async function reach({ token }: KeptSession, path: string, init: RequestInit): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set('authorization', `Bearer ${token}`);
    const stop = stopwatch(clock, headWithinMs, init.signal);
    try {
      const response = await parts.fetch(`${baseUrl}${path}`, {
        ...outsiders,
        ...init,
        headers,
        credentials: 'omit',
        signal: stop.signal,
      });
      isProven = true;
      online();
      return response;
    } catch (error) {
      if (init.signal?.aborted) throw error;
      throw await failed(toIdentityError(error, 'unreachable'));
    } finally {
      stop.settle();
    }
  }

  return {
    server,
    state: () => state,
    connect,
    fetch: send,
    signOut: async () => {
      const used = session;
      if (used) {
        const headers = { authorization: `Bearer ${used.token}` };
        // Best effort: a session ends by itself within a day, and nobody has its token any more.
        await ask({ method: 'POST', url: `${baseUrl}/api/auth/logout`, headers }).catch(() => null);
      }
      session = null;
      await sessions.remove(serverId);
    },
    close: () => {
      retry?.();
      closing.abort();
    },
  };
}

const isStream = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'getReader' in body;

/** Why the server refuses the session; `null` when its 401 is about something else. */
async function sessionFault(response: Response): Promise<IdentityError | null> {
  const body = parseJson(await response.clone().text());
  const refusal = toRefusal(response.status, body);
  const isAboutElse =
    refusal.code === 'refused' && isRecord(body) && typeof body['code'] === 'string';
  return isAboutElse ? null : refusal;
}
