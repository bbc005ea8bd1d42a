import { Readable } from 'node:stream';
import type { Profiles } from '../../../people/profiles/index.ts';
import type { PictureUploads } from '../../../viewing/streaming/index.ts';
import { viewerOf } from '../../access.ts';
import type { Routes } from '../../http-app.ts';
import { IdParams, NoContent } from '../../../contract/resources/schema-parts.ts';
import {
  AvatarBody,
  AvatarQuery,
  AvatarReply,
  NewProfile,
  ProfileChanges,
  ProfileReply,
  ProfilesQuery,
  ProfilesReply,
  UnlockBody,
  UnlockReply,
} from '../../../contract/resources/accounts/profiles.ts';

const tags = ['profiles'];
const params = IdParams;
/** A user who has not entered the PIN must still be able to choose a profile. */
const choosing = { access: 'guest', worksLocked: true } as const;
const owning = { access: 'user' } as const;

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
export const profileRoutes: Routes<{
  readonly profiles: Profiles;
  readonly pictureUploads: Pick<PictureUploads, 'addToProfile'>;
}> = async (app, { profiles, pictureUploads }) => {
  app.post(
    '/api/profiles',
    {
      config: owning,
      schema: {
        operationId: 'createProfile',
        summary: 'Make a profile',
        tags,
        body: NewProfile,
        response: { 201: ProfileReply },
      },
    },
    async (request, reply) =>
      reply.code(201).send({ profile: await profiles.create(request.body, viewerOf(request)) }),
  );

  app.get(
    '/api/profiles',
    {
      config: choosing,
      schema: {
        operationId: 'listProfiles',
        summary: 'List profiles of a user',
        tags,
        querystring: ProfilesQuery,
        response: { 200: ProfilesReply },
      },
    },
    (request) => profiles.list(viewerOf(request), request.query),
  );

  app.get(
    '/api/profiles/:id',
    {
      config: choosing,
      schema: {
        operationId: 'getProfile',
        summary: 'One profile',
        tags,
        params,
        response: { 200: ProfileReply },
      },
    },
    async (request) => ({ profile: await profiles.get(request.params.id, viewerOf(request)) }),
  );

  app.patch(
    '/api/profiles/:id',
    {
      config: owning,
      schema: {
        operationId: 'updateProfile',
        summary: 'Change a profile, or its PIN',
        tags,
        params,
        body: ProfileChanges,
        response: { 200: ProfileReply },
      },
    },
    async (request) => ({
      profile: await profiles.update(request.params.id, request.body, viewerOf(request)),
    }),
  );

  app.delete(
    '/api/profiles/:id',
    {
      config: owning,
      schema: {
        operationId: 'deleteProfile',
        summary: 'Remove a profile; 409 for the default one',
        tags,
        params,
        response: { 204: NoContent },
      },
    },
    async (request, reply) => {
      await profiles.remove(request.params.id, viewerOf(request));
      return reply.code(204).send();
    },
  );

  app.post(
    '/api/profiles/:id/unlock',
    {
      config: choosing,
      schema: {
        operationId: 'unlockProfile',
        summary: 'Enter the PIN; 429 with Retry-After after five wrong ones',
        tags,
        params,
        body: UnlockBody,
        response: { 200: UnlockReply },
      },
    },
    (request) => profiles.unlock(request.params.id, request.body.pin, viewerOf(request)),
  );

  app.put(
    '/api/profiles/:id/avatar',
    {
      config: owning,
      bodyLimit: avatarBodyBytes,
      schema: {
        operationId: 'setProfileAvatar',
        summary: 'Upload a picture',
        tags,
        params,
        body: AvatarBody,
        response: { 200: ProfileReply },
      },
    },
    async (request) => {
      const { params: of, body } = request;
      return { profile: await pictureUploads.addToProfile(of.id, body.image, viewerOf(request)) };
    },
  );

  app.get(
    '/api/profiles/:id/avatar',
    {
      config: choosing,
      exposeHeadRoute: false,
      schema: {
        operationId: 'getProfileAvatar',
        summary: 'The picture of a profile',
        tags,
        params,
        querystring: AvatarQuery,
        response: { 200: AvatarReply, 304: NoContent },
      },
    },
    async (request, reply) => {
      const { bytes, hash, mediaType } = await profiles.avatar(
        request.params.id,
        viewerOf(request),
      );
      void reply.headers({ ...pictureHeaders, etag: `"${hash}"` });
      if (request.headers['if-none-match'] === `"${hash}"`) return reply.code(304).send();
      void reply.headers({ 'content-type': mediaType, 'content-length': bytes.length });
      return reply.send(Readable.from([bytes], { objectMode: false }));
    },
  );
};
