/**
 * Look-ups of a real server at two catalogues on the loopback, killed again and again (SIGKILL), and
 * what has to be true in the end: each item has the last answer of each catalogue once, what people
 * and sidecars said holds, and nothing waits any longer.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { grant } from '../../faults/watched-server.ts';
import { writePlugin } from '../../faults/write-plugin.ts';
import { createMediaTree } from '../media/media-tree.ts';
import { allItems, jobsOver, type ListedItem } from '../servers/scan.ts';
import { databaseFlags, startServer, until, type TestServer } from '../servers/server.ts';
import { rowsOf } from '../storage/postgres.ts';
import { editionCatalogue, editionIndexer } from './edition-catalogue.ts';

/** Look-ups to kill. */
export interface KilledLookups {
  /**
   * A life in which all films are looked up in a new edition of the catalogues; it is killed when
   * this share of the questions was asked, 0 to 1. In the first two, a person edits films.
   */
  readonly kill: (share: number) => Promise<void>;
  /** Starts it once more, lets it end, and gives what is lost, doubled or wrong: nothing, if all is well. */
  readonly faults: () => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
}

/** The first catalogue says who plays, the second one what happens. */
const sources = ['first', 'second'] as const;

/** Films with locks, and films that a person edits. */
const locked = 0;
const lockedInPart = 1;
const edited = 2;
const chosen = 3;
const rejected = 4;
const specials = 5;

const actors = 7;
const nameOf = (film: number): string => `Film ${film} (${1950 + (film % 70)})`;
const nfoOf = (film: number, lock: string): string =>
  `<movie><title>Film ${film}</title>${lock}</movie>`;

/** Prepares a library of so many films. */
export async function openKilledLookups(films: number): Promise<KilledLookups> {
  const tree = await createMediaTree();
  const fileOf = (film: number, extension: string): string =>
    `${nameOf(film)}/${nameOf(film)}.${extension}`;
  for (let film = 0; film < films; film++) await tree.write(fileOf(film, 'mkv'));
  await tree.write(fileOf(locked, 'nfo'), nfoOf(locked, '<lockdata>true</lockdata>'));
  await tree.write(
    fileOf(lockedInPart, 'nfo'),
    nfoOf(lockedInPart, '<lockedfields>Overview</lockedfields>'),
  );
  const catalogue = await editionCatalogue();
  const data = await mkdtemp(path.join(tmpdir(), 'vitrine-data-'));
  for (const source of sources) await writePlugin(data, editionIndexer(source, catalogue.url));
  const args = ['--library', `movies:Films:${tree.path}`, '--net-allow', catalogue.host];
  let life = 0;
  let isRejected = false;

  async function lookUpAll(server: TestServer): Promise<void> {
    if (life === 1) {
      // They are new to the server, and are asked about all films.
      for (const source of sources)
        await grant(server, source, { net: [catalogue.host], metadata: 'write' });
      return;
    }
    const { libraries } = await server.get<{ libraries: { id: string }[] }>('/api/libraries');
    const job = { type: 'refresh', libraryId: libraries[0]?.id };
    expectStatus(201, await server.request('POST', '/api/jobs', job));
  }

  async function editAndChoose(server: TestServer): Promise<void> {
    const items = await allItems(server);
    const routeOf = (film: number): string => `/api/items/${filmIn(items, film)?.id}`;
    const edit = { title: 'Ours', metadata: { overview: 'Our own words.' } };
    expectStatus(200, await server.request('PATCH', routeOf(edited), edit));
    const choice = { pluginId: 'first', id: 'chosen' };
    expectStatus(200, await server.request('PUT', `${routeOf(chosen)}/match`, choice));
  }

  /** It counts where each source had a match to reject. */
  async function reject(server: TestServer): Promise<void> {
    const item = filmIn(await allItems(server), rejected);
    const { tagline, overview } = item?.metadata ?? {};
    if (tagline === undefined || overview === undefined) return;
    expectStatus(204, await server.request('DELETE', `/api/items/${item?.id}/match`));
    isRejected = true;
  }

  return {
    kill: async (share) => {
      life += 1;
      const server = await startServer({ data, args });
      if (life === 2) await reject(server);
      const questions = Math.ceil(share * sources.length * (films - specials));
      const moment = catalogue.nextEdition(questions);
      await lookUpAll(server);
      if (life === 1) {
        await moment.half;
        await editAndChoose(server);
      }
      await moment.reached;
      await server.kill();
    },
    faults: async () => {
      const server = await startServer({ data, args });
      const edition = catalogue.lastEdition();
      try {
        await until('nothing is to be asked', async () => {
          await jobsOver(server, 240_000);
          return (await waitingIn(data)) === 0;
        });
        return await faultsOf(server, { films, edition, isRejected });
      } finally {
        await server.stop();
      }
    },
    close: async () => {
      await catalogue.close();
      await tree.remove();
      await rm(data, { recursive: true });
    },
  };
}

