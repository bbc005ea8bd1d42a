import type { Preferences } from '../../../people/profiles/index.ts';
import { viewerOf } from '../../access.ts';
import type { Routes } from '../../http-app.ts';
import { IdParams } from '../../schemas.ts';
import { PreferenceChanges, PreferencesReply } from './preferences.schema.ts';

const tags = ['profiles'];

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
        summary: 'What a profile prefers',
        tags,
        params: IdParams,
        response: { 200: PreferencesReply },
      },
    },
    async (request) => ({
      preferences: await preferences.get(request.params.id, viewerOf(request)),
    }),
  );

  app.put(
    '/api/profiles/:id/preferences',
    {
      config: { access: 'user' },
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
      preferences: await preferences.put(request.params.id, request.body, viewerOf(request)),
    }),
  );
};
