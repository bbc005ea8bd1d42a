/**
 * The connection to one server of the user. Concurrent calls share one handshake. An expired
 * session is replaced automatically. An unreachable server is offline and retried. A revocation
 * ends everything and stops all retries.
 */
import { requestDefaults, stopwatch, toRefusal, type Ask, type Fetch } from './ask.ts';
import { backOffMs } from './back-off.ts';
import type { Clock, Undo } from './clock.ts';
import { openSession } from './handshake.ts';
import { IdentityError, toIdentityError } from './identity-error.ts';
import { isRecord, parseJson } from './json.ts';
import type { ClientKey } from './key-store.ts';
import type { CheckedPass } from './pass-check.ts';
import type { RandomBytes } from './random.ts';
import type { StoredSession, SessionStore } from './session-store.ts';
import type { LinkedServer, ServerState } from './state.ts';

/** The dependencies of a connection. */
export interface ConnectionParts {
  readonly ask: Ask;
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly sessions: SessionStore;
  /** The current pass, and the key that it names. */
  readonly credentials: () => { readonly pass: CheckedPass; readonly key: ClientKey };
  /** Gets a pass with the user's newer key. */
  readonly renew: () => Promise<unknown>;
  /** Called when the server reports that the user revoked this device. */
  readonly revoked: () => Promise<void>;
  readonly changed: (state: ServerState) => void;
}

/** One server. */
export interface Connection {
  readonly server: LinkedServer;
  readonly state: () => ServerState;
  /** Signs in now if necessary; never rejects, the state has the result. */
  readonly connect: () => Promise<ServerState>;
  /** `fetch` with the session; `path` begins with a slash. */
  readonly fetch: (path: string, init?: RequestInit) => Promise<Response>;
  /** Ends the session at the server and here. */
  readonly signOut: () => Promise<void>;
  /** Stops, and aborts requests in progress. The session stays in the store. */
  readonly close: () => void;
}

/** A session is replaced when it expires within this time. */
const restMs = 30_000;
/** The timeout for the head of a reply. */
const headWithinMs = 15_000;

export function createConnection(server: LinkedServer, parts: ConnectionParts): Connection {
  const { ask, clock, sessions } = parts;
  const { serverId, baseUrl } = server;
  const closing = new AbortController();
  let session: StoredSession | null = null;
  /** A session from the store is checked once before the server counts as online. */
  let isProven = false;
  let offsetMs = 0;
  let failures = 0;
  let pending: Promise<StoredSession> | null = null;
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

  /** The valid session: the current one, the stored one, or a new one. */
  function current(): Promise<StoredSession> {
    if (session && isLive(session)) return Promise.resolve(session);
    pending ??= (async () => (await restored()) ?? (await signIn()))().finally(() => {
      pending = null;
    });
    return pending;
  }

  const isLive = ({ expiresAtMs }: StoredSession): boolean =>
    expiresAtMs - restMs > clock.now() + offsetMs;

  async function restored(): Promise<StoredSession | null> {
    if (isProven) return null;
    const { clientId } = parts.credentials().pass.claims;
    const stored = await sessions.read(serverId, { clientId, baseUrl });
    if (stored) ({ offsetMs } = stored);
    session = stored && isLive(stored) ? stored : null;
    return session;
  }

  async function signIn(): Promise<StoredSession> {
    try {
      return await handshake();
    } catch (error) {
      const first = toIdentityError(error);
      if (!(await mend(first))) throw first;
      return handshake();
    }
  }

  async function handshake(): Promise<StoredSession> {
    const { pass, key } = parts.credentials();
    const nowMs = clock.now() + offsetMs;
    const opened = await openSession(closable, { cert: pass.cert, key, server, nowMs });
    const { clientId } = pass.claims;
    if (closing.signal.aborted) throw new IdentityError('cancelled');
    session = { ...opened, clientId, baseUrl, offsetMs };
    isProven = true;
    // A session that cannot be stored is still used; the next run creates another one.
    await sessions.write(serverId, session).catch(() => undefined);
    return session;
  }

  const closable: Ask = (question) => ask({ ...question, signal: closing.signal });

  /** Repairs the cause of a failure; returns whether a retry makes sense. */
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

  async function forget(ended: StoredSession): Promise<void> {
    isProven = true;
    if (session?.token !== ended.token) return;
    session = null;
    await sessions.remove(serverId);
  }

  /** Checks a session from the store. */
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

  /** The handling of every failure. */
  async function failed(error: unknown): Promise<IdentityError> {
    const known = toIdentityError(error);
    if (known.code === 'identity_revoked') await parts.revoked();
    else offline(known);
    return known;
  }

  async function send(path: string, init: RequestInit = {}): Promise<Response> {
    if (!path.startsWith('/'))
      throw new IdentityError('invalid_request', {
        detail: `The path "${path}" must begin with a slash.`,
      });
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

  async function reach(
    { token }: StoredSession,
    path: string,
    init: RequestInit,
  ): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set('authorization', `Bearer ${token}`);
    const stop = stopwatch(clock, headWithinMs, init.signal);
    try {
      const response = await parts.fetch(`${baseUrl}${path}`, {
        ...requestDefaults,
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
        // Best effort: the session expires within a day anyway, and its token is deleted here.
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

/** Why the server refuses the session; `null` when its 401 has another cause. */
async function sessionFault(response: Response): Promise<IdentityError | null> {
  const body = parseJson(await response.clone().text());
  const refusal = toRefusal(response.status, body);
  const isAboutElse =
    refusal.code === 'refused' && isRecord(body) && typeof body['code'] === 'string';
  return isAboutElse ? null : refusal;
}
