/** A broker that answers as the protocol says, and a page that approves when the test says so. */
import {
  fromBase64url,
  isSignedBy,
  openPass,
  type PassClaims,
  type SignedObject,
} from '../../../packages/lib/identity-protocol/index.ts';
import { bytesToSign } from '../../../packages/lib/identity-protocol/index.ts';
import { listenOnLoopback, type Asked, type Told } from './loopback.ts';
import type { ListedServer, Person } from './person.ts';

interface Pairing {
  readonly requestId: string;
  readonly code: string;
  readonly asked: Readonly<Record<string, unknown>>;
  readonly expiresAt: number;
  told: Readonly<Record<string, unknown>>;
}

/** The parts of an approval; given parts replace them. */
export interface Approval {
  readonly claims?: Partial<PassClaims>;
  /** Changes what is told at the very end, as an evil broker would. */
  readonly tamper?: (told: Record<string, unknown>) => Record<string, unknown>;
}

/** The broker and its page. */
export interface FakeBroker {
  readonly url: string;
  /** When each poll came, by the clock. */
  readonly polls: number[];
  readonly begun: Readonly<Record<string, unknown>>[];
  readonly renewals: Readonly<Record<string, unknown>>[];
  /** Answers instead, for as long as it gives something. */
  instead: ((asked: Asked) => Told | undefined) | null;
  readonly last: () => Pairing;
  readonly approve: (approval?: Approval) => Promise<void>;
  readonly fail: (code: string) => void;
  /** Passes for renewals, as the page signs them in advance. */
  readonly stock: (count: number, person?: Person) => Promise<void>;
  /** What a renewal tells beside the pass. */
  extras: () => Promise<Readonly<Record<string, unknown>>>;
  revoked: boolean;
  servers: readonly ListedServer[];
  readonly close: () => Promise<void>;
}

export const clientId = '9b2f1c4e-5a6d-4e7f-8a9b-0c1d2e3f4a5b';
const day = 86_400;

export async function createFakeBroker(
  person: Person,
  { now }: { readonly now: () => number },
): Promise<FakeBroker> {
  const pairings = new Map<string, Pairing>();
  let passes: SignedObject[] = [];
  let claims: PassClaims | null = null;
  let count = 0;

  const nowSeconds = (): number => Math.floor(now() / 1000);

  function begin({ body }: Asked): Told {
    fake.begun.push(body);
    count += 1;
    const requestId = `request-${count}-abcdefghijklmnop`;
    const expiresAt = now() + 600_000;
    const code = String(12_345_678 + count);
    pairings.set(requestId, {
      requestId,
      code,
      asked: body,
      expiresAt,
      told: { status: 'pending' },
    });
    return 'callbackUrl' in body
      ? { body: { requestId, expiresAt, browserUrl: `${fake.url}/pair/${requestId}` } }
      : {
          body: {
            requestId,
            expiresAt,
            pairingCode: code,
            pairingUrl: `${fake.url}/pair`,
            pollUrl: `${fake.url}/api/identity/clients/pair/${requestId}`,
          },
        };
  }

  function poll(requestId: string): Told {
    const last = fake.polls.at(-1) ?? Number.NEGATIVE_INFINITY;
    fake.polls.push(now());
    const pairing = pairings.get(requestId);
    if (!pairing) return { status: 404, body: { error: 'not_found' } };
    if (now() - last < 1_900)
      return { status: 429, body: { error: 'slow_down' }, headers: { 'retry-after': '5' } };
    const isOver = now() >= pairing.expiresAt && pairing.told['status'] === 'pending';
    return { body: isOver ? { status: 'error', error: { code: 'expired' } } : pairing.told };
  }

  async function renew({ body }: Asked): Promise<Told> {
    fake.renewals.push(body);
    const pass = openPass(body['currentCert']);
    if (typeof pass === 'string') return { status: 400, body: { error: pass } };
    const ts = Number(body['ts']);
    if (Math.abs(now() - ts) > 300_000)
      return { status: 401, body: { error: 'clock_skew', serverTime: now() } };
    const signed = bytesToSign({
      kind: 'cert-renewal',
      clientId: pass.claims.clientId,
      currentCertExp: pass.claims.exp,
      ts,
    });
    const sig = fromBase64url(String(body['sig'])) ?? new Uint8Array();
    if (!(await isSignedBy(pass.claims.clientPubKey, signed, sig)))
      return { status: 401, body: { error: 'bad_signature' } };
    if (fake.revoked) return { status: 403, body: { error: 'revoked' } };
    if (pass.claims.exp <= nowSeconds()) return { status: 401, body: { error: 'cert_expired' } };
    if (nowSeconds() < pass.claims.iat + 30 * day)
      return {
        status: 409,
        body: { error: 'renewal_too_early', renewableAt: pass.claims.iat + 30 * day },
      };
    const fit = passes.filter((one) => {
      const next = openPass(one);
      return (
        typeof next === 'object' &&
        next.claims.iat > pass.claims.iat &&
        next.claims.iat <= nowSeconds()
      );
    });
    const cert = fit.at(-1);
    if (!cert) return { status: 202, body: { status: 'renewal_pending' } };
    return { body: { cert, ...(await fake.extras()) } };
  }

  const { url, close } = await listenOnLoopback(async (asked) => {
    const instead = fake.instead?.(asked);
    if (instead) return instead;
    const api = '/api/identity/clients';
    if (!asked.path.startsWith(api)) return { body: 'The page of the broker.' };
    const at = asked.path.slice(api.length);
    if (at === '/pair/begin') return begin(asked);
    if (at.startsWith('/pair/')) return poll(at.slice('/pair/'.length));
    if (at.endsWith('/renew')) return renew(asked);
    return { status: 404, body: { error: 'not_found' } };
  });

  const last = (): Pairing => {
    const pairing = [...pairings.values()].at(-1);
    if (!pairing) throw new Error('Nothing was begun.');
    return pairing;
  };

  const fake: FakeBroker = {
    url,
    polls: [],
    begun: [],
    renewals: [],
    instead: null,
    last,
    approve: async (approval = {}) => {
      const { claims: other = {}, tamper = (told: Record<string, unknown>) => told } = approval;
      const pairing = last();
      const iat = nowSeconds();
      claims = {
        appId: String(pairing.asked['appId']),
        clientId,
        clientPubKey: String(pairing.asked['clientPubKey']),
        deviceName: String(pairing.asked['deviceName']),
        exp: iat + 60 * day,
        iat,
        scope: ['servers:*'],
        userId: person.userId,
        userPubKey: person.userPubKey,
        v: 1,
        ...other,
      };
      pairing.told = tamper({
        status: 'completed',
        cert: await person.sign({ ...claims }),
        servers: fake.servers,
        serverList: await person.list({ clientId, iat, servers: fake.servers }),
      });
    },
    fail: (code) => {
      last().told = { status: 'error', error: { code } };
    },
    stock: async (amount, signer = person) => {
      if (claims === null) throw new Error('Nothing was approved yet.');
      const { appId, clientPubKey, iat } = claims;
      passes = await Promise.all(
        Array.from({ length: amount }, (_, index) =>
          signer.pass({ appId, clientPubKey, clientId, iat: iat + 30 * day * (index + 1) }),
        ),
      );
    },
    extras: async () => ({
      servers: fake.servers,
      serverList: await person.list({ clientId, iat: nowSeconds(), servers: fake.servers }),
    }),
    revoked: false,
    servers: [],
    close,
  };
  return fake;
}
