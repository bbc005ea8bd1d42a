import { OptionalKind, type TSchema } from '@sinclair/typebox';
import type { RouteOptions } from 'fastify';
import type { RouteMessages } from '../http-app.ts';
import type { SchemaWriter, Written } from './schema-writer.ts';

/** What the document says of one reply of a route. */
interface DeclaredReply {
  readonly description?: string;
  readonly type?: unknown;
  readonly content?: Readonly<Record<string, { readonly schema: TSchema }>>;
}

/** One operation of the document, from the schemas of its route. */
export function operationOf(route: RouteOptions, writer: SchemaWriter): Written {
  const { schema = {}, config } = route;
  const { operationId, summary, tags, response } = schema;
  const role = config?.access ?? 'admin';
  const parameters = [
    ...parametersOf('path', schema.params, writer),
    ...parametersOf('query', schema.querystring, writer),
    ...parametersOf('header', schema.headers, writer),
  ];
  return {
    operationId,
    summary,
    tags,
    'x-role': role,
    ...(role === 'nobody' && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(isSchema(schema.body) && { requestBody: bodyOf(schema.body, writer) }),
    responses: repliesOf((response ?? {}) as Record<string, DeclaredReply>, writer),
    ...messagesOf(config?.messages, writer),
  };
}

function parametersOf(place: string, schema: unknown, writer: SchemaWriter): readonly Written[] {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    readonly properties?: Readonly<Record<string, TSchema>>;
    readonly required?: readonly string[];
  };
  return Object.entries(properties).map(([name, one]) => {
    const { description, ...written } = writer.write(one);
    const { style, explode } = one as { readonly style?: unknown; readonly explode?: unknown };
    return {
      name,
      in: place,
      // Absent means optional in OpenAPI.
      ...((place === 'path' || required.includes(name)) && { required: true }),
      ...(description !== undefined && { description }),
      ...(style !== undefined && { style }),
      ...(explode !== undefined && { explode }),
      schema: written,
    };
  });
}

const bodyOf = (body: TSchema, writer: SchemaWriter): Written => ({
  required: !(OptionalKind in body),
  content: { 'application/json': { schema: writer.write(body) } },
});

/** Failures are the same everywhere, so they are written once. */
const failures: Readonly<Record<string, string>> = { '4xx': 'Refusal', '5xx': 'Failure' };

/** Words for replies whose schema has none. */
const words: Readonly<Record<string, string>> = {
  '101': 'The protocol changes',
  '200': 'Success',
  '201': 'Created',
  '202': 'Accepted',
  '204': 'Success; the reply has no body',
  '304': 'The copy of the client is current',
};

function repliesOf(
  declared: Readonly<Record<string, DeclaredReply>>,
  writer: SchemaWriter,
): Written {
  return Object.fromEntries(
    Object.entries(declared).map(([status, reply]) => {
      const shared = failures[status];
      return shared === undefined
        ? [status, replyOf(status, reply, writer)]
        : [status.toUpperCase(), { $ref: `#/components/responses/${shared}` }];
    }),
  );
}

function replyOf(status: string, reply: DeclaredReply, writer: SchemaWriter): Written {
  const isEmpty = reply.type === 'null';
  const own = status === '304' ? undefined : reply.description;
  const description =
    (isEmpty && status === '204' ? undefined : own) ?? words[status] ?? 'The reply';
  if (isEmpty) return { description };
  const content = reply.content ?? { 'application/json': { schema: reply as TSchema } };
  return {
    description,
    content: Object.fromEntries(
      Object.entries(content).map(([type, { schema }]) => [type, { schema: writer.write(schema) }]),
    ),
  };
}

/** The messages of a connection that stays open: what it sends, and what it takes. */
function messagesOf(messages: RouteMessages | undefined, writer: SchemaWriter): Written {
  if (messages === undefined) return {};
  const { sends, takes } = messages;
  return {
    'x-messages': {
      sends: writer.write(sends),
      ...(takes !== undefined && { takes: writer.write(takes) }),
    },
  };
}

const isSchema = (value: unknown): value is TSchema => typeof value === 'object' && value !== null;
