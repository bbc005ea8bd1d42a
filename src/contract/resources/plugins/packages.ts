import { Type } from '@sinclair/typebox';
import { longestPackage } from '../../../../kernel/run/packages/index.ts';
import { aboutPlugin, PermissionsReply } from './plugin.ts';
import { Body, JsonMap, List, Named, Nullable, type Wanted } from '../schema-parts.ts';

const longestText = Math.ceil(longestPackage / 3) * 4;

/** The package in base64, and the JSON around it. */
export const largestUpload = longestText + 64 * 1024;

const file = Type.String({
  minLength: 1,
  maxLength: longestText,
  description: 'A signed `.vplugin` of at most 10 MiB, in base64',
});

export const LookBody = Body({ file });

export const UploadBody = Named(
  'PluginUpload',
  Body({
    file,
    granted: Type.Optional(JsonMap),
    libraries: Type.Optional(Type.Unknown({ description: 'Goes with `granted`' })),
  }),
);

/** A package file that an admin sent, and the decision about it. */
export type UploadOrder = Wanted<typeof UploadBody>;

export const LookReply = Named(
  'PluginPackage',
  Type.Object({
    ...aboutPlugin,
    publisherKey: Type.String(),
    isKnown: Type.Boolean({ description: 'Whether a source offers it with this key' }),
    replaces: Nullable(Type.String({ description: 'The version that is installed' })),
    asksMore: List(Type.String(), { description: 'What `replaces` did not ask for' }),
    permissions: PermissionsReply,
  }),
);
