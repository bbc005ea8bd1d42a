import { Type } from '@sinclair/typebox';
import { PermissionSentence } from './plugin.ts';
import {
  Body,
  Documented,
  Id,
  JsonMap,
  List,
  Named,
  Nullable,
  Timestamp,
  Uri,
  nextCursor,
  pageQuery,
  type Shape,
  type Wanted,
} from '../schema-parts.ts';

const id = Type.String({ minLength: 1, maxLength: 64, description: 'Id of the plugin' });
const version = Type.Optional(Type.String({ minLength: 1, maxLength: 64 }));

export const OffersQuery = Type.Object({
  q: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'Words of id, name and description; all must match',
    }),
  ),
  id: Type.Optional(Type.String({ maxLength: 64, description: 'Only this plugin' })),
  ...pageQuery,
});

/** The filter of the list. */
export type OffersQuery = Wanted<typeof OffersQuery>;

const sentences = List(PermissionSentence, { description: 'One for each permission' });

const Version = Named(
  'MarketplaceVersion',
  Type.Object({
    version: Type.String(),
    sha256: Type.String(),
    size: Type.Integer({ description: 'Bytes of the package' }),
    minVersion: Type.String(),
    permissions: Type.Unsafe<Record<string, unknown>>({
      ...JsonMap,
      description: 'Everything that it asks for, including capabilities, events and hooks',
    }),
    sentences,
    revoked: Nullable(Type.String({ description: 'Why it must not run' })),
    runs: Type.Boolean({ description: 'Whether it supports the version of this server' }),
    capabilities: List(Type.String()),
    subscriptions: Type.Object(
      { events: List(Type.String()), hooks: List(Type.String()), views: List(Type.String()) },
      { description: 'By name; an event may be a pattern' },
    ),
    actions: List(Type.String()),
    grants: List(Type.Object({ key: Type.String(), label: Type.String(), grants: Type.String() }), {
      description: 'Fields of its configuration by which an admin lets it reach more hosts',
    }),
  }),
);

const plainPage = (what: string) =>
  Nullable(Type.String({ description: `${what}, as plain text; with \`id\` alone` }));

const Source = Named(
  'MarketplaceSource',
  Type.Object({
    id: Id,
    name: Type.String(),
    url: Uri(),
    mirrors: List(Uri()),
    publisherKey: Type.String({ description: 'Pinned when the source was added' }),
    pluginCount: Type.Integer(),
    updatedAt: Type.String({ format: 'date-time', description: 'When the source made its index' }),
    expiresAt: Type.String({
      format: 'date-time',
      description: 'Until when plugins are installed from it; its publisher signs this time',
    }),
    isExpired: Type.Boolean(),
    sequence: Type.Integer({ description: 'Of the index; it only increases' }),
    fetchedAt: Timestamp,
    error: Nullable(Type.String({ description: 'Why the last fetch failed' })),
  }),
);

/** A source as shown to admins. */
export type ShownSource = Shape<typeof Source>;

export const OffersReply = Type.Object({
  plugins: List(
    Named(
      'MarketplacePlugin',
      Type.Object({
        id: Type.String(),
        name: Type.String(),
        description: Type.String(),
        author: Type.String(),
        license: Type.String(),
        homepage: Nullable(Uri()),
        repository: Nullable(Uri()),
        readme: plainPage('The README'),
        changes: plainPage('What changed with each version'),
        publisherKey: Type.String(),
        source: Type.Object({
          id: Type.String(),
          name: Type.String(),
          isExpired: Type.Boolean({ description: 'Plugins are not installed from it' }),
        }),
        versions: List(Version, { description: 'Newest first' }),
        latest: Nullable(Type.String({ description: 'The version that an installation takes' })),
        installed: Nullable(
          Type.Object({
            version: Type.String(),
            previousVersion: Nullable(
              Type.String({ description: 'The version of a rollback that names none' }),
            ),
            revoked: Nullable(Type.String()),
            canUpgrade: Type.Boolean(),
            isDamaged: Type.Boolean({
              description:
                'Its files differ from those that were installed: it may be installed again',
            }),
            takenBack: List(Type.Object({ version: Type.String(), reason: Type.String() }), {
              description:
                'Versions that failed and were rolled back: they are installed only by name',
            }),
            asksMore: List(Type.String(), {
              description: 'What `latest` asks for and the installed version did not',
            }),
          }),
        ),
      }),
    ),
  ),
  sources: List(Source),
  nextCursor,
});

export const InstallBody = Named(
  'PluginInstallation',
  Body({
    id,
    version,
    source: Type.Optional(Type.String({ description: 'Id of the source, if several have it' })),
    granted: Type.Optional(JsonMap),
    libraries: Type.Optional(
      Type.Unknown({ description: '`all`, or a list as in a grant; goes with `granted`' }),
    ),
  }),
);

/** The request for an installation or upgrade. */
export type InstallOrder = Wanted<typeof InstallBody>;

export const RollbackBody = Named('PluginRollback', Body({ id, version }));

export const EarlierVersionsReply = Type.Object({
  versions: List(
    Named(
      'EarlierPluginVersion',
      Type.Object({
        version: Type.String(),
        replacedAt: Timestamp,
        isKept: Type.Boolean({
          description:
            'Whether its code and data are kept here; else its code is fetched from a source again, and the data stays',
        }),
        isNext: Type.Boolean({ description: 'Whether a rollback without a version returns to it' }),
        revoked: Nullable(Type.String({ description: 'Why it must not run' })),
      }),
    ),
    { description: 'The version that was replaced last comes first' },
  ),
  nextCursor,
});

const address = Documented(Type.String({ minLength: 1, maxLength: 2000 }), { format: 'uri' });

export const NewSourceBody = Named(
  'NewMarketplaceSource',
  Body({
    url: address,
    mirrors: Type.Optional(List(address, { maxItems: 10 })),
    publisherKey: Type.Optional(
      Type.String({ pattern: '^[0-9a-f]{64}$', description: 'The key that the source must have' }),
    ),
  }),
);

/** A source to add. */
export type NewSource = Wanted<typeof NewSourceBody>;

export const SourceReply = Type.Object({ source: Source });
export const SourcesReply = Type.Object({ sources: List(Source), nextCursor });
