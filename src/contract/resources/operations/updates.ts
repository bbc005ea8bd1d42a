import { Type } from '@sinclair/typebox';
import {
  Body,
  Named,
  Nullable,
  OneOf,
  Timestamp,
  Uri,
  type Shape,
  type Wanted,
} from '../schema-parts.ts';

/** The channels of releases. */
export const updateChannels = ['stable', 'beta'] as const;

export const UpdateReply = Named(
  'Update',
  Type.Object(
    {
      currentVersion: Type.String(),
      currentReleasedAt: Nullable(Timestamp),
      latestVersion: Nullable(Type.String()),
      releasedAt: Nullable(Timestamp),
      lastCheckedAt: Nullable(Timestamp),
      lastError: Nullable(Type.String({ description: 'Why the last check failed' })),
      channel: Type.String(),
      isUpdateAvailable: Type.Boolean({ description: 'False too for a suppressed version' }),
      suppressed: Type.Boolean({ description: 'Whether an admin suppressed the newest version' }),
      downloadUrl: Nullable(Uri('`https:`; nothing is installed automatically')),
      notes: Nullable(Type.String({ description: 'What is new, as plain text' })),
    },
    { description: 'Whether there is a newer version' },
  ),
);

/** The update status of the specification; `null` where nothing is known yet. */
export type UpdateStatus = Shape<typeof UpdateReply>;

export const UpdateBody = Named(
  'UpdateChanges',
  Body({
    channel: Type.Optional(OneOf(updateChannels, { description: 'Which releases are announced' })),
    suppressed: Type.Optional(
      Type.Boolean({ description: 'True: do not report the current newest version again' }),
    ),
  }),
);

/** What an admin may change. */
export type UpdateChanges = Wanted<typeof UpdateBody>;
