/**
 * A library as the generator makes it: broken, truncated, doubled, deep, in many scripts, and with
 * names that break scanners. A server that was pointed at it must end with exactly what is there.
 */
import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  makeHostileLibrary,
  mutateLibrary,
  readManifest,
  type MadeFile,
} from '../support/made-library/made-library.ts';
import { hasFfmpeg } from '../support/media/media-files.ts';
import { allItems, jobsOver, scanAll, type ListedItem } from '../support/servers/scan.ts';
import { startServer, type TestServer } from '../support/servers/server.ts';

/** A media file of the server with its item. */
interface Found {
  readonly item: ListedItem;
  readonly file: ListedItem['files'][number] & { readonly type: string; readonly status: string };
}

describe.skipIf(!hasFfmpeg)('a library with all that disks have (needs ffmpeg)', () => {
  let base = '';
  let folder = '';
  let server: TestServer;

  beforeAll(async () => {
    base = mkdtempSync(path.join(tmpdir(), 'vitrine-made-'));
    folder = path.join(base, 'library');
    makeHostileLibrary(folder, 2000);
    const libraries = [
      ...['movies:Movies', 'tv:Series', 'music:Music', 'audiobooks:Audiobooks'],
      ...['books:Books', 'photos:Photos'],
    ];
    server = await startServer({
      args: [...libraries, 'movies:Hostile'].flatMap((library) => {
        const name = library.slice(library.indexOf(':') + 1);
        return ['--library', `${library}:${folder}/${name}`];
      }),
    });
    await jobsOver(server, 240_000);
  }, 300_000);

  afterAll(async () => {
    await server.stop();
    rmSync(base, { recursive: true, force: true });
  });

  test('has a file for each that is there, and no other', async () => {
    const found = await filesByPath(server, folder);

    expect([...found.keys()].sort()).toEqual(visible(readManifest(folder)).map(pathOf).sort());
  });

  test('has an item for each thing that the files are, and no other', async () => {
    const found = await filesByPath(server, folder);
    const files = visible(readManifest(folder));

    const itemsOfThings = new Map(
      [...Map.groupBy(files, thingOf)].map(([thing, parts]) => [
        thing,
        new Set(parts.map((one) => found.get(one.path)?.item.id)),
      ]),
    );

    expect([...itemsOfThings].filter(([, ids]) => ids.size !== 1)).toEqual([]);
    const all = new Set([...itemsOfThings.values()].flatMap((ids) => [...ids]));
    expect(all.size).toBe(itemsOfThings.size);
    expect((await allItems(server)).length).toBe(itemsOfThings.size);
  });

  test('knows of each what its name, its tags and its sidecars say', async () => {
    const found = await filesByPath(server, folder);

    for (const one of visible(readManifest(folder))) {
      const item = found.get(one.path)?.item;
      const known = { ...item?.metadata, title: item?.title };
      const wanted = wantedOf(one);
      const seen = Object.keys(wanted).map((key) => [key, plain(Reflect.get(known, key))]);
      expect({ path: one.path, ...Object.fromEntries(seen) }).toEqual({
        path: one.path,
        ...wanted,
      });
    }
  });

  test('shows an error at each file that is broken, and at no other', async () => {
    const found = await filesByPath(server, folder);
    const failed = [...found].flatMap(([at, { file }]) => (file.status === 'error' ? [at] : []));

    // A photo without its end is shown as far as it goes.
    const isShown = ({ kind, broken }: MadeFile) => kind === 'photo' && broken === 'truncated';
    const broken = visible(readManifest(folder)).filter(
      (one) => one.broken !== undefined && !isShown(one),
    );

    expect(failed.sort()).toEqual(broken.map(pathOf).sort());
  });

  test('is what the disk is after some files changed, moved, came and went', async () => {
    const before = await filesByPath(server, folder);
    mutateLibrary(folder, 5);

    await scanAll(server);

    const found = await filesByPath(server, folder);
    const files = visible(readManifest(folder));
    expect([...found.keys()].sort()).toEqual(files.map(pathOf).sort());
    for (const { path: now } of files) {
      const was = before.get(now) ?? before.get(now.replace(/ v1(\.[^.]+)$/, '$1'));
      if (was) expect([now, found.get(now)?.file.id]).toEqual([now, was.file.id]);
    }
    const renamed = files.filter((one) => / v1\.[^.]+$/.test(one.path));
    expect(renamed.length).toBeGreaterThan(0);
  });

  test('keeps what was watched after a tenth was renamed, moved, written in other letters, taken away and brought back', async () => {
    const found = await filesByPath(server, folder);
    const stirred = stirredFiles(readManifest(folder), found);
    expect(stirred.length).toBeGreaterThan(100);
    const watched = new Map<string, string>();
    for (const { path: at } of stirred) {
      const id = found.get(at)?.item.id ?? '';
      watched.set(at, id);
      const { status } = await server.request('PUT', `/api/items/${id}/watched`, { watched: true });
      expect(status).toBe(200);
    }

    const places = stirred.map(({ path: at }, turn) => [at, stir(folder, at, turn)] as const);
    await scanAll(server);
    for (const [at, now] of places) if (now === null) back(folder, at);
    await scanAll(server);

    const after = await filesByPath(server, folder);
    const lost = await Promise.all(
      places.map(async ([at, now]) => {
        const place = now ?? at;
        const id = after.get(place)?.item.id;
        if (id === undefined) return [`${place} is not there`];
        const { item } = await server.get<{
          item: { readonly playback: { readonly completed: boolean } | null };
        }>(`/api/items/${id}`);
        const isKept = id === watched.get(at) && item.playback?.completed === true;
        return isKept ? [] : [`${at} -> ${place}`];
      }),
    );
    expect(lost.flat()).toEqual([]);
  });
});

