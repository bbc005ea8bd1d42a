/** Plugins, as several routes answer with them. */
import { Type } from '@sinclair/typebox';
import { List, Named, Nullable, OneOf, Timestamp } from './schemas.ts';

const ConfigField = Named(
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
    required: Type.Optional(Type.Boolean()),
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

export const Plugin = Named(
  'Plugin',
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    version: Type.String(),
    description: Type.String(),
    author: Type.String(),
    license: Type.String(),
    repository: Nullable(Type.String()),
    homepage: Nullable(Type.String()),
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
  }),
);
