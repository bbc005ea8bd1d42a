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
import { Body, List, Named, nextCursor, OneOf, pageQuery } from '../schema-parts.ts';

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

export const UsersQuery = Type.Object(pageQuery);

export const UsersReply = Type.Object({ users: List(UserReply), nextCursor });

export const PasswordBody = Body({ password: PasswordText, endApiKeys: EndApiKeys });
