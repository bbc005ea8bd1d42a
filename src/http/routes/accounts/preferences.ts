import type { FastifyRequest } from 'fastify';
import type { Preferences } from '../../../people/profiles/index.ts';
import { viewerOf } from '../../access.ts';
import type { Routes } from '../../http-app.ts';
import { IdParams } from '../../../contract/resources/schema-parts.ts';
import {
  PreferenceChanges,
  PreferencesReply,
} from '../../../contract/resources/accounts/preferences.ts';

const tags = ['profiles'];

/** The profile of the address: `me` is the one that the request acts as. */
const profileOf = (request: FastifyRequest<{ Params: { id: string } }>): string =>
  request.params.id === 'me' ? viewerOf(request).profileId : request.params.id;

/** Preferences of profiles. */
export const preferenceRoutes: Routes<{ readonly preferences: Preferences }> = async (
  app,
  { preferences },
) => {
  app.get(
    '/api/profiles/:id/preferences',
    {
      config: { access: 'guest' },
      schema: {
        operationId: 'getPreferences',
        summary: 'What a profile prefers; `me` is the profile that asks',
        tags,
        params: IdParams,
        response: { 200: PreferencesReply },
      },
    },
    async (request) => ({
      preferences: await preferences.get(profileOf(request), viewerOf(request)),
    }),
  );

  app.put(
    '/api/profiles/:id/preferences',
    {
      config: { access: 'user', writes: 'often' },
      bodyLimit: 131_072,
      schema: {
        operationId: 'setPreferences',
        summary: 'Set what a profile prefers; keys that are not named stay',
        tags,
        params: IdParams,
        body: PreferenceChanges,
        response: { 200: PreferencesReply },
      },
    },
    async (request) => ({
      preferences: await preferences.put(profileOf(request), request.body, viewerOf(request)),
    }),
  );
};
