import { Type } from '@sinclair/typebox';
import { Item } from './catalogue.ts';
import {
  Body,
  Id,
  List,
  Named,
  hiddenQuery,
  nextCursor,
  pageQuery,
  type Shape,
} from '../schema-parts.ts';

const PlaylistEntry = Named(
  'PlaylistEntry',
  Type.Object({
    id: Id,
    position: Type.Integer({
      description: 'Its place among all entries, 0 = first; entries that do not show count too',
    }),
    item: Item,
  }),
);

/** An entry of a playlist. An item may stand in several. */
export type Entry = Shape<typeof PlaylistEntry>;

const position = (description: string) =>
  Type.Integer({ minimum: 0, maximum: 100_000, description });

export const EntriesQuery = Type.Object({ ...hiddenQuery, ...pageQuery });

export const EntriesReply = Type.Object({ entries: List(PlaylistEntry), nextCursor });

export type EntriesPage = Shape<typeof EntriesReply>;

export const AddedEntriesReply = Type.Object({ entries: List(PlaylistEntry) });

export const EntryReply = Type.Object({ entry: PlaylistEntry });

export const NewEntries = Named(
  'NewPlaylistEntries',
  Body({
    itemIds: List(Type.String({ minLength: 1, maxLength: 200 }), {
      minItems: 1,
      maxItems: 500,
      description: 'In their order; an item may stand twice',
    }),
    position: Type.Optional(position('The place of the first one; the end when absent')),
  }),
);

export const EntryMove = Named(
  'PlaylistEntryMove',
  Body({ position: position('Its new place, 0 = first; beyond the end is the end') }),
);

export const EntryParams = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 200 }),
  entryId: Type.String({ minLength: 1, maxLength: 200 }),
});
