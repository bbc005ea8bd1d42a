import { onTestFinished } from 'vitest';
import { silentLog } from '../../../kernel/index.ts';
import type { Database, Transaction } from '../../../kernel/store/index.ts';
import {
  accountMigrations,
  createAccounts,
  type Accounts,
} from '../../../src/people/accounts/index.ts';
import { createAttemptGate, createPasswords } from '../../../src/people/credentials/index.ts';
import {
  createInvites,
  createReachability,
  inviteMigrations,
} from '../../../src/people/invites/index.ts';
import {
  createProfileDomain,
  profileMigrations,
  type ProfileDomain,
} from '../../../src/people/profiles/index.ts';
import { serverViewer, type Role } from '../../../src/people/viewer/index.ts';
import { auditMigrations, createAudit } from '../../../src/platform/audit/index.ts';
import { mount, type HttpApp } from '../../../src/http/index.ts';
import { authRoutes } from '../../../src/http/routes/accounts/auth.ts';
import { groupRoutes } from '../../../src/http/routes/accounts/groups.ts';
import { inviteRoutes } from '../../../src/http/routes/accounts/invites.ts';
import { preferenceRoutes } from '../../../src/http/routes/accounts/preferences.ts';
import { profileRoutes } from '../../../src/http/routes/accounts/profiles.ts';
import { userRoutes } from '../../../src/http/routes/accounts/users.ts';
import { pictureType } from '../../../src/platform/net/index.ts';
import { createPictureUploads, type MakePicture } from '../../../src/viewing/streaming/index.ts';
import { createUuidV7 } from '../../../src/platform/uuid-v7.ts';
import { password, signIn } from './accounts.ts';
import { createFakeClock, type FakeClock } from '../fake-clock.ts';
import { createTestApp } from '../servers/http.ts';
import { openTestStorage } from '../storage/storage.ts';
import type { User } from '../../../src/contract/resources/accounts/accounts.ts';

/** What of the domain a test changes. */
export interface PeopleParts {
  readonly assertRoomForProfile?: (trx: Transaction) => Promise<void>;
  /** Told of each profile that is removed. */
  readonly onProfileRemoved?: (profileId: string) => void;
  readonly publicUrl?: string;
  /** Makes uploaded pictures smaller; each is kept as it comes without it. */
  readonly makePicture?: MakePicture;
}

