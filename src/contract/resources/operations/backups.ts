import { Type } from '@sinclair/typebox';
import {
  Body,
  List,
  Named,
  StreamReply,
  Timestamp,
  nextCursor,
  type Shape,
} from '../schema-parts.ts';

const Backup = Named(
  'Backup',
  Type.Object(
    {
      filename: Type.String(),
      path: Type.String({
        description: 'In the data folder; a full path if backups are stored elsewhere',
      }),
      sizeBytes: Type.Number(),
      createdAt: Timestamp,
    },
    { description: 'A backup' },
  ),
);

/** A backup as shown to admins. */
export type Backup = Shape<typeof Backup>;

export const BackupReply = Type.Object({ backup: Backup });
export const BackupsReply = Type.Object({ backups: List(Backup), nextCursor });
export const BackupBytes = StreamReply('application/octet-stream', 'The file');
export const BackupParams = Type.Object({
  filename: Type.String({ minLength: 1, maxLength: 100 }),
});

export const NewBackupBody = Type.Optional(
  Body({
    label: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'Part of the name of the file' }),
    ),
    keys: Type.Optional(
      Type.Boolean({
        description:
          'With the keys of the server; a person who has such a file can impersonate this server',
      }),
    ),
  }),
);
