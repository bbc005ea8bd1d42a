import { openBare, type BareDatabase } from '../bare/bare-limits.ts';
import { quantile, type Figure } from '../figure.ts';
import { kept, writeBetween, type CatalogueBench } from './catalogue-bench.ts';
import { sized } from '../size.ts';

const tiles = 'fields=tile&limit=60';
const orders = ['title', 'addedAt', 'releasedAt', 'year'].flatMap((sortBy) =>
  ['asc', 'desc'].map((order) => `sortBy=${sortBy}&sortOrder=${order}`),
);
const pagesOfOrder = sized(40, 3);

/** Routes of pages of tiles that were not asked for before: their cursors come from other pages. */
export async function freshPages(
  { server }: Pick<CatalogueBench, 'server'>,
  lists: readonly string[] = orders,
  pages = pagesOfOrder,
): Promise<readonly string[]> {
  const routes: string[] = [];
  for (const list of lists) {
    let cursor: string | null = null;
    for (let page = 0; page < pages; page++) {
      const route = `/api/items?${list}${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`;
      routes.push(`${route}&${tiles}`);
      // A page of so many full items has the same cursor, and another answer.
      const found: { nextCursor: string | null } = await server.get(`${route}&limit=60`);
      cursor = found.nextCursor;
      if (cursor === null) break;
    }
  }
  return routes;
}

/** The rows of 60 tiles: the items, the pictures that they share, and what was played of them. */
async function readBare(
  bare: BareDatabase,
  after: readonly unknown[],
): Promise<readonly unknown[]> {
  const items = await bare.all(
    `select no, id, library_no, title, sort_title, year, certification, metadata, assets, asset_aspects
     from items where status = 'active' and library_no = (select max(no) from libraries)
       and (sort_title, no) > (?, ?) order by sort_title, no limit 60`,
    after,
  );
  const numbers = items.map(({ no }) => Number(no)).join(', ');
  await bare.all(
    `select item_no, type, assets, asset_aspects from item_entities
     join entities on entities.no = entity_no where item_no in (${numbers}) and assets is not null`,
  );
  await bare.all(
    `select playback.* from items join playback on item_id = items.id
     where items.no in (${numbers}) and profile_id = 'bare'`,
  );
  const end = items.at(-1);
  return end === undefined ? ['', 0] : [end['sort_title'], end['no']];
}

/** A page of 60 tiles that nobody asked for before, and the same rows by bare statements. */
export async function pageFigures(bench: CatalogueBench): Promise<readonly Figure[]> {
  const { client, database, count } = bench;
  const routes = await freshPages(bench);
  const bare = await openBare(database);
  const ours: number[] = [];
  const theirs: number[] = [];
  let after: readonly unknown[] = ['', 0];
  for (const route of routes) {
    ours.push(await client.time(route));
    const start = performance.now();
    after = await readBare(bare, after);
    theirs.push(performance.now() - start);
  }
  await bare.close();
  const page = quantile(ours, 0.5);
  return [
    {
      name: `page of 60 tiles not asked before, ${count} items, p50`,
      ours: page,
      bare: null,
      unit: 'ms',
      goal: 12,
    },
    {
      name: 'page of 60 tiles not asked before, against bare SQL',
      ours: page,
      bare: quantile(theirs, 0.5),
      unit: 'ms',
      goal: 5,
    },
  ];
}

const filters = [
  'year=1980..1999',
  'year=2001&watched=unwatched',
  'rating=0..',
  'resolution=hd',
  'favourite=false&hdr=false',
  'addedAfter=2020-01-01&sortBy=addedAt&sortOrder=desc',
  'genre=Drama',
];

/** Pages of filtered lists, of which some filters leave nearly all items and some few. */
export async function filteredFigures(bench: CatalogueBench): Promise<readonly Figure[]> {
  const routes = await freshPages(bench, filters, 20);
  const times: number[] = [];
  for (const route of routes) times.push(await bench.client.time(route));
  const pair = (share: number) => ({ ours: quantile(times, share), bare: null, unit: 'ms' });
  return [
    { name: 'page of 60 filtered tiles not asked before, p50', ...pair(0.5), goal: 12 },
    { name: 'page of 60 filtered tiles not asked before, p95', ...pair(0.95), goal: 60 },
  ];
}

/** A page that the server keeps, against a fastify that sends the same bytes. */
export const keptPageFigures = (bench: CatalogueBench): Promise<readonly Figure[]> =>
  kept(bench, { name: 'page of 60 tiles, kept', route: `/api/items?${tiles}`, goal: 2 });

/** The letters of everything, each time after a write, so that they are counted. */
export async function letterFigures(bench: CatalogueBench): Promise<readonly Figure[]> {
  return [
    {
      name: `letters of ${bench.count} items, p50`,
      ours: quantile(await writeBetween(bench, '/api/items/letters', 60), 0.5),
      bare: null,
      unit: 'ms',
      goal: 15,
    },
  ];
}
