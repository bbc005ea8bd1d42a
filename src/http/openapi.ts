import swagger from '@fastify/swagger';
import type { HttpApp, Routes } from './http-app.ts';
import { JsonMap } from './schemas.ts';

/** Collects every route that is registered later. */
export function describeRoutes(app: HttpApp, version: string): void {
  void app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Vitrine',
        version,
        description: 'The interface of a Vitrine server. Every failure answers `{error}`.',
      },
      components: {
        securitySchemes: {
          bearer: {
            type: 'http',
            scheme: 'bearer',
            description: 'The token of a session or an API key.',
          },
        },
      },
    },
    transform: ({ schema, url, route }) => {
      const { access } = route.config ?? {};
      const security = access === 'nobody' ? [] : [{ bearer: [] }];
      const who = access === 'nobody' ? 'Needs no credential.' : `Needs the role ${access}.`;
      return { schema: { ...schema, security, description: who }, url };
    },
  });
}

/** The document that describes all routes. */
export const openApiRoutes: Routes<object> = async (app) => {
  app.get(
    '/api/openapi.json',
    {
      config: { access: 'nobody' },
      schema: {
        summary: 'This document',
        tags: ['operations'],
        response: { 200: JsonMap },
      },
    },
    async () => ({ ...app.swagger() }),
  );
};
