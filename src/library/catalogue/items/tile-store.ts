import { readTogether, sameNames, type Queries } from '../../../../kernel/store/index.ts';
import { libraryShowing } from '../access/index.ts';
import type { ItemRow } from '../tables/item-store.ts';
import { parseMap } from '../tables/rows.ts';
import { choosePicture, readPictureLooks, type ChosenPicture } from '../tables/shown-picture.ts';
import { wantedItems, wantedNumbers, type ItemReader } from './item-parts-store.ts';
import type { ProfileStateRow } from './item-playback.ts';
import { readShowNames, readShownTexts } from '../texts/shown-texts.ts';
import { progressOf, tileWords, type PlacedTile } from './tile.ts';
import type { Tile } from '../../../contract/resources/library/catalogue.ts';

const tileColumns = [
  'no',
  'id',
  'library_no',
  'title',
  'year',
  'certification',
  'metadata',
  'assets',
  'asset_aspects',
  'resolution',
  'hdr',
] as const satisfies readonly (keyof ItemRow)[];

type TileRow = Pick<ItemRow, (typeof tileColumns)[number]>;

/** A picture of an album, a season or a show, for items without one of their own. */
interface SharedPictureRow {
  readonly item_no: number;
  readonly type: string;
  readonly assets: string | null;
  readonly asset_aspects: string | null;
}

/** Entities whose picture stands for an item, the nearest first. */
const pictured = ['album', 'season', 'show', 'series', 'artist'];

/**
 * Reads tiles in the order of the ids; items that are missing or outside the scope are left out.
 * Two statements, also for a large page, and a third for texts in the language of the viewer: neither
 * files nor chapters are read.
 */
export async function readTiles(
  db: Queries,
  ids: readonly string[],
  reader: ItemReader,
): Promise<Tile[]> {
  const placed = await readPlacedTiles(db, ids, reader);
  return placed.map(({ libraryId: _id, libraryName: _name, ...tile }) => tile);
}

/** As `readTiles`, with the library of each item. */
export async function readPlacedTiles(
  db: Queries,
  ids: readonly string[],
  reader: ItemReader,
): Promise<PlacedTile[]> {
  if (ids.length === 0) return [];
  const { scope } = reader;
  const types = pictured.map((type) => `'${type}'`).join(', ');
  const [items, shared, played] = await readTogether<[TileRow, SharedPictureRow, ProfileStateRow]>(
    db,
    [
      {
        columns: sameNames(tileColumns),
        from: `items where no in ${wantedNumbers}`,
        bindings: [],
      },
      {
        columns: {
          item_no: 'link.item_no',
          type: 'entity.type',
          assets: 'entity.assets',
          asset_aspects: 'entity.asset_aspects',
        },
        // A `cross join` keeps the order: SQLite may else walk all entities of these types.
        from: `item_entities as link cross join entities as entity
          where link.item_no in ${wantedNumbers} and entity.no = link.entity_no
          and entity.assets is not null
          and entity.type in (${types}) ${scope.showsHidden ? '' : 'and entity.hidden = 0'}`,
        bindings: [],
      },
      reader.selectPlayback(reader.profileId, '(select id from wanted)'),
    ],
    wantedItems(db, ids, 'active'),
  );
  const pictures = picturesOf(items, shared);
  const others = shared.flatMap((row) => choosePicture(row) ?? []);
  const withLook = await readPictureLooks(db, pictures.values(), others);
  const texts = await readShownTexts(db, items, scope, { withOverviews: false });
  const shows = await readShowNames(db, items, scope);
  const states = new Map(played.map((row) => [row.item_id, row]));
  const tiles = items.flatMap((row): PlacedTile[] => {
    const library = libraryShowing(scope, row);
    if (library === undefined) return [];
    const picture = pictures.get(row.no);
    const fields = parseMap(row.metadata);
    return [
      {
        id: row.id,
        libraryId: library.id,
        libraryName: library.name,
        ...tileWords(
          texts.get(row.no)?.title ?? row.title,
          fields,
          library.type,
          shows.get(row.no),
        ),
        year: row.year === 0 ? null : row.year,
        picture: picture === undefined ? null : withLook(picture),
        ...stateOf(states.get(row.id)),
        badges: badgesOf(row),
      },
    ];
  });
  const byId = new Map(tiles.map((tile) => [tile.id, tile]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** The picture of each item, by the number of the item. */
function picturesOf(
  items: readonly TileRow[],
  shared: readonly SharedPictureRow[],
): ReadonlyMap<number, ChosenPicture> {
  const ofItem = Map.groupBy(shared, (row) => row.item_no);
  return new Map(
    items.flatMap((row) => {
      const others = (ofItem.get(row.no) ?? []).toSorted(
        (a, b) => pictured.indexOf(a.type) - pictured.indexOf(b.type),
      );
      const picture = [row, ...others].map(choosePicture).find((one) => one !== null);
      return picture == null ? [] : [[row.no, picture] as const];
    }),
  );
}

function stateOf(
  row: ProfileStateRow | undefined,
): Pick<Tile, 'progress' | 'watched' | 'favourite'> {
  if (row === undefined) return { progress: 0, watched: false, favourite: false };
  const { completed, favourite_at: favouriteAt } = row;
  return {
    progress: progressOf(row),
    watched: Boolean(completed),
    favourite: favouriteAt !== null,
  };
}

/** What the filters `resolution=4k` and `hdr=true` find. */
const badgesOf = ({ resolution, hdr }: Pick<TileRow, 'resolution' | 'hdr'>): readonly string[] => [
  ...(resolution === '4k' ? ['4K'] : []),
  ...(hdr ? ['HDR'] : []),
];
