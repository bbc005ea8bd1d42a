import { Type } from '@sinclair/typebox';
import { ConfigField } from './plugin.ts';
import { Body, JsonMap, List, Named, Nullable, OneOf, nextCursor } from '../schema-parts.ts';

const ProfilePlugin = Named(
  'ProfilePlugin',
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    description: Type.String(),
    configuration: List(ConfigField, { description: 'The form that a profile fills in' }),
    values: Type.Intersect([JsonMap], { description: 'With `***` for each secret that is set' }),
    agreement: Nullable(
      Type.Object({
        asked: OneOf(['read', 'write'], { description: 'What an admin granted' }),
        agreed: Nullable(OneOf(['read', 'write'])),
        sentence: Type.String({ description: 'What is asked, in the language of the reader' }),
      }),
    ),
  }),
);

export const ProfilePluginsReply = Type.Object({ plugins: List(ProfilePlugin), nextCursor });

export const ProfilePluginReply = Type.Object({ plugin: ProfilePlugin });

export const AgreementBody = Named(
  'PluginAgreement',
  Body({ agrees: Type.Boolean({ description: 'false takes it back' }) }),
);

export const ProfilePluginParams = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 200 }),
  pluginId: Type.String({ minLength: 1, maxLength: 200 }),
});
