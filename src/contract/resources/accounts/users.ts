import { Type } from '@sinclair/typebox';
import {
  EndApiKeys,
  GroupIdsBody,
  LibraryAccessBody,
  NameText,
  PasswordText,
  Role,
  UserReply,
  roles,
} from './accounts.ts';
import {
  Body,
  List,
  Named,
  OneOf,
  nextCursor,
  pageQuery,
  type Shape,
  type Wanted,
} from '../schema-parts.ts';

export const NewUserBody = Named(
  'NewUser',
  Body({
    name: NameText,
    password: PasswordText,
    role: Type.Optional(OneOf(roles, { default: 'user' })),
    libraryAccess: Type.Optional(LibraryAccessBody),
    groupIds: Type.Optional(GroupIdsBody),
  }),
);

/** The input for a new user. */
export type NewUser = Wanted<typeof NewUserBody>;

export const UserChangesBody = Named(
  'UserChanges',
  Body({
    name: Type.Optional(NameText),
    role: Type.Optional(Role),
    disabled: Type.Optional(Type.Boolean()),
    libraryAccess: Type.Optional(LibraryAccessBody),
    groupIds: Type.Optional(GroupIdsBody),
    requiresPasskey: Type.Optional(Type.Boolean()),
  }),
);

/** The fields that an admin may change. */
export type UserChanges = Wanted<typeof UserChangesBody>;

export const UsersQuery = Type.Object(pageQuery);

export const UsersReply = Type.Object({ users: List(UserReply), nextCursor });

/** A page of users, by name. */
export type UsersPage = Shape<typeof UsersReply>;

export const PasswordBody = Body({ password: PasswordText, endApiKeys: EndApiKeys });
