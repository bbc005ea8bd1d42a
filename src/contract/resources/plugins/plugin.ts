/** Plugins, as several routes answer with them. */
import { Type } from '@sinclair/typebox';
import { Flag, JsonMap, List, Named, Nullable, OneOf, Timestamp, Uri } from '../schema-parts.ts';

export const ConfigField = Named(
  'ConfigField',
  Type.Object({
    key: Type.String(),
    label: Type.String(),
    input: OneOf([
      'text',
      'secret',
      'number',
      'toggle',
      'select',
      'multi-select',
      'string-list',
      'file-path',
      'color',
      'slider',
    ]),
    required: Type.Boolean(),
    default: Type.Optional(Type.Unknown()),
    options: Type.Optional(List(Type.Unknown())),
    min: Type.Optional(Type.Number()),
    max: Type.Optional(Type.Number()),
    description: Type.Optional(Type.String()),
  }),
);

const CapabilityConfig = Named(
  'CapabilityConfig',
  Type.Object({
    library: Type.Optional(
      Type.Object({
        paths: List(
          Type.Object({
            type: Type.String(),
            rules: List(Type.String()),
            extensions: List(Type.String()),
          }),
        ),
      }),
    ),
    filesystem: Type.Optional(
      Type.Object({
        supportsWatch: Type.Boolean(),
        supportsLocalFileAccess: Type.Boolean(),
        supportsWrite: Type.Boolean(),
        schemes: Type.Optional(List(Type.String())),
      }),
    ),
  }),
);

/** What a manifest says of its plugin. */
export const aboutPlugin = {
  id: Type.String(),
  name: Type.String(),
  version: Type.String(),
  description: Type.String(),
  author: Type.String(),
  license: Type.String(),
};

export const Plugin = Named(
  'Plugin',
  Type.Object({
    ...aboutPlugin,
    repository: Nullable(Uri()),
    homepage: Nullable(Uri()),
    capabilities: List(Type.String()),
    mediaTypes: List(Type.String()),
    enabled: Type.Boolean(),
    state: OneOf(['discovered', 'starting', 'running', 'stopping', 'stopped', 'failed']),
    errorMessage: Nullable(Type.String({ description: 'For admins only' })),
    type: OneOf(['builtin', 'marketplace', 'local']),
    restartAttempts: Type.Integer(),
    lastCrashAt: Nullable(Timestamp),
    configuration: List(ConfigField, { description: 'The form, without values' }),
    capabilityConfig: CapabilityConfig,
    suspended: Type.Optional(
      List(
        Type.Object({
          handler: Type.String({ description: '`hook pipeline.index.afterProcess`' }),
          until: Timestamp,
          reason: Type.String(),
        }),
        { description: 'Handlers that are not called at the moment; for admins only' },
      ),
    ),
  }),
);

export const PermissionSentence = Named(
  'PermissionSentence',
  Type.Object({
    permission: Type.String(),
    sentence: Type.String({ description: 'What a plugin with it can do, in plain words' }),
    reason: Nullable(
      Type.String({ description: 'Why the plugin wants it, in its author’s words' }),
    ),
    values: Type.Optional(
      List(Type.Object({ value: Type.String(), sentence: Type.String() }), {
        description:
          'What each value of `serves`, `hears` or `hooks` means, where several are granted one by one',
      }),
    ),
  }),
);

export const Permissions = Named(
  'Permissions',
  Type.Object({
    net: Type.Optional(List(Type.String())),
    files: Type.Optional(OneOf(['read'])),
    disk: Type.Optional(OneOf(['read'])),
    library: Type.Optional(OneOf(['read', 'write'])),
    viewing: Type.Optional(OneOf(['read', 'write'])),
    metadata: Type.Optional(OneOf(['write'])),
    kv: Type.Optional(Type.Object({ quotaMb: Type.Number() })),
    textIndex: Type.Optional(Flag('A full-text index of its own')),
    events: Type.Optional(OneOf(['emit'])),
    jobs: Type.Optional(List(Type.String())),
    calls: Type.Optional(
      List(Type.String(), { description: 'Methods of other plugins: `film-facts:rating`' }),
    ),
    schedule: Type.Optional(Flag('Scheduled calls')),
    secrets: Type.Optional(Flag('Secrets that the host keeps')),
    wasm: Type.Optional(Flag('WebAssembly inside the isolate')),
    eventLog: Type.Optional(Flag('Every event, kept until the plugin has taken it')),
    notifications: Type.Optional(Flag('Notifications to admins')),
    serves: Type.Optional(
      List(Type.String(), { description: 'The capabilities that it serves: `search`' }),
    ),
    hears: Type.Optional(List(Type.String(), { description: 'Groups of events: `library`' })),
    hooks: Type.Optional(List(Type.String(), { description: 'Hooks that it subscribes to' })),
    reasons: Type.Optional(JsonMap),
  }),
);

const Folders = Type.Optional(
  List(Type.String(), { description: 'Only these folders of it, as URIs; all of it when absent' }),
);

const Reached = Type.Object({
  id: Type.String(),
  name: Nullable(Type.String({ description: 'null = the library was removed' })),
  folders: Folders,
});

const LibraryName = Type.Object({ id: Type.String(), name: Type.String() });

export const PermissionsReply = Named(
  'PluginPermissions',
  Type.Object({
    asked: Permissions,
    granted: Nullable(Permissions),
    proposed: Type.Optional(Permissions),
    libraries: Type.Union([Type.Literal('all'), List(Reached)], {
      description: 'What the plugin may access: `all`, including later libraries, or only these',
    }),
    reach: Type.Object({
      sentence: Type.String({ description: 'What that means, in plain words' }),
      places: Nullable(Type.String({ description: 'The libraries and folders; null = all' })),
      withheld: List(LibraryName, { description: 'Libraries that it may not access' }),
    }),
    sentences: List(PermissionSentence, {
      description: 'One for each permission that is asked for',
    }),
    interface: Nullable(
      Type.String({ description: 'What it adds to the pages, in plain words; null = nothing' }),
    ),
  }),
);

export const InstalledReply = Named(
  'InstalledPlugin',
  Type.Object({
    plugin: Plugin,
    waiting: Type.Optional(
      Type.Object(
        {
          version: Type.String(),
          asked: JsonMap,
          sentences: List(PermissionSentence, { description: 'One for each permission' }),
          more: List(Type.String(), { description: 'What was not asked for before' }),
        },
        { description: 'The old version keeps running until `granted` comes with the upgrade' },
      ),
    ),
  }),
);
