/** Accounts and identities: users, profiles, sessions, keys, identity links, invites. */
import type { Kernel } from '../../kernel/index.ts';
import { createAccounts, type Accounts } from '../people/accounts/index.ts';
import { createAttemptGate, createSharedAttemptGate } from '../people/credentials/index.ts';
import {
  createInvites,
  createReachability,
  type Invites,
  type Reachability,
} from '../people/invites/index.ts';
import { createProfileDomain, type ProfileDomain } from '../people/profiles/index.ts';
import { collectionsOfProfiles } from '../viewing/collections/index.ts';
import { createIdentity, identitiesOfUsers, type Identity } from '../people/identity/index.ts';
import type { LibraryDomain } from '../library/catalogue/index.ts';
import type { Licensing } from '../operations/license/index.ts';
import type { OperatorFetch } from '../platform/net/index.ts';
import { playbackOfProfiles } from '../viewing/playback/index.ts';
import type { PluginViewers } from '../plugins/scopes/index.ts';
import { secretsOfProfiles, secretsOfUsers } from '../plugins/secrets/index.ts';
import { derivedKey } from '../platform/secrets/index.ts';
import type { Infrastructure } from './infrastructure.ts';
import { emitUserEvents } from './user-events.ts';

/** Accounts and identities. */
export interface People {
  readonly accounts: Accounts;
  /** Profiles and groups of users. */
  readonly profileDomain: ProfileDomain;
  readonly identity: Identity;
  readonly invites: Invites;
  readonly reachability: Reachability;
}

/** What accounts are built from. */
export interface PeopleNeeds {
  readonly kernel: Kernel;
  readonly library: LibraryDomain;
  readonly licensing: Licensing;
  readonly operatorFetch: OperatorFetch;
  readonly viewers: Pick<PluginViewers, 'profileIn'>;
  /** The public address of the server; known once it listens. */
  readonly publicUrl: () => string;
}

/** Builds accounts, profiles, identities and invites. */
export function composePeople(infrastructure: Infrastructure, needs: PeopleNeeds): People {
  const { config, cluster, serverKey, server, isLeader, clock, holds, passwords } = infrastructure;
  const { kernel, library, licensing, viewers, operatorFetch, publicUrl } = needs;
  const audit = infrastructure.audit.inTransaction;
  emitUserEvents(infrastructure.audit, kernel.events);
  const hasLibrary = (id: string): boolean => library.libraries.nameOf(id) !== undefined;
  const profileDomain = createProfileDomain({
    ...infrastructure,
    audit,
    passwords,
    hasLibrary,
    country: config.country,
    assertRoom: (trx) => licensing.assertRoom('profiles', trx),
    followers: [
      playbackOfProfiles,
      collectionsOfProfiles,
      secretsOfProfiles(kernel.plugins.secrets, viewers.profileIn),
    ],
  });
  const { activeProfiles, checkUserAccess, followers } = profileDomain;
  const gate = cluster ? createSharedAttemptGate(cluster.ask, clock) : createAttemptGate(clock);
  const accounts = createAccounts({
    ...infrastructure,
    gate,
    activeProfiles,
    checkUserAccess,
    hasLibrary,
    passwords,
    assertRoom: (trx) => licensing.assertRoom('users', trx),
    followers: [...followers, identitiesOfUsers, secretsOfUsers(kernel.plugins.secrets)],
    identitySessions: {
      principalOf: (token) => identity.sessions.principalOf(token),
      principalOfId: (id) => identity.sessions.principalOfId(id),
      isValid: (id) => identity.sessions.isValid(id),
      end: (viewer) => identity.sessions.end(viewer),
    },
    publicUrl,
    ...(cluster && { catchUp: cluster.catchUp }),
    linkKey: derivedKey(serverKey, 'vitrine media link 1'),
    challengeKey: derivedKey(serverKey, 'vitrine passkey challenge 1'),
  });
  holds(accounts.close);
  accounts.users.onChange(activeProfiles.forget);
  const identity: Identity = createIdentity({
    ...infrastructure,
    database: infrastructure.duties,
    accounts,
    server,
    identityUrl: config.identityUrl,
    serverUrl: publicUrl,
    serverName: config.serverName,
    fetch: operatorFetch,
    feedSettings: {
      minutes: config.identityFeedMinutes,
      maxAgeHours: config.identityMaxFeedAgeHours,
    },
    audit,
    mayFollow: isLeader,
    challengeKey: derivedKey(serverKey, 'vitrine identity challenge 1'),
  });
  holds(identity.close);
  const reachability = createReachability({ publicUrl: config.publicUrl, clock });
  const invites = createInvites({
    ...infrastructure,
    ...accounts,
    audit,
    checkUserAccess,
    gate,
    reachability,
    serverUrl: publicUrl,
    serverName: config.serverName,
  });
  return { accounts, profileDomain, identity, invites, reachability };
}
