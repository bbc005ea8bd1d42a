import { Type } from '@sinclair/typebox';
import { Tile } from '../library/catalogue.ts';
import { Id, List, Named, Nullable, OneOf, hiddenQuery, type Shape } from '../schema-parts.ts';
import { View } from './view.ts';

export const homeRowKinds = [
  'continue',
  'nextUp',
  'new',
  'favourites',
  'collections',
  'plugin',
] as const;

export const HomeQuery = Type.Object({
  ...hiddenQuery,
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 50, default: 20, description: 'Tiles of one row' }),
  ),
});

const HomeTile = Named(
  'HomeTile',
  Type.Object({
    kind: OneOf(['item', 'entity', 'collection'], { description: 'What `id` is the id of' }),
    ...Tile.properties,
    type: Type.String({
      description: 'Of an item as on other tiles; `show album series …`; `collection playlist`',
    }),
    itemCount: Nullable(
      Type.Integer({ description: 'Items of it that the viewer may see; null = it is an item' }),
    ),
    unwatchedCount: Nullable(
      Type.Integer({ description: 'Those that the profile did not finish; else null' }),
    ),
  }),
);

/** A tile of an item, an entity or a collection: all are drawn alike. */
export type HomeTile = Shape<typeof HomeTile>;

const HomeRow = Named(
  'HomeRow',
  Type.Object({
    id: Type.String({
      description:
        'As `homeRows` of preferences names it: `continue nextUp favourites collections`, `new:<libraryId>`, `plugin:<pluginId>:<id>`',
    }),
    kind: OneOf(homeRowKinds),
    title: Nullable(
      Type.String({ description: 'The name of the library, or the title that a plugin gives' }),
    ),
    libraryId: Nullable(Id),
    tiles: List(HomeTile),
    view: Type.Optional(View),
  }),
);

/** A row of the first page. Its id is the one that preferences name. */
export type HomeRow = Shape<typeof HomeRow>;

export type HomeRowKind = (typeof homeRowKinds)[number];

export const HomeReply = Type.Object({
  rows: List(HomeRow),
  complete: Type.Boolean({
    description:
      'False when rows of plugins were not there in time: ask `GET /api/plugins/views/ui.home.sections`',
  }),
});
