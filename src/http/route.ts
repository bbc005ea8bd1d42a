/**
 * A route in one call: its address, what it says of itself, and its handler, which is typed by that.
 * The schemas stand in `src/contract/resources`; what is not said here follows: the path has a schema
 * for each `:name`, a route without a reply answers 204, and failures are added to each.
 */
import { Type, type Static, type TSchema } from '@sinclair/typebox';
import type {
  FastifyContextConfig,
  FastifyReply,
  FastifyRequest,
  RouteShorthandOptions,
} from 'fastify';
import { NoContent } from '../contract/resources/schema-parts.ts';
import type { Viewer } from '../people/viewer/index.ts';
import { viewerOf } from './access.ts';
import type { HttpApp, Routes } from './http-app.ts';

/** What all routes of a file have, unless one says otherwise: who may call them, and how they behave. */
export interface SharedOptions
  extends FastifyContextConfig, Pick<RouteShorthandOptions, 'bodyLimit' | 'exposeHeadRoute'> {
  /** The group of operations in the API document. */
  readonly tag?: string;
}

/** What a route says of itself beside its schemas. */
export interface RouteOptions
  extends SharedOptions, Pick<RouteShorthandOptions, 'errorHandler' | 'onRequest'> {
  /** The stable name in the API document: a verb and its object. Absent for HEAD alone. */
  readonly operation?: string;
  readonly summary: string;
}

/** A schema of JSON, or of each media type. */
type ReplySchema = TSchema | { readonly content: Readonly<Record<string, object>> };

/** The schemas of a route. One that is absent is `never`. */
interface RouteSchemas<Params, Query, Body, Headers, Reply, Created, Replies> {
  /** Of the path, where a text of at most 200 characters for each name is not enough. */
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  readonly headers?: Headers;
  /** What it answers with 200. */
  readonly reply?: Reply;
  /** What it answers with 201. */
  readonly created?: Created;
  /** What it answers, by status, where that is not 200, 201 or 204 alone. */
  readonly replies?: Replies;
}

type Address = `${'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`;

type NamesIn<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | NamesIn<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

type ParamsOf<At extends string, Params> = [Params] extends [never]
  ? Readonly<Record<NamesIn<At>, string>>
  : StaticOf<Params>;

type StaticOf<Schema> = Schema extends TSchema ? Static<Schema> : undefined;

type InputOf<Schema> = [Schema] extends [never] ? undefined : StaticOf<Schema>;

type ReplyOf<Schema> = Schema extends { readonly content: infer Media }
  ? Media[keyof Media] extends { readonly schema: infer Inner }
    ? StaticOf<Inner>
    : never
  : StaticOf<Schema>;

/** What a handler gives: its reply, or the reply of fastify where it sent that itself. */
type Result<Reply, Created, Replies> = [Reply | Created | Replies] extends [never]
  ? unknown
  : // oxlint-disable-next-line typescript/no-invalid-void-type -- a handler may answer nothing
    ReplyOf<Reply> | ReplyOf<Created> | ReplyOf<Replies[keyof Replies]> | FastifyReply | void;

/** A request to a route, and the reply to it. */
export interface Call<Params, Query, Body, Headers> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly headers: Headers;
  /** Who asks. Only for routes that need a credential. */
  readonly viewer: Viewer;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Declares one route. The handler stands last, since the schemas before it type it. */
export type DeclareRoute = <
  const At extends Address,
  Params extends TSchema = never,
  Query extends TSchema = never,
  Body extends TSchema = never,
  Headers extends TSchema = never,
  Reply extends ReplySchema = never,
  Created extends ReplySchema = never,
  Replies extends Readonly<Record<number, ReplySchema>> = never,
>(
  at: At,
  route: RouteOptions &
    RouteSchemas<Params, Query, Body, Headers, Reply, Created, Replies> & {
      readonly handler: (
        call: Call<ParamsOf<At, Params>, InputOf<Query>, InputOf<Body>, InputOf<Headers>>,
      ) => Result<Reply, Created, Replies> | Promise<Result<Reply, Created, Replies>>;
    },
) => void;

/** The routes of one file, over the domains that they call. */
export const routes =
  <Parts extends object>(
    shared: SharedOptions,
    declare: (route: DeclareRoute, parts: Parts, app: HttpApp) => void,
  ): Routes<Parts> =>
  async (app, parts) => {
    const route: DeclareRoute = (at, options) => {
      const [method = '', url = ''] = at.split(' ');
      app.route({
        ...optionsOf(url, { ...shared, ...options }),
        method: method,
        url,
      });
    };
    declare(route, parts, app);
  };

/** A route without the types of its schemas. */
interface AnyRoute
  extends
    RouteOptions,
    RouteSchemas<
      TSchema,
      TSchema,
      TSchema,
      TSchema,
      object,
      object,
      Readonly<Record<number, object>>
    > {
  readonly handler: Handler;
}

type Handler = (call: Call<never, never, never, never>) => unknown;

/** The options of fastify. */
function optionsOf(url: string, route: AnyRoute) {
  const { tag, operation, summary, params, query, body, headers, ...others } = route;
  const { bodyLimit, exposeHeadRoute, errorHandler, onRequest, ...further } = others;
  const config = without(further, 'reply', 'created', 'replies', 'handler');
  return {
    config,
    handler: handlerOf(route),
    ...defined({ bodyLimit, exposeHeadRoute, errorHandler, onRequest }),
    schema: {
      summary,
      response: repliesOf(route),
      ...defined({
        operationId: operation,
        tags: tag === undefined ? undefined : [tag],
        params: params ?? paramsOf(url),
        querystring: query,
        body,
        headers,
      }),
    },
  };
}

function repliesOf({ reply, created, replies }: AnyRoute): Readonly<Record<number, object>> {
  if (replies !== undefined) return replies;
  if (created !== undefined) return { 201: created };
  return reply === undefined ? { 204: NoContent } : { 200: reply };
}

function without<Whole extends object, Name extends keyof Whole>(
  whole: Whole,
  ...names: readonly Name[]
): Omit<Whole, Name> {
  const rest = Object.entries(whole).filter(([name]) => !names.includes(name as Name));
  return Object.fromEntries(rest) as Omit<Whole, Name>;
}

const defined = (options: object): object =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));

/** Of a path: each name is a text. */
function paramsOf(url: string): TSchema | undefined {
  const names = [...url.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  if (names.length === 0) return undefined;
  const text = Type.String({ minLength: 1, maxLength: 200 });
  return Type.Object(Object.fromEntries(names.map((name) => [name, text])));
}

/** The handler for fastify; without a reply it answers 204. */
function handlerOf({ reply, created, replies, handler }: AnyRoute) {
  if (reply !== undefined || replies !== undefined)
    return async (request: FastifyRequest, answer: FastifyReply) =>
      handler(new ReceivedCall(request, answer));
  return async (request: FastifyRequest, answer: FastifyReply) => {
    const made = await handler(new ReceivedCall(request, answer));
    if (created === undefined) return answer.code(204).send();
    void answer.code(201);
    return made;
  };
}

/** One object for each request; what costs a lookup is read where it is needed. */
class ReceivedCall implements Call<never, never, never, never> {
  readonly params: never;
  readonly query: never;
  readonly body: never;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;

  constructor(request: FastifyRequest, reply: FastifyReply) {
    this.params = request.params as never; // Their types are those of the schemas.
    this.query = request.query as never;
    this.body = request.body as never;
    this.request = request;
    this.reply = reply;
  }

  get headers(): never {
    return this.request.headers as never;
  }

  get viewer(): Viewer {
    return viewerOf(this.request);
  }
}
