import type { Accounts } from '../people/accounts/index.ts';
import type { Groups } from '../people/groups/index.ts';
import type { Preferences, Profiles } from '../people/profiles/index.ts';
import type { Audit } from '../platform/audit/index.ts';
import type { Backups } from '../operations/backups/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Collections, Entries } from '../viewing/collections/index.ts';
import type { AuthorKit } from '../plugins/author-kit/index.ts';
import type { Console } from '../console/index.ts';
import type { Home } from '../viewing/home/index.ts';
import type { Folders } from '../files/folders/index.ts';
import type { EventFeed } from '../viewing/live-events/index.ts';
import type { Identity } from '../people/identity/index.ts';
import type { Ingestion } from '../library/ingestion/index.ts';
import type { DatabaseCheck } from '../operations/integrity/index.ts';
import type { Jobs } from '../work/jobs/index.ts';
import type { Entities, Held, Items, Libraries } from '../library/catalogue/index.ts';
import type { Search } from '../library/catalogue/search/index.ts';
import type { Licensing } from '../operations/license/index.ts';
import type { Marketplace } from '../plugins/marketplace/index.ts';
import type { Matching, Sources } from '../library/matching/index.ts';
import type { Notifications } from '../platform/notifications/index.ts';
import type { MetadataPreset, PluginViews, ProfilePlugins } from '../plugins/admin/index.ts';
import type { PluginSecretsAdmin } from '../plugins/secrets/index.ts';
import type { Marks, Playback } from '../viewing/playback/index.ts';
import type {
  FindPlayInfos,
  PlaybackSessions,
  SessionMedia,
} from '../viewing/playback-sessions/index.ts';
import type { Scheduler } from '../work/scheduler/index.ts';
import type { MediaLinks, PictureUploads, Streams, Texts } from '../viewing/streaming/index.ts';
import type { Updates } from '../operations/updates/index.ts';
import type { Webhooks } from '../plugins/webhooks/index.ts';
import { mount, type Mount } from './http-app.ts';
import type { ResponseCache } from './response-cache.ts';
import { apiKeyRoutes } from './routes/accounts/api-keys.ts';
import { auditRoutes, type AuditRouteParts } from './routes/operations/audit.ts';
import { authRoutes } from './routes/accounts/auth.ts';
import { backupRoutes } from './routes/operations/backups.ts';
import { collectionRoutes } from './routes/library/collections.ts';
import { databaseRoutes } from './routes/operations/database.ts';
import { entryRoutes } from './routes/library/entries.ts';
import { entityRoutes } from './routes/library/entities.ts';
import { eventRoutes } from './routes/viewing/events.ts';
import { folderRoutes } from './routes/library/folders.ts';
import { fileRoutes } from './routes/library/files.ts';
import { groupRoutes } from './routes/accounts/groups.ts';
import { identityLinkRoutes } from './routes/accounts/identity-links.ts';
import { identitySessionRoutes } from './routes/accounts/identity-sessions.ts';
import { inviteRoutes, type InviteRouteParts } from './routes/accounts/invites.ts';
import {
  installationRoutes,
  type InstallationRouteParts,
} from './routes/operations/installation.ts';
import { heldRoutes } from './routes/library/held.ts';
import { itemRoutes } from './routes/library/items.ts';
import { pictureRoutes } from './routes/library/pictures.ts';
import { jobRoutes } from './routes/operations/jobs.ts';
import { libraryRoutes } from './routes/library/libraries.ts';
import { licenseRoutes } from './routes/operations/license.ts';
import { homeRoutes } from './routes/viewing/home.ts';
import { liveRoutes } from './routes/viewing/live.ts';
import { marketplaceRoutes } from './routes/plugins/marketplace.ts';
import { markRoutes } from './routes/viewing/marks.ts';
import { logRoutes } from './routes/operations/logs.ts';
import type { RecentLog } from '../platform/recent-log.ts';
import { matchRoutes } from './routes/library/matches.ts';
import { sourceRoutes } from './routes/library/sources.ts';
import { mediaLinkRoutes } from './routes/viewing/media-links.ts';
import { operationsRoutes, type OperationsRouteParts } from './routes/operations/operations.ts';
import { pageRoutes } from './routes/pages.ts';
import { notificationRoutes } from './routes/operations/notifications.ts';
import { playbackRoutes } from './routes/viewing/playback.ts';
import { playbackSessionRoutes } from './routes/viewing/playback-sessions.ts';
import { sessionMediaRoutes } from './routes/viewing/session-media.ts';
import { pairingRoutes } from './routes/accounts/pairings.ts';
import { passkeyRoutes } from './routes/accounts/passkeys.ts';
import { textRoutes } from './routes/viewing/texts.ts';
import { playlistFileRoutes } from './routes/viewing/playlist-files.ts';
import type { PlaylistFiles } from '../viewing/playlist-files/index.ts';
import { preferenceRoutes } from './routes/accounts/preferences.ts';
import { profileRoutes } from './routes/accounts/profiles.ts';
import { packageRoutes } from './routes/plugins/packages.ts';
import { kitRoutes } from './routes/plugins/kit.ts';
import { pluginPresetRoutes } from './routes/plugins/plugin-presets.ts';
import { profilePluginRoutes } from './routes/plugins/profile-plugins.ts';
import { pluginSecretRoutes } from './routes/plugins/plugin-secrets.ts';
import { providerRoutes, type ProviderRouteParts } from './routes/plugins/plugin-providers.ts';
import { pluginRoutes, type PluginRouteParts } from './routes/plugins/plugins.ts';
import { ratingRoutes } from './routes/library/ratings.ts';
import { refreshRoutes } from './routes/library/refresh.ts';
import { schedulerRoutes } from './routes/operations/scheduler.ts';
import { securityTxtRoutes, type SecurityTxtParts } from './routes/security-txt.ts';
import { searchRoutes } from './routes/library/search.ts';
import { setupRoutes } from './routes/accounts/setup.ts';
import { serverRoutes } from './routes/operations/servers.ts';
import type { ServerState } from '../contract/resources/operations/servers.ts';
import { updateRoutes } from './routes/operations/updates.ts';
import { userSessionRoutes } from './routes/accounts/user-sessions.ts';
import { userRoutes } from './routes/accounts/users.ts';
import { viewRoutes } from './routes/viewing/views.ts';
import { webhookRoutes } from './routes/plugins/webhooks.ts';

