/** Requests that are made up from the OpenAPI document of a server. */
import type { Random } from './random.ts';
import { fitting, hostile, hostileTexts, spoilt, type Schema } from './values.ts';

/** One operation of the document. */
export interface Operation {
  readonly method: string;
  readonly path: string;
  /** The least role that may call it. */
  readonly role: string;
  readonly parameters: readonly Parameter[];
  readonly body: Schema | null;
  readonly responses: Readonly<Record<string, ResponseRule>>;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema?: Schema;
}

/** What the document says of one reply. */
export interface ResponseRule {
  readonly content?: Readonly<Record<string, { readonly schema?: object }>>;
}

/** A request as it goes out. */
export interface FuzzRequest {
  readonly operation: Operation;
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

export interface Supplies {
  readonly random: Random;
  readonly operations: readonly Operation[];
  /** Headers of everybody who may ask, and of those who may not. */
  readonly credentials: readonly Readonly<Record<string, string>>[];
  /** Ids of things that are there. */
  readonly ids: readonly string[];
}

/** Reads the document; each reference becomes what it refers to. */
export function operationsOf(document: unknown): readonly Operation[] {
  const { paths } = resolved(document, document) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, RawOperation>>>>;
  };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, raw]) => ({
      method: method.toUpperCase(),
      path,
      role: raw['x-role'],
      parameters: raw.parameters ?? [],
      body: raw.requestBody?.content?.['application/json']?.schema ?? null,
      responses: raw.responses,
    })),
  );
}

function resolved(part: unknown, document: unknown): unknown {
  if (Array.isArray(part)) return part.map((one) => resolved(one, document));
  if (typeof part !== 'object' || part === null) return part;
  const { $ref: reference } = part as { readonly $ref?: unknown };
  if (typeof reference !== 'string')
    return Object.fromEntries(
      Object.entries(part).map(([key, value]) => [key, resolved(value, document)]),
    );
  const keys = reference.split('/').slice(1);
  const target = keys.reduce<unknown>(
    (whole, key) => (whole as Readonly<Record<string, unknown>>)[key],
    document,
  );
  return resolved(target, document);
}

interface RawOperation {
  readonly 'x-role': string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
  };
  readonly responses: Readonly<Record<string, ResponseRule>>;
}

const oddMethods = ['HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'PURGE', 'LINK', 'SEARCH', 'QUERY'];
const oddTypes = [
  'application/json; charset=utf-16',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'text/plain',
  'application/json; charset="',
  'application/vnd.api+json',
  ';;;',
  'x'.repeat(300),
];
const brokenBodies = [
  '{',
  '{"a":1,}',
  '{"a":1}{"b":2}',
  "{'a': 1}",
  '{"name": "x", "name": ["y"]}',
  '{"__proto__": {"role": "admin"}}',
  '{"a": {"__proto__": {"role": "admin"}}}',
  '{"constructor": {"prototype": {"role": "admin"}}}',
  '"\\ud800"',
  '"\\u0000"',
  '1e400',
  '-',
  'nul',
  '\ufeff{}',
  '\0',
  `${'['.repeat(5000)}${']'.repeat(5000)}`,
  `${'{"a":'.repeat(3000)}1${'}'.repeat(3000)}`,
  `[${'1,'.repeat(50_000)}1]`,
];

/** Makes up one request; the same random makes the same one. */
export function madeUp({ random, operations, credentials, ids }: Supplies): FuzzRequest {
  const operation = random.pick(operations);
  const method = random.chance(0.03) ? random.pick(oddMethods) : operation.method;
  const body = bodyFor(random, operation, ids);
  const headers: Record<string, string> = {
    ...random.pick(credentials),
    ...oddHeaders(random, ids),
  };
  if (body !== null)
    headers['content-type'] = random.chance(0.05) ? random.pick(oddTypes) : 'application/json';
  const target = targetFor(random, operation, ids);
  return { operation, method, target, headers, body };
}

/**
 * Requests with all that the document requires of the body of an operation, and no more: one for
 * each way to have it.
 */
export function leastOf(
  { random, credentials: [headers = {}], ids }: Omit<Supplies, 'operations'>,
  operation: Operation,
): readonly FuzzRequest[] {
  const { method, path, body } = operation;
  if (body === null) return [];
  const sparing: Random = { ...random, chance: () => false };
  const ways = body.allOf?.flatMap(({ anyOf = [] }) => anyOf) ?? [{}];
  return ways.map((way) => ({
    operation,
    method,
    target: path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(random.pick(ids))),
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(fitting(sparing, { ...body, allOf: [way] }, ids)),
  }));
}

