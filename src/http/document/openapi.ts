/**
 * `GET /api/openapi.json`: the document that describes all routes, made from their schemas at the
 * first request. Equal routes give an equal document, byte for byte.
 */
import type { RouteOptions } from 'fastify';
import type { HttpApp, Routes } from '../http-app.ts';
import { routes } from '../route.ts';
import { JsonMap } from '../../contract/resources/schema-parts.ts';
import { EventMessage } from '../../contract/resources/viewing/event-messages.ts';
import { examples } from './examples.ts';
import { operationOf } from './operation.ts';
import { createSchemaWriter, type SchemaWriter, type Written } from './schema-writer.ts';
import { tagsOf } from './tags.ts';
import { ErrorReply } from '../error-schema.ts';

/** The document that describes all routes. */
export const openApiRoutes = (document: () => Written): Routes<object> =>
  routes<object>({ access: 'nobody', tag: 'operations' }, (route) => {
    let bytes: Buffer | null = null;
    route('GET /api/openapi.json', {
      holdsNoSecret: true,
      operation: 'getOpenApiDocument',
      summary: 'This document',
      reply: JsonMap,
      handler: ({ reply }) => {
        bytes ??= toBytes(reply.serialize(document()));
        return reply.type('application/json; charset=utf-8').send(bytes);
      },
    });
  });

const toBytes = (text: string | ArrayBuffer | Buffer): Buffer =>
  typeof text === 'string' ? Buffer.from(text) : Buffer.from(new Uint8Array(text));

/** Collects every route that is registered later, and gives the document of them. */
export function describeRoutes(app: HttpApp, version: string): () => Written {
  const routes: RouteOptions[] = [];
  let made: Written | null = null;
  app.addHook('onRoute', (route) => {
    if (route.config?.isPageOfApp !== true) routes.push(route);
  });
  return () => (made ??= documentOf(routes, version));
}

function documentOf(routes: readonly RouteOptions[], version: string): Written {
  const writer = createSchemaWriter();
  const paths = pathsOf(routes, writer);
  const webhooks = webhooksOf(writer);
  const failure = { 'application/json': { schema: writer.write(ErrorReply) } };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Vitrine',
      version,
      summary: 'The interface of a Vitrine server',
      description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'The server that gave this document' }],
    security: [{ bearer: [] }],
    tags: tagsOf(paths),
    paths,
    webhooks,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'The token of a session or an API key',
        },
      },
      responses: {
        Failure: { description: 'The server or a service that it needs failed', content: failure },
        Refusal: {
          description: 'The request was refused; the reply says why. 429 has Retry-After',
          headers: {
            'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer' } },
          },
          content: failure,
        },
      },
      schemas: withExamples(writer.named()),
    },
  };
}

const description =
  'Every failure answers an `Error`. Times are ISO 8601 in UTC with milliseconds. A key that has no value is `null`. `x-role` names the least role that may call an operation. A header `X-Profile-Id` selects one of the profiles of the user. A write that changes what searches find answers `X-Vitrine-Change`, which a search may send back. What users and guests change has a budget for each account: above it the reply is 429 with `Retry-After`.';

/** HEAD is not listed: it answers as GET does, without a body. */
function pathsOf(routes: readonly RouteOptions[], writer: SchemaWriter): Written {
  const paths: Record<string, Record<string, Written>> = {};
  for (const route of routes) {
    const path = route.url.replaceAll(/:(\w+)/g, '{$1}');
    for (const method of [route.method].flat())
      if (method !== 'HEAD')
        (paths[path] ??= {})[method.toLowerCase()] = operationOf(route, writer);
  }
  return paths;
}

/** What the server itself requests: the addresses that an admin entered. */
const webhooksOf = (writer: SchemaWriter): Written => ({
  event: {
    post: {
      operationId: 'receiveEvent',
      summary: 'An event, signed as Standard Webhooks prescribe',
      tags: ['webhooks'],
      security: [],
      parameters: ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => ({
        name,
        in: 'header',
        required: true,
        schema: { type: 'string' },
      })),
      requestBody: {
        required: true,
        content: { 'application/json': { schema: writer.write(EventMessage) } },
      },
      responses: {
        '2XX': { description: 'Taken; any other reply makes the server try again' },
        '410': { description: 'The receiver is gone: the webhook is disabled' },
      },
    },
  },
});

function withExamples(schemas: Readonly<Record<string, Written>>): Written {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const example = examples[name];
      return [name, example === undefined ? schema : { ...schema, examples: [example] }];
    }),
  );
}