/** The domains that the routes call. */
export interface RouteParts {
  readonly accounts: Accounts;
  readonly audit: Audit;
  readonly verifyAudit: AuditRouteParts['verifyAudit'];
  readonly authorKit: AuthorKit;
  readonly backups: Backups;
  readonly clock: Clock;
  readonly collections: Collections;
  readonly console: Console;
  readonly databaseCheck: DatabaseCheck;
  readonly entities: Entities;
  readonly entries: Entries;
  readonly feed: EventFeed;
  readonly folders: Folders;
  readonly groups: Groups;
  readonly held: Held;
  readonly home: Home;
  readonly identity: Identity;
  readonly installation: InstallationRouteParts;
  readonly ingestion: Pick<Ingestion, 'refreshItem'>;
  readonly invites: InviteRouteParts;
  readonly items: Items;
  readonly pictureUploads: PictureUploads;
  readonly jobs: Jobs;
  readonly cache: ResponseCache;
  readonly libraries: Libraries;
  readonly recentLog: RecentLog;
  readonly licensing: Licensing;
  readonly marks: Marks;
  readonly matching: Matching;
  readonly sources: Sources;
  readonly marketplace: Marketplace;
  readonly operations: OperationsRouteParts;
  readonly notifications: Notifications;
  readonly playback: Playback;
  readonly playlistFiles: PlaylistFiles;
  readonly playInfos: FindPlayInfos;
  readonly sessions: PlaybackSessions;
  readonly sessionMedia: SessionMedia;
  readonly plugins: PluginRouteParts & ProviderRouteParts;
  readonly pluginSecrets: PluginSecretsAdmin;
  readonly profilePlugins: ProfilePlugins;
  readonly metadataPreset: MetadataPreset;
  readonly preferences: Preferences;
  readonly profiles: Profiles;
  readonly scheduler: Scheduler;
  readonly servers: () => Promise<readonly ServerState[]>;
  readonly securityTxt: SecurityTxtParts;
  readonly search: Search;
  readonly mediaLinks: MediaLinks;
  readonly streams: Streams;
  readonly texts: Texts;
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
  mount(auditRoutes, parts),
  mount(authRoutes, parts.accounts),
  mount(backupRoutes, { backups: parts.backups }),
  mount(collectionRoutes, { collections: parts.collections }),
  mount(databaseRoutes, { databaseCheck: parts.databaseCheck }),
  mount(entryRoutes, { entries: parts.entries }),
  mount(entityRoutes, { entities: parts.entities, items: parts.items, cache: parts.cache }),
  mount(eventRoutes, { feed: parts.feed }),
  mount(mediaLinkRoutes, { mediaLinks: parts.mediaLinks }),
  mount(folderRoutes, { folders: parts.folders }),
  mount(fileRoutes, { streams: parts.streams }),
  mount(textRoutes, { texts: parts.texts }),
  mount(homeRoutes, { home: parts.home, cache: parts.cache }),
  mount(groupRoutes, { groups: parts.groups }),
  mount(identityLinkRoutes, { identity: parts.identity }),
  mount(identitySessionRoutes, { identity: parts.identity }),
  mount(inviteRoutes, parts.invites),
  mount(installationRoutes, parts.installation),
  mount(itemRoutes, { items: parts.items, cache: parts.cache }),
  mount(pictureRoutes, parts),
  mount(kitRoutes, { authorKit: parts.authorKit }),
  mount(jobRoutes, { jobs: parts.jobs }),
  mount(heldRoutes, { held: parts.held, jobs: parts.jobs }),
  mount(libraryRoutes, { libraries: parts.libraries, jobs: parts.jobs }),
  mount(licenseRoutes, { licensing: parts.licensing }),
  mount(liveRoutes, { feed: parts.feed, clock: parts.clock }),
  mount(logRoutes, { recentLog: parts.recentLog }),
  mount(marketplaceRoutes, { marketplace: parts.marketplace }),
  mount(markRoutes, { marks: parts.marks }),
  mount(matchRoutes, { matching: parts.matching }),
  mount(sourceRoutes, { sources: parts.sources }),
  mount(operationsRoutes, parts.operations),
  mount(pageRoutes, { console: parts.console }),
  mount(notificationRoutes, { notifications: parts.notifications }),
  mount(playbackRoutes, { playback: parts.playback }),
  mount(playlistFileRoutes, { playlistFiles: parts.playlistFiles }),
  mount(playbackSessionRoutes, { playInfos: parts.playInfos, sessions: parts.sessions }),
  mount(sessionMediaRoutes, { sessionMedia: parts.sessionMedia }),
  mount(packageRoutes, { uploads: parts.marketplace.uploads, reach: parts.plugins.reach }),
  mount(pluginRoutes, parts.plugins),
  mount(pluginPresetRoutes, { metadata: parts.metadataPreset }),
  mount(providerRoutes, parts.plugins),
  mount(profilePluginRoutes, { profilePlugins: parts.profilePlugins }),
  mount(pluginSecretRoutes, { secrets: parts.pluginSecrets }),
  mount(preferenceRoutes, { preferences: parts.preferences }),
  mount(profileRoutes, parts),
  mount(ratingRoutes, {}),
  mount(refreshRoutes, { ingestion: parts.ingestion }),
  mount(pairingRoutes, { pairings: parts.accounts.pairings }),
  mount(passkeyRoutes, { passkeys: parts.accounts.passkeys }),
  mount(setupRoutes, { setup: parts.accounts.setup }),
  mount(serverRoutes, { servers: parts.servers }),
  mount(updateRoutes, { updates: parts.updates }),
  mount(userRoutes, { users: parts.accounts.users }),
  mount(userSessionRoutes, parts.accounts),
  mount(schedulerRoutes, { scheduler: parts.scheduler }),
  mount(securityTxtRoutes, parts.securityTxt),
  mount(searchRoutes, { search: parts.search, cache: parts.cache }),
  mount(viewRoutes, { views: parts.views }),
  mount(webhookRoutes, { webhooks: parts.webhooks }),
];
