import { Type } from '@sinclair/typebox';
import {
  Body,
  Id,
  List,
  Named,
  Timestamp,
  nextCursor,
  pageQuery,
  type Shape,
  type Wanted,
} from '../schema-parts.ts';
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

/** A named set of libraries that any number of users may see. */
export type Group = Shape<typeof Group>;

export const NewGroup = Named(
  'NewGroup',
  Body({
    name: NameText,
    libraryAccess: Type.Optional(GroupAccessBody),
  }),
);

/** The input for a new group. */
export type NewGroup = Wanted<typeof NewGroup>;

export const GroupChanges = Named(
  'GroupChanges',
  Body({
    name: Type.Optional(NameText),
    libraryAccess: Type.Optional(GroupAccessBody),
  }),
);

/** The fields that may change. */
export type GroupChanges = Wanted<typeof GroupChanges>;

export const GroupsQuery = Type.Object(pageQuery);

export const GroupReply = Type.Object({ group: Group });

export const GroupsReply = Type.Object({ groups: List(Group), nextCursor });

/** A page of groups, by name. */
export type GroupsPage = Shape<typeof GroupsReply>;
