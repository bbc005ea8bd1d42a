import { Type } from '@sinclair/typebox';
import { Body, List, Named, nextCursor, Nullable, OneOf } from '../schema-parts.ts';

const Provider = Named(
  'Provider',
  Type.Object({
    key: Type.String({ description: '`search`, `filesystem:s3`, `job:scan`' }),
    pluginId: Nullable(Type.String({ description: 'The plugin that serves it now; null = none' })),
    chosen: Type.Boolean({ description: 'An admin chose it; else it is a part of the server' }),
    candidates: List(
      Type.Object({
        pluginId: Type.String(),
        name: Type.String(),
        type: OneOf(['builtin', 'marketplace', 'local']),
      }),
      { description: 'Every plugin that was granted the capability' },
    ),
  }),
);

export const ProvidersReply = Type.Object({ providers: List(Provider), nextCursor });

export const ProviderParams = Type.Object({ key: Type.String({ minLength: 1, maxLength: 200 }) });

export const ProviderChoice = Body({ pluginId: Type.String({ minLength: 1, maxLength: 64 }) });

export const ProviderReply = Type.Object({ provider: Provider });
