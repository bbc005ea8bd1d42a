import { Type } from '@sinclair/typebox';
import { Body, Nullable, Timestamp } from '../../schemas.ts';

export const UpdateReply = Type.Object(
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
    downloadUrl: Nullable(
      Type.String({ description: '`https:`; nothing is installed automatically' }),
    ),
    notes: Nullable(Type.String({ description: 'What is new, as plain text' })),
  },
  { description: 'Whether there is a newer version' },
);

export const UpdateBody = Body({
  channel: Type.Optional(
    Type.String({ pattern: '^[a-z][a-z0-9-]{0,30}$', description: '`stable`, `beta`, …' }),
  ),
  suppressed: Type.Optional(
    Type.Boolean({ description: 'True: do not report the current newest version again' }),
  ),
});
