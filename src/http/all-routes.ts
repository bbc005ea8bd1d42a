import type { Accounts, Groups, Profiles } from '../accounts/index.ts';
import type { Audit } from '../audit/index.ts';
import type { Backups } from '../backups/index.ts';
import type { Clock } from '../clock.ts';
import type { Collections } from '../collections/index.ts';
import type { Console } from '../console/index.ts';
import type { EventFeed } from '../event-feed/index.ts';
import type { Identity } from '../identity/index.ts';
import type { Ingestion } from '../ingestion/index.ts';
import type { DatabaseCheck } from '../integrity/index.ts';
import type { Jobs } from '../jobs/index.ts';
import type { Entities, Items, Libraries, Search } from '../library/index.ts';
import type { Licensing } from '../license/index.ts';
import type { Marketplace } from '../marketplace/index.ts';
import type { Matching } from '../matching/index.ts';
import type { Notifications } from '../notifications/index.ts';
import type { PluginViews } from '../operations/index.ts';
import type { PluginSecretsAdmin } from '../plugin-secrets/index.ts';
import type { Playback } from '../playback/index.ts';
import type { Scheduler } from '../scheduler/index.ts';
import type { MediaLinks, Streams } from '../streaming/index.ts';
import type { Updates } from '../updates/index.ts';
import type { Webhooks } from '../webhooks/index.ts';
import { mount, type Mount } from './http-app.ts';
import type { ResponseCache } from './response-cache.ts';
import { apiKeyRoutes } from './routes/api-keys.ts';
import { auditRoutes } from './routes/audit.ts';
import { authRoutes } from './routes/auth.ts';
import { backupRoutes } from './routes/backups.ts';
import { collectionRoutes } from './routes/collections.ts';
import { databaseRoutes } from './routes/database.ts';
import { entityRoutes } from './routes/entities.ts';
import { eventRoutes } from './routes/events.ts';
import { fileRoutes } from './routes/files.ts';
import { groupRoutes } from './routes/groups.ts';
import { identityLinkRoutes } from './routes/identity-links.ts';
import { identitySessionRoutes } from './routes/identity-sessions.ts';
import { inviteRoutes, type InviteRouteParts } from './routes/invites.ts';
import { itemRoutes } from './routes/items.ts';
import { jobRoutes } from './routes/jobs.ts';
import { libraryRoutes } from './routes/libraries.ts';
import { licenseRoutes } from './routes/license.ts';
import { liveRoutes } from './routes/live.ts';
import { marketplaceRoutes } from './routes/marketplace.ts';
import { matchRoutes } from './routes/matches.ts';
import { mediaLinkRoutes } from './routes/media-links.ts';
import { operationsRoutes, type OperationsRouteParts } from './routes/operations.ts';
import { pageRoutes } from './routes/pages.ts';
import { notificationRoutes } from './routes/notifications.ts';
import { playbackRoutes } from './routes/playback.ts';
import { passkeyRoutes } from './routes/passkeys.ts';
import { profileRoutes } from './routes/profiles.ts';
import { pluginSecretRoutes } from './routes/plugin-secrets.ts';
import { providerRoutes, type ProviderRouteParts } from './routes/plugin-providers.ts';
import { pluginRoutes, type PluginRouteParts } from './routes/plugins.ts';
import { ratingRoutes } from './routes/ratings.ts';
import { refreshRoutes } from './routes/refresh.ts';
import { schedulerRoutes } from './routes/scheduler.ts';
import { securityTxtRoutes, type SecurityTxtParts } from './routes/security-txt.ts';
import { searchRoutes } from './routes/search.ts';
import { setupRoutes } from './routes/setup.ts';
import { updateRoutes } from './routes/updates.ts';
import { userRoutes } from './routes/users.ts';
import { viewRoutes } from './routes/views.ts';
import { webhookRoutes } from './routes/webhooks.ts';

