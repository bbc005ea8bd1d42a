import type { TSchema } from '@sinclair/typebox';
import type { FastifySchema, RouteOptions } from 'fastify';
import type { HttpApp } from './http-app.ts';
import { ErrorReply } from './error-schema.ts';

/**
 * Refuses a route without complete schemas: a summary, a schema for each reply, for every parameter
 * of its path, and for its body whether unknown keys are allowed. Adds the schema of failures,
 * which is the same everywhere.
 */
export function checkRouteSchemas(app: HttpApp): void {
  app.addHook('onRoute', (route) => {
    const fault = schemaFault(route);
    if (fault !== null) throw new Error(`Route ${String(route.method)} ${route.url} ${fault}.`);
    const { response = {}, ...schema } = route.schema ?? {};
    route.schema = {
      ...schema,
      response: { '4xx': ErrorReply, '5xx': ErrorReply, ...(response as object) },
    };
  });
}

function schemaFault({ url, schema }: RouteOptions): string | null {
  if (!schema) return 'has no schema';
  if (!schema.summary) return 'has no summary';
  if (!isObject(schema.response) || Object.keys(schema.response).length === 0) {
    return 'has no schema of its reply';
  }
  if (url.includes(':') && !schema.params) return 'has no schema of its path';
  return bodyFault(schema);
}

/** Without a statement unknown keys would pass; a body says `false`, or `true` for a bare map. */
function bodyFault({ body }: FastifySchema): string | null {
  if (body === undefined) return null;
  const { additionalProperties } = body as TSchema;
  return additionalProperties === undefined ? 'takes unknown keys in its body' : null;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
