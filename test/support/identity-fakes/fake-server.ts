/** A server that signs in as the protocol says, with one library. */
import {
  bytesToSign,
  fromBase64url,
  fromHex32,
  isPassSigned,
  isSignedBy,
  openPass,
  publicKeyOf,
} from '../../../packages/lib/identity-protocol/index.ts';
import { listenOnLoopback, type Asked, type Loopback, type Told } from './loopback.ts';
import type { ListedServer, Person } from './person.ts';

/** The server, and what a test turns. */
export interface FakeServer {
  readonly listed: ListedServer;
  readonly serverId: string;
  /** Paths as they were asked for, in their order. */
  readonly asked: string[];
  instead: ((asked: Asked) => Told | undefined) | null;
  revoked: boolean;
  /** How far its clock is ahead. */
  aheadMs: number;
  /** Ends all sessions, as a restart without its database would. */
  readonly endSessions: () => void;
  readonly down: () => Promise<void>;
  readonly up: () => Promise<void>;
  readonly close: () => Promise<void>;
}

const unauthorized = (code: string, more: object = {}): Told => ({
  status: 401,
  body: { error: 'unauthorized', code, ...more },
});

export async function createFakeServer(
  digit: string,
  name: string,
  { person, now }: { readonly person: Person; readonly now: () => number },
): Promise<FakeServer> {
  const serverId = await publicKeyOf(fromHex32(digit.repeat(64)));
  const challenges = new Set<string>();
  const sessions = new Map<string, number>();
  let count = 0;
  const own = (): number => now() + fake.aheadMs;

  async function passFault(cert: unknown): Promise<Told | null> {
    const pass = openPass(cert);
    if (typeof pass === 'string')
      return { status: 400, body: { error: 'bad_request', code: pass } };
    if (!(await isPassSigned(pass))) return unauthorized('cert_bad_signature');
    if (pass.claims.userId !== person.userId) return unauthorized('identity_unknown');
    if (fake.revoked) return unauthorized('identity_revoked');
    return pass.claims.exp * 1000 <= own() ? unauthorized('cert_expired') : null;
  }

  async function begin({ body }: Asked): Promise<Told> {
    const fault = await passFault(body['cert']);
    if (fault) return fault;
    count += 1;
    const challenge = `${digit}${String(count).padStart(3, '0')}`.padEnd(64, 'c');
    challenges.add(challenge);
    return { body: { challenge } };
  }

  async function complete({ body }: Asked): Promise<Told> {
    const { cert, serverId: told, challenge, ts, sig } = body;
    if (told !== serverId) return unauthorized('wrong_server');
    if (Math.abs(own() - Number(ts)) > 300_000)
      return unauthorized('clock_skew', { serverTime: own() });
    if (!challenges.delete(String(challenge))) return unauthorized('challenge_invalid');
    const fault = await passFault(cert);
    if (fault) return fault;
    const pass = openPass(cert);
    const signature = fromBase64url(String(sig)) ?? new Uint8Array();
    const bytes = bytesToSign({ cert, serverId, challenge, ts });
    if (typeof pass === 'string') return unauthorized(pass);
    if (!(await isSignedBy(pass.claims.clientPubKey, bytes, signature)))
      return unauthorized('bad_signature');
    const sessionToken = `vti_${digit}-${count}-0123456789`;
    const expiresAt = own() + 86_400_000;
    sessions.set(sessionToken, expiresAt);
    return { body: { sessionToken, expiresAt: new Date(expiresAt).toISOString() } };
  }

  function tokenFault({ headers }: Asked): Told | null {
    const token = headers.authorization?.replace('Bearer ', '');
    if (token === undefined) return unauthorized('token_missing');
    const expiresAt = sessions.get(token);
    if (expiresAt === undefined) return unauthorized('token_invalid');
    if (fake.revoked) return unauthorized('identity_revoked');
    return expiresAt <= own() ? unauthorized('token_expired') : null;
  }

  const bodies: Readonly<Record<string, unknown>> = {
    '/api/auth/identity/me': { userId: person.userId, localUserId: 'local', role: 'user' },
    '/api/libraries': {
      libraries: [{ id: `films-${digit}`, name: 'Films', type: 'movies', itemCount: 1 }],
      nextCursor: null,
    },
    '/api/items': {
      items: [
        {
          id: `item-${digit}`,
          libraryId: `films-${digit}`,
          libraryName: 'Films',
          title: `A film of ${name}`,
          metadata: { year: 1927 },
          addedAt: '2026-11-20T08:00:00.000Z',
        },
      ],
      nextCursor: null,
    },
    '/api/auth/logout': {},
  };

  async function answer(asked: Asked): Promise<Told> {
    const [path = ''] = asked.path.split('?');
    fake.asked.push(path);
    const instead = fake.instead?.(asked);
    if (instead) return instead;
    if (path === '/api/auth/identity-session/begin') return begin(asked);
    if (path === '/api/auth/identity-session/complete') return complete(asked);
    const fault = tokenFault(asked);
    if (fault) return fault;
    const body = bodies[path];
    return body === undefined ? { status: 404, body: { error: 'Unknown.' } } : { body };
  }

  let loopback: Loopback = await listenOnLoopback(answer);
  const { url } = loopback;
  const fake: FakeServer = {
    listed: { serverId, baseUrl: url, name, linkedAt: 1_795_000_000_000 },
    serverId,
    asked: [],
    instead: null,
    revoked: false,
    aheadMs: 0,
    endSessions: () => sessions.clear(),
    down: () => loopback.close(),
    up: async () => {
      loopback = await listenOnLoopback(answer, Number(new URL(url).port));
    },
    close: () => loopback.close(),
  };
  return fake;
}
