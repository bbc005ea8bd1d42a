import type { Written } from './schema-writer.ts';

/** The tags of operations, in the order in which pages show them. */
const descriptions = {
  items: 'What a person plays or reads in one go',
  libraries: 'Folders whose files become items',
  search: 'Search over items and entities',
  files: 'Files of items, their bytes and pictures',
  entities: 'People, shows, albums and other things that items have in common',
  collections: 'Ordered sets of items',
  playback: 'What a profile watched, and what comes next',
  events: 'Events as they happen',
  auth: 'Sign-in, sessions, passkeys and API keys',
  profiles: 'The profiles of a user',
  users: 'The users of the server',
  groups: 'Named sets of libraries that users may see',
  invites: 'Links by which a person becomes a user',
  identity: 'Sign-in with an identity',
  setup: 'The first admin',
  plugins: 'Plugins, their permissions, configuration and views',
  marketplace: 'Plugins that sources offer',
  webhooks: 'Addresses that receive events',
  jobs: 'Work in the background',
  notifications: 'Notifications for admins',
  backups: 'Backups of the database',
  license: 'The license of the server',
  operations: 'Health, figures, tasks, updates and the audit log',
  pages: 'The pages of the server',
} as const;

/** The tags that these paths use, described. */
export function tagsOf(paths: Written): readonly Written[] {
  const used = new Set(
    Object.values(paths)
      .flatMap((methods) => Object.values(methods as Readonly<Record<string, Written>>))
      .flatMap(({ tags }) => tags as readonly string[]),
  );
  const known = Object.entries(descriptions)
    .filter(([name]) => used.has(name))
    .map(([name, description]) => ({ name, description }));
  const others = [...used].filter((name) => !(name in descriptions)).sort();
  return [...known, ...others.map((name) => ({ name }))];
}
