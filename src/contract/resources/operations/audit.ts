import { Type } from '@sinclair/typebox';
import {
  Body,
  CommaList,
  JsonMap,
  List,
  Named,
  Nullable,
  Timestamp,
  nextCursor,
  pageQuery,
  type Shape,
  type Wanted,
} from '../schema-parts.ts';

const moment = (description: string) =>
  Type.Optional(Type.String({ format: 'date-time', maxLength: 40, description }));

export const AuditQuery = Type.Object({
  action: Type.Optional(
    CommaList(
      Type.String({
        maxLength: 100,
        pattern: '^[A-Za-z_]+(\\.[A-Za-z_]+)*(\\.\\*)?$',
      }),
      'Names of actions, or prefixes such as `user.*`. Absent = all.',
    ),
  ),
  actor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'The id of a user, or `server`, or `nobody` for requests without credential',
    }),
  ),
  target: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'The id of the object of the action',
    }),
  ),
  from: moment('ISO 8601: the earliest time'),
  to: moment('ISO 8601: the latest time'),
  ...pageQuery,
});

/** The filter of a list of entries. */
export type AuditQuery = Wanted<typeof AuditQuery>;

const Hash = Type.String({ description: 'SHA-256, 64 hex digits' });

export const AuditReply = Type.Object({
  entries: List(
    Named(
      'AuditEntry',
      Type.Object({
        seq: Type.Integer({ description: 'Counts from 1 without a gap' }),
        at: Timestamp,
        actor: Type.Object({
          userId: Type.String({ description: 'Also `server`, or `nobody`' }),
          credentialId: Type.String(),
          credentialKind: Type.String(),
        }),
        action: Type.String({ description: 'The action, such as `user.created`' }),
        target: Nullable(Type.Object({ type: Type.String(), id: Type.String() })),
        details: JsonMap,
        address: Nullable(Type.String({ description: 'The address of the client' })),
        requestId: Nullable(Type.String({ description: 'As in the log of the server' })),
        hash: Hash,
      }),
    ),
  ),
  nextCursor,
  head: Type.Object(
    { seq: Type.Integer(), hash: Hash },
    {
      description: 'The last entry of all. If stored elsewhere, it proves later what came before.',
    },
  ),
});

/** A page of the log, newest first. */
export type AuditPage = Shape<typeof AuditReply>;

export const VerifyBody = Type.Optional(
  Body({
    noted: Type.Optional(
      Type.String({ pattern: '^[0-9a-f]{64}$', description: 'The hash of an earlier head' }),
    ),
  }),
);

export const VerifyReply = Type.Object({
  isIntact: Type.Boolean(),
  count: Nullable(Type.Integer()),
  restores: Nullable(Type.Integer()),
  brokenAt: Nullable(Type.Integer({ description: '`seq` of the first entry that is wrong' })),
  fault: Nullable(Type.String()),
});