/** A tenth of the files, each of them alone the file of its item, with content of its own. */
function stirredFiles(
  files: readonly MadeFile[],
  found: ReadonlyMap<string, Found>,
): readonly MadeFile[] {
  const copied = new Set(
    files.flatMap(({ path: at, duplicateOf }) =>
      duplicateOf === undefined ? [] : [at, duplicateOf],
    ),
  );
  const lone = files.filter(({ path: at, broken, kind }) => {
    const item = found.get(at)?.item;
    return (
      item?.files.length === 1 && broken === undefined && kind !== 'hostile' && !copied.has(at)
    );
  });
  const step = Math.max(1, Math.floor(lone.length / (files.length / 10)));
  return lone.filter((_, at) => at % step === 0);
}

const aside = (folder: string, at: string): string =>
  path.join(`${folder}.aside`, at.replaceAll('/', ' - '));

/** Renames, moves, writes in other letters or takes away a file; gives where it is now. */
function stir(folder: string, at: string, turn: number): string | null {
  const { dir, name, ext } = path.parse(at);
  const ways = [
    () => path.join(dir, `${name} b${ext}`),
    () => path.join(dir, 'Moved', `${name}${ext}`),
    () => path.join(dir, `${name.toUpperCase()}${ext}`),
    () => null,
  ];
  const now = ways[turn % ways.length]?.() ?? null;
  const to = now === null ? aside(folder, at) : path.join(folder, now);
  mkdirSync(path.dirname(to), { recursive: true });
  renameSync(path.join(folder, at), to);
  return now;
}

function back(folder: string, at: string): void {
  renameSync(aside(folder, at), path.join(folder, at));
}

const pathOf = (one: MadeFile): string => one.path;

/** A name that begins with a dot is hidden, and nobody's media. */
function visible(files: readonly MadeFile[]): readonly MadeFile[] {
  return files.filter((one) => !path.basename(one.path).startsWith('.'));
}

async function filesByPath(server: TestServer, folder: string): Promise<Map<string, Found>> {
  const start = `file://${folder}/`;
  const found = (await allItems(server)).flatMap((item) =>
    item.files.map((file) => ({ item, file: file as Found['file'] })),
  );
  return new Map(
    found
      .filter(({ file }) => file.type === 'media')
      .map((one) => [decoded(one.file.uri.slice(start.length)), one]),
  );
}

/** A name that is not UTF-8 stays as the URI has it. */
function decoded(name: string): string {
  return /%FF/i.test(name) ? name : decodeURIComponent(name);
}

/** Names the film, episode, song or book of a file. Files with the same name are one item. */
function thingOf(one: MadeFile): string {
  const names = one.path.split('/');
  const folders = names.slice(1, -1).filter((name) => !besides.has(name.toLowerCase()));
  const title = one.title ?? one.of ?? '';
  switch (one.kind) {
    case 'movie':
    case 'extra':
    case 'sample':
      return `film ${title} in ${folders.join('/') || names.at(-1)?.replace(' (copy)', '')}`;
    case 'episode':
      return `episode ${one.season} ${one.episode} ${one.absolute} of ${title} in ${names[1]}`;
    case 'audiobook':
      return `book ${title} in ${folders.join('/')}`;
    case 'comic':
      return `volume ${one.sequence} of ${one.series} in ${path.dirname(one.path)}`;
    case 'book':
      return `book ${title} by ${one.author} in ${path.dirname(one.path)}`;
    case 'track':
    case 'photo':
    case 'hostile':
      return one.path;
  }
}

/** Folders that belong to what lies around them. */
const besides = new Set(['sample', 'featurettes', 'trailers', 'extras', 'backup']);

/** What an item must say, as far as the name, the tags or the sidecars of its file tell it. */
function wantedOf(one: MadeFile): Readonly<Record<string, unknown>> {
  const { year, season, episode, absolute, author, narrator, track, disc, sequence } = one;
  const title = plain(one.title);
  switch (one.kind) {
    case 'movie':
      return { title, year };
    case 'episode':
      return {
        series: title,
        ...(one.episodeTitle !== undefined && { title: plain(one.episodeTitle) }),
        ...(absolute === undefined ? { season, episode } : { absoluteEpisode: absolute }),
      };
    case 'track':
      return {
        title,
        track,
        ...(disc !== undefined && { disc }),
        ...(hasTags(one) && { album: plain(one.album), artist: plain(one.artist), year }),
      };
    case 'audiobook':
      return {
        title,
        author: plain(author),
        year,
        ...(hasTags(one) && { narrator: plain(narrator) }),
        ...(one.series !== undefined && { bookSeries: plain(one.series), volume: sequence }),
      };
    case 'comic':
      return { bookSeries: plain(one.series), volume: sequence };
    case 'book':
      return { title, author: plain(author) };
    case 'photo':
      return { album: plain(one.album), year, takenAt: one.takenAt };
    case 'extra':
    case 'sample':
    case 'hostile':
      return {};
  }
}

function hasTags({ untagged, broken }: MadeFile): boolean {
  return untagged === undefined && broken === undefined;
}

/**
 * A text without what tells a name from a title: a file name has no colon and no question mark, an
 * accent has two spellings, and a tag names guests that the list of what was made leaves out.
 */
function plain(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return value
    .normalize('NFC')
    .replace(/ feat\. .*$/, '')
    .replaceAll(':', ' -')
    .replace(/[?*"<>|]/g, '')
    .replace(/[/\\]/g, '-')
    .replace(/\s+/g, ' ')
    .trim();
}
