/** The topics of cached data that another server may change. */
export const topics = [
  'users',
  'profiles',
  'groups',
  'unlocks',
  'sessions',
  'api-keys',
  'identity-sessions',
  'identity',
  'libraries',
  'plugins',
  'packages',
  'license',
  'sources',
  'entities',
  'jobs',
  'cancelled-jobs',
  'wakes',
  'tasks',
  'search',
  'later',
  'event-log',
  'text-indexes',
  'secrets',
  'playback-sessions',
] as const;

export type Topic = (typeof topics)[number];

/** A row change that the database notes in the transaction that makes it. */
export interface NotedChange {
  readonly topic: Topic;
  readonly table: string;
  /** The column with the key; absent = the statement is noted once for any number of rows. */
  readonly key?: string;
  /** `insert or delete or update of name, role`. */
  readonly on: string;
  /** SQL over `new` and `old`; absent = always. */
  readonly when?: string;
}

const whole = 'insert or delete or update';

/** The noted changes per table, without those of each use, such as the last use of a credential. */
export const notedChanges: readonly NotedChange[] = [
  {
    topic: 'users',
    table: 'users',
    key: 'id',
    on: 'delete or update of name, role, disabled, library_access, group_ids, password_hash, requires_passkey',
  },
  {
    topic: 'profiles',
    table: 'profiles',
    key: 'user_id',
    on: 'insert or delete or update of name, is_default, library_access, pin_hash',
  },
  { topic: 'groups', table: 'access_groups', key: 'id', on: 'delete or update' },
  { topic: 'unlocks', table: 'profile_unlocks', key: 'profile_id', on: whole },
  { topic: 'sessions', table: 'sessions', key: 'id', on: 'delete' },
  {
    topic: 'api-keys',
    table: 'api_keys',
    key: 'id',
    on: 'delete or update of role, scopes, user_id, token_hash, expires_at',
  },
  {
    topic: 'identity-sessions',
    table: 'identity_sessions',
    key: 'id',
    on: 'delete or update of revoked_at',
  },
  { topic: 'identity', table: 'identity_links', key: 'id', on: whole },
  { topic: 'identity', table: 'identity_feed', key: 'identity_url', on: whole },
  {
    topic: 'libraries',
    table: 'libraries',
    key: 'id',
    on: 'insert or delete or update of name, type, roots, hidden, is_watched',
  },
  { topic: 'plugins', table: 'plugin_settings', key: 'plugin_id', on: whole },
  { topic: 'packages', table: 'plugin_packages', key: 'plugin_id', on: whole },
  { topic: 'license', table: 'license', on: whole },
  { topic: 'sources', table: 'marketplace_sources', on: whole },
  { topic: 'entities', table: 'entities', on: 'delete' },
  {
    topic: 'entities',
    table: 'entities',
    key: 'id',
    on: 'update of key',
    when: 'old.key is distinct from new.key',
  },
  { topic: 'entities', table: 'split_links', on: whole },
  {
    topic: 'jobs',
    table: 'jobs',
    key: 'id',
    on: 'insert or update of status',
    when: "new.status = 'pending'",
  },
  {
    topic: 'cancelled-jobs',
    table: 'jobs',
    key: 'id',
    on: 'update of is_cancelling',
    when: 'new.is_cancelling <> 0',
  },
  { topic: 'wakes', table: 'plugin_wakes', on: 'insert or update' },
  { topic: 'tasks', table: 'scheduled_tasks', on: 'update' },
  { topic: 'search', table: 'left_entities', on: 'insert' },
  { topic: 'later', table: 'items_to_ask', on: 'insert or update' },
  { topic: 'text-indexes', table: 'text_indexes', on: 'insert or delete' },
  { topic: 'text-indexes', table: 'text_index_labels', on: 'insert or delete' },
  {
    topic: 'playback-sessions',
    table: 'playback_sessions',
    key: 'id',
    on: 'delete or update of gone_for',
  },
  { topic: 'event-log', table: 'event_log', on: 'insert' },
  { topic: 'event-log', table: 'event_log_followers', on: whole },
];

/** Further ones: languages of profiles and of libraries. The key of a profile is its own id. */
export const notedLanguages: readonly NotedChange[] = [
  { topic: 'profiles', table: 'profile_preferences', key: 'profile_id', on: whole },
  {
    topic: 'libraries',
    table: 'libraries',
    key: 'id',
    on: 'update of sources',
    when: 'old.sources is distinct from new.sources',
  },
];

/** Further ones: the secrets of plugins, by the id of the plugin. */
export const notedSecrets: readonly NotedChange[] = [
  { topic: 'secrets', table: 'plugin_secrets', key: 'plugin_id', on: 'insert or update' },
];
