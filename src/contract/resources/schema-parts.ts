/** Parts of the schemas of all routes. */
import type { Readable } from 'node:stream';
import { Type, type Static, type TSchema, type TUnsafe } from '@sinclair/typebox';

/** The type of a resource, as its schema says it. */
export type Shape<Schema extends TSchema> = Readonly<Static<Schema>>;

/** The type of what a request asks for: a key that may be absent may also be undefined. */
export type Wanted<Schema extends TSchema> = {
  readonly [Key in keyof Static<Schema>]: object extends Pick<Static<Schema>, Key>
    ? Static<Schema>[Key] | undefined
    : Static<Schema>[Key];
};

/**
 * A schema for each field of a resource. A reply is cut to its schema, so a field that is missing in
 * the schema would never leave the server.
 */
export type FieldsOf<Resource> = Readonly<Record<keyof Resource, TSchema>>;

/** A map with arbitrary keys. */
export const JsonMap = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
});

/** The key of the name by which the API document refers to a schema. */
export const schemaName = Symbol('name in the API document');

/** The key of the schema that a nullable one was made of. */
export const schemaOfValue = Symbol('schema of the value that may be null');

/** The key of keywords that only the API document has. */
export const documentOnly = Symbol('keywords of the API document');

/** A schema that stands in the API document once, under its name. */
export const Named = <Schema extends TSchema>(name: string, schema: Schema): Schema => ({
  ...schema,
  [schemaName]: name,
});

/** A schema with keywords that the API document has, and requests and replies are not held to. */
export const Documented = <Schema extends TSchema>(schema: Schema, keywords: object): Schema => ({
  ...schema,
  [documentOnly]: keywords,
});

/** A time: ISO 8601, UTC, milliseconds. */
export const Timestamp = Type.String({ format: 'date-time' });

/** The id of something that the server made. */
export const Id = Documented(Type.String(), { format: 'uuid' });

/** An absolute address. */
export const Uri = (description?: string) =>
  Type.String({ format: 'uri', ...(description !== undefined && { description }) });

/** The value, or `null` where there is none. */
export function Nullable<Schema extends TSchema>(schema: Schema): TUnsafe<Static<Schema> | null> {
  const { type, enum: values } = schema as { type?: unknown; enum?: readonly unknown[] };
  return Type.Unsafe<Static<Schema> | null>({
    ...schema,
    type: [type, 'null'],
    ...(values && { enum: [...values, null] }),
    [schemaName]: undefined,
    [schemaOfValue]: schema,
  });
}

/** One of a closed set of texts. */
export const OneOf = <const Value extends string>(
  values: readonly Value[],
  options: object = {},
): TUnsafe<Value> => Type.Unsafe<Value>({ ...options, type: 'string', enum: [...values] });

export const List = <Item extends TSchema>(
  item: Item,
  options: object = {},
): TUnsafe<readonly Static<Item>[]> =>
  Type.Unsafe<readonly Static<Item>[]>({ ...options, type: 'array', items: item });

/** Comma-separated in the query: `status=pending,running`. Repeated keys add up. */
export const CommaList = <Item extends TSchema>(item: Item, description: string) =>
  List(item, { description, style: 'form', explode: false, maxItems: 100 });

/** `true`, `false`, `1`, `0`, or the bare name. */
export const Flag = (description: string) => Type.Boolean({ description });

/** The body of a request: keys that it does not name are refused. */
export const Body = <Properties extends Record<string, TSchema>>(properties: Properties) =>
  Type.Object(properties, { additionalProperties: false });

/** The two keys that every list takes. */
export const pageQuery = {
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 500, default: 50, description: 'Entries of one page' }),
  ),
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1000,
      description: '`nextCursor` of the previous page',
    }),
  ),
};

/** The two keys that a short list takes. */
export const shortListQuery = {
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 500, description: 'Entries of one page; absent = all' }),
  ),
  cursor: pageQuery.cursor,
};

/** The query of such a list without other keys. */
export const ShortListQuery = Type.Object(shortListQuery);

/** Which page of a list is asked for. */
export type PageQuery = Wanted<typeof ShortListQuery>;

/** The key of all routes whose results may contain hidden things. */
export const hiddenQuery = {
  includeHidden: Type.Optional(
    Flag('Include hidden libraries, entities and collections; needs an active license'),
  ),
};

/** The query of such a route without other keys. */
export const HiddenQuery = Type.Object(hiddenQuery);

/** The query of a route that shows one thing in full. */
export const DetailQuery = Type.Object({
  ...hiddenQuery,
  texts: Type.Optional(
    OneOf(['shown', 'stored'], {
      description:
        '`stored` = names, titles and summaries as they are stored, in the first language of the library; else in the language of the profile',
    }),
  ),
});

/** The key that every list answers with beside its entries. */
export const nextCursor = Nullable(
  Type.String({ description: 'Where the next page starts; null at the end' }),
);

/** Something of each type of picture, such as `poster`. */
export const PictureMap = (description: string) =>
  Type.Unsafe<Record<string, string | null>>({
    type: 'object',
    additionalProperties: { type: ['string', 'null'] },
    description,
  });

/** The path parameter of one thing. */
export const IdParams = Type.Object({ id: Type.String({ minLength: 1, maxLength: 200 }) });

/** The empty body of status 204. */
export const NoContent = Type.Unsafe<undefined>({ type: 'null', description: 'No content' });

/** A reply that is a stream of bytes. */
export const StreamReply = (mediaType: string, description: string) => ({
  description,
  content: { [mediaType]: { schema: Type.Unsafe<Readable>({ type: 'string', format: 'binary' }) } },
});
