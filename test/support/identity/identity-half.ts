/** The server's half of the identity protocol over a database of its own, with its routes and a device. */
import { randomBytes, randomUUID } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { silentLog } from '../../../kernel/index.ts';
import type { Database } from '../../../kernel/store/index.ts';
import { accountMigrations, type Accounts } from '../../../src/people/accounts/index.ts';
import type { Role } from '../../../src/people/viewer/index.ts';
import { auditMigrations, type Audit } from '../../../src/platform/audit/index.ts';
import { mount, type HttpApp, type HttpParts } from '../../../src/http/index.ts';
import { apiKeyRoutes } from '../../../src/http/routes/accounts/api-keys.ts';
import { authRoutes } from '../../../src/http/routes/accounts/auth.ts';
import { identityLinkRoutes } from '../../../src/http/routes/accounts/identity-links.ts';
import { identitySessionRoutes } from '../../../src/http/routes/accounts/identity-sessions.ts';
import {
  createIdentity,
  identitiesOfUsers,
  identityMigrations,
  openServerIdentity,
  type Identity,
  type IdentityParts,
} from '../../../src/people/identity/index.ts';
import {
  bytesToSign,
  publicKeyOf,
  sealSigned,
  signWith,
  toBase64url,
  type SignedObject,
} from '../../../packages/lib/identity-protocol/index.ts';
import { createOperatorFetch } from '../../../src/platform/net/index.ts';
import { createUuidV7 } from '../../../src/platform/uuid-v7.ts';
import { makeUser, openTestAccounts } from '../people/accounts.ts';
import type { FakeClock } from '../fake-clock.ts';
import { createTestApp } from '../servers/http.ts';
import { temporaryFolder } from '../storage/storage.ts';
import type { User } from '../../../src/contract/resources/accounts/accounts.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Somebody with a key. */
export interface KeyOwner {
  readonly publicKey: string;
  readonly sign: (bytes: Uint8Array) => Promise<Uint8Array>;
  /** A signed object with these fields. */
  readonly seal: (fields: Fields) => Promise<SignedObject>;
}

/** A fresh key, or that of a seed. */
export async function keyOwner(seed: Uint8Array = randomBytes(32)): Promise<KeyOwner> {
  const sign = (bytes: Uint8Array): Promise<Uint8Array> => signWith(seed, bytes);
  return {
    publicKey: await publicKeyOf(seed),
    sign,
    seal: (fields) => sealSigned(fields, sign),
  };
}

/** An answer in short, and as it was. */
export interface Told {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, unknown>>;
  /** `401 challenge_invalid`, or the bare status. */
  readonly verdict: string;
}

/** The half with its people. */
export interface TestIdentity {
  readonly app: HttpApp;
  readonly identity: Identity;
  readonly accounts: Accounts;
  readonly audit: Audit;
  readonly database: Database;
  readonly clock: FakeClock;
  readonly serverId: string;
  readonly seconds: () => number;
  readonly ask: (
    route: string,
    body?: unknown,
    asked?: { readonly token?: string; readonly from?: string; readonly headers?: Fields },
  ) => Promise<Told>;
  /** A user with an identity, linked as if it had been done long ago. */
  readonly linked: (name: string, role?: Role) => Promise<LinkedPerson>;
  readonly audited: () => Promise<readonly string[]>;
}

/** A local user, their identity, and one of their devices. */
export interface LinkedPerson {
  readonly user: User;
  readonly linkId: string;
  readonly userId: string;
  readonly identity: KeyOwner;
  readonly device: KeyOwner;
  readonly clientId: string;
  readonly claims: Fields;
  /** A pass with these claims in place of the usual ones; by another key, if one is named. */
  readonly pass: (changes?: Fields, signer?: KeyOwner) => Promise<SignedObject>;
}

export const identityUrl = 'http://localhost:8361';

