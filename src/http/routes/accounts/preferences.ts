import type { Preferences } from '../../../people/profiles/index.ts';
import type { Viewer } from '../../../people/viewer/index.ts';
import * as schema from '../../../contract/resources/accounts/preferences.ts';
import { routes } from '../../route.ts';

const shared = { tag: 'profiles', access: 'guest' } as const;

/** The profile of the address: `me` is the one that the request acts as. */
const profileOf = (id: string, viewer: Viewer): string => (id === 'me' ? viewer.profileId : id);

/** Preferences of profiles. */
export const preferenceRoutes = routes<{
  readonly preferences: Preferences;
}>(shared, (route, { preferences }) => {
  route('GET /api/profiles/:id/preferences', {
    operation: 'getPreferences',
    summary: 'What a profile prefers; `me` is the profile that asks',
    reply: schema.PreferencesReply,
    handler: async ({ params, viewer }) => ({
      preferences: await preferences.get(profileOf(params.id, viewer), viewer),
    }),
  });

  route('PUT /api/profiles/:id/preferences', {
    access: 'user',
    writes: 'often',
    bodyLimit: 131_072,
    operation: 'setPreferences',
    summary: 'Set what a profile prefers; keys that are not named stay',
    body: schema.PreferenceChanges,
    reply: schema.PreferencesReply,
    handler: async ({ params, body, viewer }) => ({
      preferences: await preferences.put(profileOf(params.id, viewer), body, viewer),
    }),
  });
});
