import { Readable } from 'node:stream';
import type { Profiles } from '../../../people/profiles/index.ts';
import type { PictureUploads } from '../../../viewing/streaming/index.ts';
import { NoContent } from '../../../contract/resources/schema-parts.ts';
import * as schema from '../../../contract/resources/accounts/profiles.ts';
import { routes } from '../../route.ts';

const shared = { tag: 'profiles', access: 'user' } as const;
/** A user who has not entered the PIN must still be able to choose a profile. */
const choosing = { access: 'guest', worksLocked: true } as const;

/** 1 MiB in base64, and the JSON around it. */
const avatarBodyBytes = 1_500_000;

/** Headers that make browsers treat the bytes as a picture only. */
const pictureHeaders = {
  'content-security-policy': "default-src 'none'; sandbox",
  'content-disposition': 'inline; filename="avatar"',
  'x-content-type-options': 'nosniff',
  'cache-control': 'private, max-age=31536000, immutable',
};

/** Profiles of users. */
export const profileRoutes = routes<{
  readonly profiles: Profiles;
  readonly pictureUploads: Pick<PictureUploads, 'addToProfile'>;
}>(shared, (route, { profiles, pictureUploads }) => {
  route('POST /api/profiles', {
    operation: 'createProfile',
    summary: 'Make a profile',
    body: schema.NewProfile,
    created: schema.ProfileReply,
    handler: async ({ body, viewer }) => ({ profile: await profiles.create(body, viewer) }),
  });

  route('GET /api/profiles', {
    ...choosing,
    operation: 'listProfiles',
    summary: 'List profiles of a user',
    query: schema.ProfilesQuery,
    reply: schema.ProfilesReply,
    handler: ({ query, viewer }) => profiles.list(viewer, query),
  });

  route('GET /api/profiles/:id', {
    ...choosing,
    operation: 'getProfile',
    summary: 'One profile',
    reply: schema.ProfileReply,
    handler: async ({ params, viewer }) => ({ profile: await profiles.get(params.id, viewer) }),
  });

  route('PATCH /api/profiles/:id', {
    operation: 'updateProfile',
    summary: 'Change a profile, or its PIN',
    body: schema.ProfileChanges,
    reply: schema.ProfileReply,
    handler: async ({ params, body, viewer }) => ({
      profile: await profiles.update(params.id, body, viewer),
    }),
  });

  route('DELETE /api/profiles/:id', {
    operation: 'deleteProfile',
    summary: 'Remove a profile; 409 for the default one',
    handler: ({ params, viewer }) => profiles.remove(params.id, viewer),
  });

  route('POST /api/profiles/:id/unlock', {
    ...choosing,
    operation: 'unlockProfile',
    summary: 'Enter the PIN; 429 with Retry-After after five wrong ones',
    body: schema.UnlockBody,
    reply: schema.UnlockReply,
    handler: ({ params, body, viewer }) => profiles.unlock(params.id, body.pin, viewer),
  });

  route('PUT /api/profiles/:id/avatar', {
    bodyLimit: avatarBodyBytes,
    operation: 'setProfileAvatar',
    summary: 'Upload a picture',
    body: schema.AvatarBody,
    reply: schema.ProfileReply,
    handler: async ({ params, body, viewer }) => ({
      profile: await pictureUploads.addToProfile(params.id, body.image, viewer),
    }),
  });

  route('GET /api/profiles/:id/avatar', {
    ...choosing,
    exposeHeadRoute: false,
    operation: 'getProfileAvatar',
    summary: 'The picture of a profile',
    query: schema.AvatarQuery,
    replies: { 200: schema.AvatarReply, 304: NoContent },
    handler: async ({ params, viewer, request, reply }) => {
      const { bytes, hash, mediaType } = await profiles.avatar(params.id, viewer);
      void reply.headers({ ...pictureHeaders, etag: `"${hash}"` });
      if (request.headers['if-none-match'] === `"${hash}"`) return reply.code(304).send();
      void reply.headers({ 'content-type': mediaType, 'content-length': bytes.length });
      return reply.send(Readable.from([bytes], { objectMode: false }));
    },
  });
});