function targetFor(
  random: Random,
  { path, parameters }: Operation,
  ids: readonly string[],
): string {
  const filled = path.replaceAll(/\{\w+\}/g, () => partOfPath(random, ids));
  const pairs = parameters
    .filter((one) => one.in === 'query' && random.chance(0.4))
    .flatMap(({ name, schema = {} }) => {
      const value = random.chance(0.5) ? fitting(random, schema, ids) : hostile(random);
      const pair = `${name}=${encoded(random, typeof value === 'string' ? value : JSON.stringify(value))}`;
      return random.chance(0.1) ? [pair, pair] : [pair];
    });
  if (random.chance(0.05)) pairs.push(`${encoded(random, random.pick(hostileTexts))}=1`);
  const odd = random.chance(0.03)
    ? random.pick(['/', '//', '/.', '/..', '%2f', ';a=b', '%00'])
    : '';
  return `${filled}${odd}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`;
}

function partOfPath(random: Random, ids: readonly string[]): string {
  if (random.chance(0.6)) return encodeURIComponent(random.pick(ids));
  return encoded(random, random.pick(hostileTexts)) || 'x';
}

/** As a client would, or raw where a byte can stand in the first line of a request at all. */
function encoded(random: Random, text: string): string {
  const raw = text.replaceAll(/[^\x21-\x7e]|[#?&]/g, '');
  return random.chance(0.1) ? raw : encodeURIComponent(text.toWellFormed());
}

function oddHeaders(random: Random, ids: readonly string[]): Record<string, string> {
  if (random.chance(0.75)) return {};
  const printable = random.pick(hostileTexts).replaceAll(/[^\x20-\x7e]/g, '');
  return random.pick<Record<string, string>>([
    { 'x-profile-id': random.pick([...ids, printable]) },
    { range: random.pick(['bytes=0-1', 'bytes=-5', 'bytes=9-1', 'bytes=0-0,2-3', printable]) },
    { 'if-none-match': printable },
    { 'if-modified-since': printable },
    { 'last-event-id': printable },
    { accept: printable },
    { 'x-session': 'cookie' },
    { 'x-csrf-token': printable },
    { cookie: `vitrine=${printable}; __Host-vitrine=${printable}` },
    { origin: printable || 'null', 'access-control-request-method': 'POST' },
    { 'x-forwarded-for': printable, 'x-forwarded-proto': 'https', 'x-forwarded-host': 'evil' },
    { 'x-http-method-override': 'DELETE' },
    { 'content-encoding': 'gzip' },
    { expect: printable || 'x' },
    { 'x-huge': 'h'.repeat(random.pick([1000, 15_000, 20_000])) },
    { authorization: `Bearer ${printable}` },
    { authorization: printable },
  ]);
}

function bodyFor(
  random: Random,
  { method, body }: Operation,
  ids: readonly string[],
): string | null {
  if (method === 'GET') return random.chance(0.02) ? '{}' : null;
  if (random.chance(0.1)) return random.pick(brokenBodies);
  if (random.chance(0.02)) return JSON.stringify('x'.repeat(1_100_000));
  if (body === null) return random.chance(0.8) ? null : JSON.stringify(hostile(random));
  const fits = fitting(random, body, ids);
  return JSON.stringify(random.chance(0.35) ? fits : spoilt(random, fits)) ?? null;
}