function expectStatus(
  expected: number,
  { status, body }: { readonly status: number; readonly body: unknown },
): void {
  if (status !== expected) throw new Error(`${status} ${JSON.stringify(body)}`);
}

/** The item of a film, by its file: a person may have changed its title. */
const filmIn = (items: readonly ListedItem[], film: number): ListedItem | undefined =>
  items.find(({ files }) => files.some(({ uri }) => uri.includes(encodeURI(`/${nameOf(film)}/`))));

/** How many rows say that a source is to be asked about an item. */
async function waitingIn(data: string): Promise<number> {
  const [, url] = await databaseFlags(data);
  if (url !== undefined)
    return (await rowsOf(url)).filter((row) => row.startsWith('items_to_ask:')).length;
  const database = new DatabaseSync(path.join(data, 'vitrine.db'), { readOnly: true });
  try {
    return Number(database.prepare('select count(*) as n from items_to_ask').get()?.['n']);
  } finally {
    database.close();
  }
}

interface Ends {
  readonly films: number;
  readonly edition: number;
  readonly isRejected: boolean;
}

interface Whole {
  readonly linkedEntities: readonly { readonly role: string; readonly name: string }[];
  readonly provenance: readonly { readonly pluginId: string; readonly path: string }[];
}

/** Everything that is not as it has to be, in words. */
async function faultsOf(server: TestServer, ends: Ends): Promise<readonly string[]> {
  const items = await allItems(server);
  const uris = items.flatMap(({ files }) => files.map(({ uri }) => uri));
  const { entities } = await server.get<{ entities: { name: string }[] }>(
    '/api/entities?type=person&limit=100',
  );
  const people = entities.map(({ name }) => name).sort();
  const faults = [
    ...differs('items', items.length, ends.films),
    ...differs('files', uris.length, ends.films),
    ...differs('different files', new Set(uris).size, ends.films),
    ...differs('people', people, [
      ...Array.from({ length: actors }, (_, no) => `Actor ${no}`),
      'Actor of the choice',
    ]),
  ];
  for (let film = 0; film < ends.films; film++) {
    const item = filmIn(items, film);
    const found = item === undefined ? undefined : await stateOf(server, item);
    faults.push(...differs(nameOf(film), found, expectedOf(film, ends)));
  }
  return faults;
}

async function stateOf(server: TestServer, { id, title, metadata }: ListedItem): Promise<object> {
  const { item } = await server.get<{ item: Whole }>(`/api/items/${id}`);
  const { match } = await server.get<{ match: { pluginId: string; manual: boolean } | null }>(
    `/api/items/${id}/match`,
  );
  const paths = item.provenance.map((one) => `${one.pluginId} ${one.path}`);
  return {
    title,
    tagline: metadata['tagline'] ?? null,
    overview: metadata['overview'] ?? null,
    linked: item.linkedEntities.map(({ role, name }) => `${role} ${name}`).sort(),
    isManual: match?.manual ?? null,
    doubled: paths.filter((one, at) => paths.indexOf(one) !== at),
  };
}

/** What the catalogues, the NFO and the person said in the end. */
function expectedOf(film: number, { edition, isRejected }: Ends): object {
  const title = `Film ${film}`;
  const isSilent = film === locked || (film === rejected && isRejected);
  const said = (source: string, of = title): string => `${source} on ${of}, edition ${edition}`;
  const actor = film === chosen ? 'Actor of the choice' : `Actor ${film % actors}`;
  const overview = film === edited ? 'Our own words.' : said('second');
  return {
    title: film === edited ? 'Ours' : title,
    tagline: isSilent ? null : said('first', film === chosen ? 'chosen' : title),
    overview: isSilent || film === lockedInPart ? null : overview,
    linked: isSilent ? [] : [`actor ${actor}`, 'genre Drama'],
    isManual: isSilent ? null : film === chosen,
    doubled: [],
  };
}

function differs(what: string, found: unknown, expected: unknown): readonly string[] {
  const [one, other] = [JSON.stringify(found), JSON.stringify(expected)];
  return one === other ? [] : [`${what}: ${one} instead of ${other}`];
}
