import { Type } from '@sinclair/typebox';
import { Chapter, Tile, itemFields, itemShapes } from './catalogue.ts';
import {
  Body,
  Flag,
  Id,
  JsonMap,
  List,
  Named,
  Nullable,
  OneOf,
  PictureMap,
  hiddenQuery,
  nextCursor,
  pageQuery,
  shortListQuery,
  type Wanted,
} from '../schema-parts.ts';

/** How far the profile is with an item. */
export const watchedStates = ['unwatched', 'started', 'watched'] as const;

/** How large a picture is: below 720 lines, below 1800 lines, above. */
export const resolutions = ['sd', 'hd', '4k'] as const;

/** What a list of items can be sorted by. */
export const itemSorts = [
  'title',
  'addedAt',
  'releasedAt',
  'year',
  'rating',
  'duration',
  'lastPlayedAt',
  'playCount',
  'random',
] as const;

export const ItemReply = Type.Object({
  item: Named(
    'ItemDetail',
    Type.Object({
      ...itemFields,
      subtitles: List(JsonMap, {
        description:
          '`fileId` and `mediaFileId` name files of the item; `uri` and `mediaFileUri` are for admins',
      }),
      ingest: Type.Object({
        state: OneOf(['pending', 'failed', 'complete'], {
          description: 'Whether files of it wait for the ingest, or could not be read',
        }),
        errors: List(
          Type.Object({
            fileId: Id,
            code: Type.String(),
            message: Nullable(Type.String()),
          }),
        ),
      }),
      provenance: List(JsonMap, {
        description: 'Which plugin wrote which field or asset; for admins',
      }),
      lockedFields: List(Type.String(), {
        description: 'Edited by a person: scans do not change them',
      }),
    }),
  ),
});

const range = (description: string) => Type.String({ minLength: 1, maxLength: 20, description });

/** The filters of lists of items. All of them hold at once. */
const filters = {
  libraryId: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  type: Type.Optional(
    Type.String({ minLength: 1, maxLength: 64, description: 'Only libraries of this type' }),
  ),
  genre: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'The name of a genre' }),
  ),
  entityId: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'Linked to this entity' }),
  ),
  collectionId: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'In this collection or playlist' }),
  ),
  year: Type.Optional(range('`2001`, `2001..2009`, `2001..` or `..2009`, ends included')),
  rating: Type.Optional(range('Range of `metadata.rating`, 0 to 10, such as `7..`')),
  myRating: Type.Optional(range("Range of the profile's rating, 0.5 to 5, such as `4..`")),
  watched: Type.Optional(
    OneOf(watchedStates, { description: 'For the profile; `unwatched`: not even started' }),
  ),
  favourite: Type.Optional(Flag('Whether it is a favourite of the profile')),
  resolution: Type.Optional(
    OneOf(resolutions, { description: '`sd`: below 720 lines; `4k`: 1800 lines and more' }),
  ),
  hdr: Type.Optional(Flag('Whether its picture is HDR')),
  language: Type.Optional(
    Type.String({ minLength: 1, maxLength: 40, description: 'Of the sound, such as `en`' }),
  ),
  subtitle: Type.Optional(
    Type.String({ minLength: 1, maxLength: 40, description: 'Language of a subtitle' }),
  ),
  addedAfter: Type.Optional(
    Type.String({ minLength: 1, maxLength: 40, description: 'A date, or a time with its zone' }),
  ),
};

const sortOrder = Type.Optional(OneOf(['asc', 'desc'], { default: 'asc' }));

export const ItemsQuery = Type.Object({
  ...hiddenQuery,
  ...filters,
  fields: Type.Optional(
    OneOf(itemShapes, {
      default: 'full',
      description: '`tile`: only what a grid shows of each item',
    }),
  ),
  sortBy: Type.Optional(
    OneOf(itemSorts, {
      default: 'title',
      description: '`lastPlayedAt` and `playCount`: of the profile',
    }),
  ),
  sortOrder,
  seed: Type.Optional(
    Type.String({ maxLength: 100, description: 'Of `sortBy=random`: another seed, another order' }),
  ),
  letter: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 10,
      description: 'Begins the list by title at this letter; `#` is what comes before A',
    }),
  ),
  startAt: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'Begins the list with this item; not for `lastPlayedAt`, `playCount`, `random`',
    }),
  ),
  includeTotal: Type.Optional(Flag('Count all items of the list, in `total`')),
  ...pageQuery,
});

export const LettersQuery = Type.Object({ ...hiddenQuery, ...filters, sortOrder });

export const LanguagesQuery = Type.Object({
  ...hiddenQuery,
  libraryId: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'Only of the items of this library' }),
  ),
});

export const LanguagesReply = Type.Object({
  languages: List(Type.String(), {
    description: 'Tags in lower case, such as `en` or `pt-br`, by tag; at most 500',
  }),
});

/** The letters that have items, in the order of the list. */
export const LettersReply = Type.Object({
  letters: List(
    Named(
      'ItemLetter',
      Type.Object({
        letter: Type.String({ description: '`A` to `Z`, `#`, or a letter of another script' }),
        count: Type.Integer(),
        cursor: Type.String({
          description: 'Where `GET /api/items` with the same filters begins with it',
        }),
      }),
    ),
  ),
});

/** The months that have items, in the order of the list by `releasedAt`. */
export const MonthsReply = Type.Object({
  months: List(
    Named(
      'ItemMonth',
      Type.Object({
        month: Nullable(
          Type.String({ description: '`2024-06`; `2024`: of that year; null: without a date' }),
        ),
        count: Type.Integer(),
        cursor: Type.String({
          description:
            'Where `GET /api/items` with the same filters and `sortBy=releasedAt` begins with it',
        }),
      }),
    ),
  ),
});

export const ItemChanges = Named(
  'ItemChanges',
  Body({
    title: Type.Optional(Type.String({ minLength: 1, maxLength: 1000 })),
    certification: Type.Optional(Nullable(Type.String({ maxLength: 100 }))),
    metadata: Type.Optional(
      Type.Unsafe<Record<string, unknown>>({
        ...JsonMap,
        description: 'Keys to set; null removes a key',
      }),
    ),
    assets: Type.Optional(
      PictureMap(
        'Pictures to show, by type: an id of `GET /api/items/:id/pictures`, or null for none',
      ),
    ),
    unlock: Type.Optional(
      List(Type.String({ minLength: 1, maxLength: 200 }), {
        maxItems: 200,
        description:
          'Names of `lockedFields` that scans may change again; a refresh reads them at once',
      }),
    ),
  }),
);

/** What a person may change. Null removes a metadata key. */
export type ItemChanges = Wanted<typeof ItemChanges>;

export const PicturesReply = Type.Object({
  pictures: List(
    Named(
      'OfferedPicture',
      Type.Object({
        id: Type.String({ description: 'Of `GET /api/assets/:id`' }),
        type: Type.String({ description: 'Open: such as `poster` or `backdrop`' }),
        aspect: Nullable(Type.String()),
        pluginId: Nullable(
          Type.String({ description: 'The plugin that named it; null = made of the file' }),
        ),
        isUploaded: Type.Boolean({ description: 'An admin uploaded it' }),
      }),
    ),
  ),
  nextCursor,
});

/** At most 30 titles in all. */
export const SimilarReply = Type.Object({ items: List(Tile), nextCursor });

/** Which chapters, pictures or similar titles of an item. */
export const PartsQuery = Type.Object({ ...hiddenQuery, ...shortListQuery });

export const ChaptersReply = Type.Object({ chapters: List(Chapter), nextCursor });