/** An answer of the server. */
export interface Answer<Body = Record<string, unknown>> {
  readonly status: number;
  readonly body: Body;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** A request: who sends it, as which profile, what. */
export interface Asked {
  readonly as?: string | undefined;
  readonly profile?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The server as far as people go: users, profiles, groups and invites, with its routes. */
export interface TestPeople {
  readonly app: HttpApp;
  readonly accounts: Accounts;
  readonly domain: ProfileDomain;
  readonly database: Database;
  readonly clock: FakeClock;
  /** The ids of the libraries that there are. */
  readonly libraries: Set<string>;
  readonly hashes: () => number;
  /** Makes a user who can sign in, and gives them with a token. */
  readonly join: (
    name: string,
    role?: Role,
  ) => Promise<{ readonly user: User; readonly token: string }>;
  readonly call: <Body = Record<string, unknown>>(
    route: string,
    asked?: Asked,
  ) => Promise<Answer<Body>>;
  /** Everything that is kept, as text: to look for what must not be in it. */
  readonly dump: () => Promise<string>;
  /** The actions of the audit log, oldest first. */
  readonly audited: () => Promise<readonly string[]>;
}

const tables = ['users', 'sessions', 'profiles', 'profile_unlocks', 'invites', 'audit_entries'];

const asItCame: MakePicture = async ({ load }) => {
  const bytes = Buffer.from((await load()).base64 ?? '', 'base64');
  return { mimeType: pictureType(bytes) ?? '', bytes, color: '#808080', thumbhash: '' };
};

/** Opens one. A second one over the same database is the server after a restart. */
export async function openTestPeople(
  parts: PeopleParts = {},
  before?: Pick<TestPeople, 'database' | 'clock' | 'libraries'>,
): Promise<TestPeople> {
  const migrations = [auditMigrations, accountMigrations, profileMigrations, inviteMigrations];
  const { database } = before ?? (await openTestStorage({ migrations }));
  const clock = before?.clock ?? createFakeClock();
  const libraries = before?.libraries ?? new Set(['films', 'series', 'music']);
  const newId = createUuidV7({ now: clock.now });
  const audit = createAudit({ database, clock, log: silentLog });
  let hashes = 0;
  const passwords = createPasswords({
    cost: { memoryKib: 8, passes: 1 },
    onHash: () => (hashes += 1),
  });
  const common = { database, clock, newId, log: silentLog };
  const domain = createProfileDomain({
    ...common,
    audit: audit.inTransaction,
    passwords,
    hasLibrary: (id) => libraries.has(id),
    country: 'US',
    assertRoom: parts.assertRoomForProfile ?? (async () => undefined),
    followers: [{ removed: async (_trx, id) => parts.onProfileRemoved?.(id) }],
  });
  const { activeProfiles, checkUserAccess, followers, groups, preferences, profiles } = domain;
  const publicUrl = parts.publicUrl ?? null;
  const accounts = createAccounts({
    ...common,
    audit,
    activeProfiles,
    checkUserAccess,
    hasLibrary: (id) => libraries.has(id),
    passwords,
    assertRoom: async () => undefined,
    followers,
    publicUrl: () => publicUrl ?? 'http://127.0.0.1:8360',
  });
  accounts.users.onChange(activeProfiles.forget);
  const reachability = createReachability({ publicUrl, clock });
  const invites = createInvites({
    ...common,
    ...accounts,
    audit: audit.inTransaction,
    checkUserAccess,
    gate: createAttemptGate(clock),
    reachability,
    serverUrl: () => publicUrl ?? 'http://127.0.0.1:8360',
    serverName: 'The attic',
  });
  const unused = async (): Promise<never> => {
    throw new Error('These are the pictures of people.');
  };
  const pictureUploads = createPictureUploads({
    items: { pictures: unused, addPicture: unused },
    entities: { find: unused, addPicture: unused },
    profiles,
    makePicture: parts.makePicture ?? asItCame,
    looks: { remember: unused },
  });
  const app = await createTestApp(
    [
      mount(authRoutes, accounts),
      mount(userRoutes, { users: accounts.users }),
      mount(profileRoutes, { profiles, pictureUploads }),
      mount(preferenceRoutes, { preferences }),
      mount(groupRoutes, { groups }),
      mount(inviteRoutes, { invites, reachability }),
    ],
    { authenticate: accounts.authenticate },
  );
  onTestFinished(async () => {
    await app.close();
    await accounts.close();
    await audit.close();
  });

  const call: TestPeople['call'] = async (route, { as, profile, body, headers } = {}) => {
    const [method, url] = route.split(' ') as ['GET', string];
    const reply = await app.inject({
      method,
      url,
      headers: {
        ...(as !== undefined && { authorization: `Bearer ${as}` }),
        ...(profile !== undefined && { 'x-profile-id': profile }),
        ...headers,
      },
      ...(body !== undefined && { payload: body as object }),
    });
    const isJson = String(reply.headers['content-type']).includes('json');
    return {
      status: reply.statusCode,
      body: (isJson ? reply.json() : null) as never,
      headers: reply.headers,
    };
  };

  return {
    app,
    accounts,
    domain,
    database,
    clock,
    libraries,
    hashes: () => hashes,
    join: async (name, role = 'user') => {
      const user = await accounts.users.create({ name, password, role }, serverViewer);
      return { user, token: (await signIn(accounts, name)).token };
    },
    call,
    dump: async () => {
      const rows = await Promise.all(tables.map((table) => database.read(table).select('*')));
      return JSON.stringify(rows);
    },
    audited: async () => {
      const { entries } = await audit.list({ limit: 500 });
      return entries.map(({ action }) => action).toReversed();
    },
  };
}