/** The domains that the routes call. */
export interface RouteParts {
  readonly accounts: Accounts;
  readonly audit: Audit;
  readonly backups: Backups;
  readonly clock: Clock;
  readonly collections: Collections;
  readonly console: Console;
  readonly databaseCheck: DatabaseCheck;
  readonly entities: Entities;
  readonly feed: EventFeed;
  readonly groups: Groups;
  readonly identity: Identity;
  readonly ingestion: Pick<Ingestion, 'refreshItem'>;
  readonly invites: InviteRouteParts;
  readonly items: Items;
  readonly jobs: Jobs;
  readonly cache: ResponseCache;
  readonly libraries: Libraries;
  readonly licensing: Licensing;
  readonly matching: Matching;
  readonly marketplace: Marketplace;
  readonly operations: OperationsRouteParts;
  readonly notifications: Notifications;
  readonly playback: Playback;
  readonly plugins: PluginRouteParts & ProviderRouteParts;
  readonly pluginSecrets: PluginSecretsAdmin;
  readonly profiles: Profiles;
  readonly scheduler: Scheduler;
  readonly securityTxt: SecurityTxtParts;
  readonly search: Search;
  readonly mediaLinks: MediaLinks;
  readonly streams: Streams;
  readonly updates: Updates;
  readonly views: PluginViews;
  readonly webhooks: Webhooks;
}

/**
 * Every route of the server. The composition serves them, and a house test calls each in every
 * role.
 */
export const allRoutes = (parts: RouteParts): readonly Mount[] => [
  mount(apiKeyRoutes, { apiKeys: parts.accounts.apiKeys }),
  mount(auditRoutes, { audit: parts.audit }),
  mount(authRoutes, parts.accounts),
  mount(backupRoutes, { backups: parts.backups }),
  mount(collectionRoutes, { collections: parts.collections }),
  mount(databaseRoutes, { databaseCheck: parts.databaseCheck }),
  mount(entityRoutes, { entities: parts.entities }),
  mount(eventRoutes, { feed: parts.feed }),
  mount(mediaLinkRoutes, { mediaLinks: parts.mediaLinks }),
  mount(fileRoutes, { streams: parts.streams }),
  mount(groupRoutes, { groups: parts.groups }),
  mount(identityLinkRoutes, { identity: parts.identity }),
  mount(identitySessionRoutes, { identity: parts.identity }),
  mount(inviteRoutes, parts.invites),
  mount(itemRoutes, { items: parts.items, cache: parts.cache }),
  mount(jobRoutes, { jobs: parts.jobs }),
  mount(libraryRoutes, { libraries: parts.libraries, jobs: parts.jobs }),
  mount(licenseRoutes, { licensing: parts.licensing }),
  mount(liveRoutes, { feed: parts.feed, clock: parts.clock }),
  mount(marketplaceRoutes, { marketplace: parts.marketplace }),
  mount(matchRoutes, { matching: parts.matching }),
  mount(operationsRoutes, parts.operations),
  mount(pageRoutes, { console: parts.console }),
  mount(notificationRoutes, { notifications: parts.notifications }),
  mount(playbackRoutes, { playback: parts.playback }),
  mount(pluginRoutes, parts.plugins),
  mount(providerRoutes, parts.plugins),
  mount(pluginSecretRoutes, { secrets: parts.pluginSecrets }),
  mount(profileRoutes, { profiles: parts.profiles }),
  mount(ratingRoutes, {}),
  mount(refreshRoutes, { ingestion: parts.ingestion }),
  mount(passkeyRoutes, { passkeys: parts.accounts.passkeys }),
  mount(setupRoutes, { setup: parts.accounts.setup }),
  mount(updateRoutes, { updates: parts.updates }),
  mount(userRoutes, { users: parts.accounts.users }),
  mount(schedulerRoutes, { scheduler: parts.scheduler }),
  mount(securityTxtRoutes, parts.securityTxt),
  mount(searchRoutes, { search: parts.search, cache: parts.cache }),
  mount(viewRoutes, { views: parts.views }),
  mount(webhookRoutes, { webhooks: parts.webhooks }),
];