/** Opens it; its clock stands still until it is moved. */
export async function openTestIdentity(
  parts: Partial<IdentityParts> & { readonly security?: Partial<HttpParts['security']> } = {},
): Promise<TestIdentity> {
  const half: { value?: Identity } = {};
  const sessions = (): Identity['sessions'] => {
    if (half.value) return half.value.sessions;
    throw new Error('The identity is not open yet.');
  };
  const opened = await openTestAccounts(
    {
      followers: [identitiesOfUsers],
      identitySessions: {
        principalOf: (token) => sessions().principalOf(token),
        principalOfId: (id) => sessions().principalOfId(id),
        isValid: (id) => sessions().isValid(id),
        end: (viewer) => sessions().end(viewer),
      },
    },
    { migrations: [auditMigrations, accountMigrations, identityMigrations] },
  );
  const { accounts, audit, clock, database } = opened;
  const operator = createOperatorFetch();
  const identity = createIdentity({
    database,
    accounts,
    server: openServerIdentity(temporaryFolder()),
    identityUrl,
    serverUrl: () => 'http://192.168.1.10:8360',
    serverName: 'The attic',
    fetch: operator.fetch,
    feedSettings: { minutes: 5, maxAgeHours: 0 },
    audit: audit.inTransaction,
    clock,
    newId: createUuidV7({ now: clock.now }),
    log: silentLog,
    ...parts,
  });
  half.value = identity;
  const app = await createTestApp(
    [
      mount(apiKeyRoutes, { apiKeys: accounts.apiKeys }),
      mount(authRoutes, accounts),
      mount(identityLinkRoutes, { identity }),
      mount(identitySessionRoutes, { identity }),
    ],
    { authenticate: accounts.authenticate },
  );
  onTestFinished(async () => {
    await app.close();
    await identity.stop();
    await identity.close();
    await operator.close();
  });
  const seconds = (): number => Math.floor(clock.now() / 1000);

  const ask: TestIdentity['ask'] = async (route, body, { token, from, headers = {} } = {}) => {
    const [method, url] = route.split(' ') as ['GET', string];
    const reply = await app.inject({
      method,
      url,
      remoteAddress: from ?? '10.0.0.1',
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(headers as Record<string, string>),
      },
      ...(body !== undefined && { payload: body as object }),
    });
    const isJson = String(reply.headers['content-type']).includes('json');
    const told: Told['body'] = isJson ? reply.json() : {};
    const verdict = [reply.statusCode, told['code']].filter(Boolean).join(' ');
    return { status: reply.statusCode, body: told, headers: reply.headers, verdict };
  };

  async function linked(name: string, role: Role = 'user'): Promise<LinkedPerson> {
    const user = await makeUser(accounts, name, role);
    const owner = await keyOwner();
    const device = await keyOwner();
    const [linkId, clientId] = [randomUUID(), randomUUID()];
    const userId = `u_${name}`;
    await database.write(async (trx) => {
      await trx('identity_links').insert({
        id: linkId,
        local_user_id: user.id,
        user_pub_key: owner.publicKey,
        user_id: userId,
        identity_url: parts.identityUrl ?? identityUrl,
        state: 'active',
        follow_rotation: role === 'admin' ? 0 : 1,
        link_grant: '{}',
        grant_iat: seconds() - 86_400,
        linked_at: new Date(clock.now() - 86_400_000).toISOString(),
      });
    });
    const claims = {
      ...{ appId: 'app_example', clientId, clientPubKey: device.publicKey, deviceName: 'TV' },
      ...{ exp: seconds() + 60 * 86_400, iat: seconds(), scope: ['servers:*'], v: 1 },
      ...{ userId, userPubKey: owner.publicKey },
    };
    const pass: LinkedPerson['pass'] = (changes = {}, signer = owner) =>
      signer.seal({ ...claims, ...changes });
    return { user, linkId, userId, identity: owner, device, clientId, claims, pass };
  }

  return {
    ...{ app, identity, accounts, audit, database, clock, seconds, ask, linked },
    serverId: identity.serverId,
    audited: async () => {
      const { entries } = await audit.list({ limit: 500 });
      return entries.map(({ action }) => action).toReversed();
    },
  };
}

/** What a test changes of a completion; `signer` signs it, and `signed` is signed in place of it. */
export interface Completing {
  readonly cert?: unknown;
  readonly serverId?: string;
  readonly challenge?: string;
  readonly ts?: number;
  readonly sig?: string;
  readonly signer?: KeyOwner;
  readonly signed?: Fields;
  readonly from?: string;
}

export const begin = (half: TestIdentity, cert: unknown, from?: string): Promise<Told> =>
  half.ask('POST /api/auth/identity-session/begin', { cert }, from === undefined ? {} : { from });

/** Signs in with a pass; what is not changed is right. */
export async function complete(
  half: TestIdentity,
  person: LinkedPerson,
  { signer, signed, from, ...changes }: Completing = {},
): Promise<Told> {
  const cert = changes.cert ?? (await person.pass());
  const challenge = changes.challenge ?? (await begin(half, cert, from)).body['challenge'];
  const body = {
    cert,
    challenge,
    serverId: half.serverId,
    ts: half.clock.now(),
    ...changes,
  };
  const { sig, ...rest } = { sig: '', ...body };
  const bytes = bytesToSign({ ...rest, ...signed });
  const made = sig === '' ? toBase64url(await (signer ?? person.device).sign(bytes)) : sig;
  return half.ask(
    'POST /api/auth/identity-session/complete',
    { ...rest, sig: made },
    from === undefined ? {} : { from },
  );
}

/** Signs in without an attack: the token. */
export async function signInWith(half: TestIdentity, person: LinkedPerson): Promise<string> {
  const { body, verdict } = await complete(half, person);
  if (typeof body['sessionToken'] === 'string') return body['sessionToken'];
  throw new Error(`The sign-in failed: ${verdict}.`);
}
