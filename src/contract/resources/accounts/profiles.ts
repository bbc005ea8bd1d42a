import { Type } from '@sinclair/typebox';
import {
  Body,
  Documented,
  Id,
  List,
  Named,
  Nullable,
  StreamReply,
  Timestamp,
  nextCursor,
  pageQuery,
  type Shape,
  type Wanted,
} from '../schema-parts.ts';
import { LibraryAccessBody, LibraryAccessReply, NameText } from './accounts.ts';

const Profile = Named(
  'Profile',
  Type.Object(
    {
      id: Id,
      userId: Id,
      name: Type.String(),
      avatarUrl: Nullable(
        Type.String({
          format: 'uri-reference',
          description: 'An https address, or the path of an uploaded picture',
        }),
      ),
      libraryAccess: LibraryAccessReply,
      isDefault: Type.Boolean({ description: 'Requests without X-Profile-Id act as it' }),
      hasPin: Type.Boolean(),
      createdAt: Timestamp,
      updatedAt: Timestamp,
    },
    { description: 'A profile of a user' },
  ),
);

/** A person of a user account: each has its own playback state, and may see less than the user. */
export type Profile = Shape<typeof Profile>;

const Pin = Type.String({ pattern: '^[0-9]{4,8}$', description: '4 to 8 digits' });

const AvatarUrl = Nullable(
  Documented(Type.String({ maxLength: 2000, description: 'An https address' }), { format: 'uri' }),
);

export const NewProfile = Named(
  'NewProfile',
  Body({
    name: NameText,
    userId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'Its user; another user only for admins',
      }),
    ),
    avatarUrl: Type.Optional(AvatarUrl),
    libraryAccess: Type.Optional(LibraryAccessBody),
    pin: Type.Optional(Nullable(Pin)),
  }),
);

/** The input for a new profile. */
export type NewProfile = Wanted<typeof NewProfile>;

export const ProfileChanges = Named(
  'ProfileChanges',
  Body({
    name: Type.Optional(NameText),
    avatarUrl: Type.Optional(AvatarUrl),
    libraryAccess: Type.Optional(LibraryAccessBody),
    pin: Type.Optional(Nullable(Pin)),
    currentPin: Type.Optional(Pin),
    isDefault: Type.Optional(Type.Boolean({ description: 'true makes it the default' })),
  }),
);

/** The fields that may change. */
export type ProfileChanges = Wanted<typeof ProfileChanges>;

export const ProfilesQuery = Type.Object({
  userId: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'The user; others only for admins' }),
  ),
  ...pageQuery,
});

/** The filter of a list of profiles. */
export type ProfilesQuery = Wanted<typeof ProfilesQuery>;

export const ProfileReply = Type.Object({ profile: Profile });

export const ProfilesReply = Type.Object({ profiles: List(Profile), nextCursor });

/** A page of the profiles of one user, in order of creation. */
export type ProfilesPage = Shape<typeof ProfilesReply>;

export const UnlockBody = Body({ pin: Pin });

export const UnlockReply = Type.Object({
  profile: Profile,
  unlockedUntil: Nullable(
    Type.String({
      format: 'date-time',
      description: 'Until when this credential may act as it; null = it has no PIN',
    }),
  ),
});

/** A profile, and the time until which this credential may use it; `null` = it has no PIN. */
export type Unlocked = Shape<typeof UnlockReply>;

export const AvatarBody = Body({
  image: Type.String({
    minLength: 1,
    maxLength: 1_500_000,
    description: 'A JPEG, PNG, GIF, WebP or AVIF picture of at most 1 MiB, in base64',
  }),
});

export const AvatarQuery = Type.Object({
  v: Type.Optional(Type.String({ maxLength: 64, description: 'Changes with the picture' })),
});

export const AvatarReply = StreamReply('image/*', 'The picture');
