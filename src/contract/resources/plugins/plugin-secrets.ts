import { Type } from '@sinclair/typebox';
import { Body, List, Named, OneOf, Timestamp, nextCursor, type Wanted } from '../schema-parts.ts';

const Scope = Type.Unsafe<
  'plugin' | { libraryId: string } | { userId: string } | { profile: string }
>({
  description:
    '`plugin`, `{libraryId}`, `{userId}`, or `{profile}` with the pseudonym of a profile in the plugin',
});

const Secret = Named(
  'PluginSecret',
  Type.Object({
    name: Type.String(),
    scope: Scope,
    hosts: List(Type.String(), { description: 'Where it may be sent; empty = it only signs' }),
    updatedAt: Timestamp,
    isLost: Type.Boolean({
      description: 'It cannot be decrypted with the key of this server: set it again',
    }),
  }),
);

export const SecretsReply = Type.Object({ secrets: List(Secret), nextCursor });

export const SecretReply = Type.Object({ secret: Secret });

export const SecretParams = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 200 }),
  name: Type.String({ minLength: 1, maxLength: 64 }),
});

const scopeId = (what: string) =>
  Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      pattern: '^[A-Za-z0-9_-]+$',
      description: `For what the plugin does ${what}; without it, for the plugin as a whole`,
    }),
  );

export const SecretScopeQuery = Type.Object({
  libraryId: scopeId('in this library'),
  userId: scopeId('on behalf of this user'),
  profileId: scopeId('on behalf of this profile'),
});

/** The scope of a secret, at most one of them; none = the plugin as a whole. */
export type ScopeQuery = Wanted<typeof SecretScopeQuery>;

export const NewSecretBody = Named(
  'NewPluginSecret',
  Body({
    value: Type.String({ minLength: 1, maxLength: 22_000, description: '4 to 16 384 bytes' }),
    encoding: Type.Optional(OneOf(['utf8', 'base64'], { description: 'What `value` is' })),
    hosts: Type.Optional(
      List(Type.String({ minLength: 1, maxLength: 259 }), {
        maxItems: 20,
        description: 'Hosts to which it may be sent, of those that the plugin asks for',
      }),
    ),
  }),
);

/** What an admin sets. */
export type SecretValue = Wanted<typeof NewSecretBody>;
