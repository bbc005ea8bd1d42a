import { Type } from '@sinclair/typebox';
import { Body, Id, List, Named, nextCursor, pageQuery, Timestamp } from '../schema-parts.ts';
import { GroupAccessBody, GroupAccessReply, NameText } from './accounts.ts';

const Group = Named(
  'Group',
  Type.Object(
    {
      id: Id,
      name: Type.String(),
      libraryAccess: GroupAccessReply,
      userCount: Type.Integer({ description: 'How many users name it' }),
      createdAt: Timestamp,
      updatedAt: Timestamp,
    },
    { description: 'A named set of libraries that users may see' },
  ),
);

export const NewGroup = Named(
  'NewGroup',
  Body({
    name: NameText,
    libraryAccess: Type.Optional(GroupAccessBody),
  }),
);

export const GroupChanges = Named(
  'GroupChanges',
  Body({
    name: Type.Optional(NameText),
    libraryAccess: Type.Optional(GroupAccessBody),
  }),
);

export const GroupsQuery = Type.Object(pageQuery);

export const GroupReply = Type.Object({ group: Group });

export const GroupsReply = Type.Object({ groups: List(Group), nextCursor });
