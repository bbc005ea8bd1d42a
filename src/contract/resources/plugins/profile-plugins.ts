import { Type } from '@sinclair/typebox';
import { ConfigField } from './plugin.ts';
import { JsonMap, List, Named, nextCursor } from '../schema-parts.ts';

const ProfilePlugin = Named(
  'ProfilePlugin',
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    description: Type.String(),
    configuration: List(ConfigField, { description: 'The form that a profile fills in' }),
    values: Type.Intersect([JsonMap], { description: 'With `***` for each secret that is set' }),
  }),
);

export const ProfilePluginsReply = Type.Object({ plugins: List(ProfilePlugin), nextCursor });

export const ProfilePluginReply = Type.Object({ plugin: ProfilePlugin });

export const ProfilePluginParams = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 200 }),
  pluginId: Type.String({ minLength: 1, maxLength: 200 }),
});
