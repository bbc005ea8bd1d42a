import { libraryIdsOf } from '../../accounts/index.ts';
import { viewerOf } from '../access.ts';
import type { Routes } from '../http-app.ts';
import { MeReply } from './auth.schema.ts';

/** Sign-in: whom a credential stands for. */
export const authRoutes: Routes<object> = async (app) => {
  app.get(
    '/api/auth/me',
    {
      config: { access: 'guest' },
      schema: { summary: 'Whom I am', tags: ['auth'], response: { 200: MeReply } },
    },
    async (request) => {
      const viewer = viewerOf(request);
      const { credentialId, role, isReadOnly: readOnly } = viewer;
      return { credentialId, role, libraryIds: libraryIdsOf(viewer), readOnly };
    },
  );
};
