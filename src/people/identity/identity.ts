import { randomBytes } from 'node:crypto';
import type { Log } from '../../../kernel/index.ts';
import type { Database } from '../../../kernel/store/index.ts';
import type { Accounts, UserFollower } from '../accounts/index.ts';
import type { RecordAudit } from '../../platform/audit/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { ConfigError } from '../../platform/config.ts';
import type { NewId } from '../../platform/uuid-v7.ts';
import { createSpentChallenges } from '../credentials/index.ts';
import { createBrokerClient, type BrokerFetch } from './broker-client.ts';
import { createChallenges } from './challenges.ts';
import { createApplyPage } from './feed-page.ts';
import { createFeedReader, type FeedReader, type FeedSettings } from './feed-reader.ts';
import { createLinkRequests } from './link-requests.ts';
import { hasLiveLink, removeLinksOfUser } from './link-store.ts';
import { createLinks, type Links } from './links.ts';
import { createPassCheck } from './pass-check.ts';
import { isBaseUrl } from '../../../packages/lib/identity-protocol/index.ts';
import { createRequestRates, type RequestLimits } from './request-rates.ts';
import { createPresenter } from './server-card.ts';
import type { ServerIdentity } from './server-id.ts';
import { removeSessionsOfUser } from './session-store.ts';
import { createIdentitySessions, type IdentitySessions } from './sessions.ts';
import { createIdentitySignIn, type IdentitySignIn } from './sign-in.ts';

/** The server's half of the identity protocol. */
export interface Identity {
  readonly signIn: IdentitySignIn;
  readonly sessions: IdentitySessions;
  readonly links: Links;
  readonly feed: Pick<FeedReader, 'ageSeconds' | 'wake'>;
  readonly serverId: string;
  /** The broker of new links; `null` = none. */
  readonly identityUrl: string | null;
  /** Whether an identity is linked, so that apps may sign in. */
  readonly isLinked: () => boolean;
  /** Loads what is needed before the first request. */
  readonly open: () => Promise<void>;
  /** Another server changed links, or read the feeds. */
  readonly onRemoteChange: () => Promise<void>;
  /** Starts to follow the feeds; the server listens by now. */
  readonly start: () => void;
  /** Stops following the feeds. */
  readonly stop: () => Promise<void>;
  /** Waits for pending writes. */
  readonly close: () => Promise<void>;
}

export interface IdentityParts {
  readonly database: Database;
  readonly accounts: Pick<Accounts, 'users' | 'confirm'>;
  readonly server: ServerIdentity;
  /** The broker for new links; `null` = none. */
  readonly identityUrl: string | null;
  /** The address at which clients reach the server, once it listens. */
  readonly serverUrl: () => string;
  readonly serverName: string;
  readonly fetch: BrokerFetch;
  readonly feedSettings: FeedSettings;
  readonly audit: RecordAudit;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
  readonly limits?: RequestLimits;
  /** Whether this server follows the feeds; in a cluster only one does. */
  readonly mayFollow?: () => boolean;
  readonly random?: (count: number) => Buffer;
  /** Seals challenges; all servers of one database have the same. */
  readonly challengeKey?: Buffer;
}

export function createIdentity(parts: IdentityParts): Identity {
  const { database, accounts, server, clock, limits, identityUrl } = parts;
  const { users } = accounts;
  const { serverId } = server;
  if (identityUrl !== null && !isBaseUrl(identityUrl)) throw new ConfigError(unsafe(identityUrl));
  const broker = createBrokerClient(parts.fetch);
  const presenter = createPresenter(parts);
  const assertFresh = (linkId: string): Promise<void> => reader.assertFresh(linkId);
  const sessions = createIdentitySessions({ ...parts, users, assertFresh });
  let isLinked = false;
  const recount = async (): Promise<void> => {
    isLinked = await hasLiveLink(database.read);
  };
  const recountSoon = (): void =>
    void recount().catch((err: unknown) => parts.log.warn({ err }, 'Links were not counted.'));
  const reader = createFeedReader({
    ...parts,
    broker,
    apply: createApplyPage({ ...parts, serverId, sessions, onChange: recountSoon }),
    presenter,
    settings: parts.feedSettings,
    random: Math.random,
  });
  const rates = createRequestRates(clock, limits);
  const passes = createPassCheck({ findUser: users.find, serverId, assertFresh, clock });
  const challenges = createChallenges({
    ...parts,
    key: parts.challengeKey ?? randomBytes(32),
    spent: createSpentChallenges(parts),
  });
  const signIn = createIdentitySignIn({
    database,
    serverId,
    rates,
    challenges,
    passes,
    sessions,
    clock,
    isLinked: () => isLinked,
  });
  const links = createLinks({
    ...parts,
    requests: createLinkRequests({ database, broker, serverId, clock }),
    broker,
    presenter,
    sessions,
    onLinked: async () => {
      isLinked = true;
      await withinMs(clock, firstReadMs, reader.wake());
    },
    onUnlinked: recountSoon,
  });
  return {
    signIn,
    sessions,
    links,
    serverId,
    identityUrl,
    feed: reader,
    isLinked: () => isLinked,
    open: async () => {
      (await sessions.networks()).forEach(rates.know);
      await recount();
      await reader.open();
    },
    onRemoteChange: async () => {
      await recount();
      await reader.open();
      if (parts.mayFollow?.() ?? true) void reader.wake();
    },
    start: reader.start,
    stop: reader.stop,
    close: sessions.close,
  };
}

/**
 * How long a confirmation waits for the first read of the feed; until it, no app can sign in with
 * the link.
 */
const firstReadMs = 3000;

/** Resolves with the work, or after the limit; the work then continues. */
async function withinMs(clock: Clock, limitMs: number, work: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<undefined>();
  const undo = clock.after(limitMs, () => late.resolve(undefined));
  await Promise.race([work, late.promise]);
  undo();
}

const unsafe = (identityUrl: string): string =>
  `--identity-url ${identityUrl}: it must be https, or http on a host of the own network, without a trailing slash.`;

/**
 * Removes the links and sessions of a user who is removed, and the sessions of one who is disabled.
 */
export const identitiesOfUsers: UserFollower = {
  created: async () => undefined,
  updated: async (trx, { id, disabled }) => {
    if (disabled) await removeSessionsOfUser(trx, id);
  },
  removed: async (trx, userId) => {
    await removeSessionsOfUser(trx, userId);
    await removeLinksOfUser(trx, userId);
  },
};
