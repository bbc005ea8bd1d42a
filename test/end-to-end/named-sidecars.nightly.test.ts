/** Every row of the tables of builtin-plugins/sidecars/README.md as files, judged at the item and at the session. */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { besideMedia, excluding, type BesideCase } from '../support/library/named-sidecars.ts';
import { placeMedia } from '../support/library/placed-media.ts';
import { coverFile, hasFfmpeg } from '../support/media/media-files.ts';
import { allItems, firstScansOver } from '../support/servers/scan.ts';
import { startServer, type TestServer } from '../support/servers/server.ts';

interface ShownItem {
  readonly id: string;
  readonly title: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly assets: Readonly<Record<string, string>>;
  readonly linkedEntities: readonly { readonly id: string; readonly role: string }[];
  readonly files: readonly {
    readonly id: string;
    readonly type: string;
    readonly chapters: readonly { readonly title: string }[];
  }[];
}

interface Track {
  readonly kind: string;
  readonly language: string | null;
  readonly isForced: boolean;
  readonly isHearingImpaired: boolean;
  readonly url: string | null;
}

const cases = Object.entries(besideMedia).flatMap(([beside, { type, examples }], row) =>
  Object.entries(examples).map(([example, one]) => ({
    ...{ beside, example, type, library: `row-${row}`, one },
  })),
);
const exclusions = Object.entries(excluding).map(([words, one], at) => ({
  ...{ words, one, library: `excluded-${at}` },
}));

describe.skipIf(!hasFfmpeg)('what the page of the sidecars says (needs ffmpeg)', () => {
  let base = '';
  let server: TestServer;
  /** Ids of items by the path of a file. */
  const items = new Map<string, string>();

  beforeAll(async () => {
    base = mkdtempSync(path.join(tmpdir(), 'vitrine-beside-'));
    for (const { library, one } of cases) {
      for (const file of one.media) placeMedia(path.join(base, library, file));
      for (const [file, text] of Object.entries(one.beside)) put(library, file, text);
    }
    for (const { library, one } of exclusions) {
      for (const file of [...one.found, ...one.hidden]) placeMedia(path.join(base, library, file));
      for (const [file, text] of Object.entries(one.texts)) put(library, file, text);
    }
    const libraries = new Map<string, string>([
      ...cases.map(({ library, type }) => [library, type] as const),
      ...exclusions.map(({ library }) => [library, 'movies'] as const),
    ]);
    server = await startServer({
      args: [...libraries].flatMap(([name, type]) => [
        '--library',
        `${type}:${name}:${path.join(base, name)}`,
      ]),
    });
    await firstScansOver(server);
    for (const { id, files } of await allItems(server))
      for (const { uri } of files)
        items.set(decodeURIComponent(uri).slice(`file://${base}/`.length), id);
  }, 300_000);

  afterAll(async () => {
    await server.stop();
    rmSync(base, { recursive: true });
  });

  function put(library: string, file: string, text: string): void {
    const place = path.join(base, library, file);
    mkdirSync(path.dirname(place), { recursive: true });
    if (text === 'picture') copyFileSync(coverFile(), place);
    else writeFileSync(place, text);
  }

  test.each(cases)('$beside: $example', async ({ library, one }) => {
    const id = items.get(`${library}/${one.media[0]}`);
    const { item } = await server.get<{ item: ShownItem }>(`/api/items/${id}`);

    expect(await seen(item, one)).toEqual(wanted(one));
  });

  test.each(exclusions)('$words', ({ library, one }) => {
    const below = `${library}/`;
    const found = [...items.keys()].filter((file) => file.startsWith(below));

    expect(found.map((file) => file.slice(below.length)).sort()).toEqual([...one.found].sort());
  });

  /** Of an item what the case speaks of. */
  async function seen(item: ShownItem, one: BesideCase): Promise<object> {
    const { title, metadata, subtitles, chapters, lyrics, pictures, entities } = one;
    const media = item.files.filter(({ type }) => type === 'media');
    return {
      ...(title !== undefined && { title: item.title }),
      ...(metadata && {
        metadata: Object.fromEntries(Object.keys(metadata).map((key) => [key, item.metadata[key]])),
      }),
      ...(subtitles && { subtitles: await Promise.all(media.map(({ id }) => texts(item.id, id))) }),
      ...(chapters && { chapters: media[0]?.chapters.map((chapter) => chapter.title) }),
      ...(lyrics && { lyrics: await linesOf(item.id) }),
      ...(pictures && { pictures: Object.keys(item.assets).sort() }),
      ...(entities && { entities: await entitiesOf(item, entities) }),
    };
  }

  /** The text tracks of a session of the file, each of which is sent. */
  async function texts(itemId: string, fileId: string): Promise<readonly string[]> {
    const { body } = await server.request('POST', '/api/playback/sessions', {
      ...{ itemId, fileId, client: { mse: [], src: [], profile: 'vlc' } },
    });
    const { session } = body as {
      readonly session: { readonly progressUrl: string; readonly tracks: readonly Track[] };
    };
    const tracks = session.tracks.filter(({ kind }) => kind === 'subtitle');
    for (const { url } of tracks) {
      const reply = await fetch(new URL(url ?? '', server.url));
      const text = await reply.text();
      expect([reply.status, text.slice(0, 6), text.includes('-->')]).toEqual([200, 'WEBVTT', true]);
    }
    await server.request('DELETE', session.progressUrl);
    return tracks.map(({ language, isForced, isHearingImpaired }) =>
      [language, ...(isForced ? ['forced'] : []), ...(isHearingImpaired ? ['sdh'] : [])].join(' '),
    );
  }

  async function linesOf(itemId: string): Promise<readonly string[]> {
    const { lines } = await server.get<{ lines: readonly { text: string }[] }>(
      `/api/items/${itemId}/lyrics`,
    );
    return lines.map(({ text }) => text);
  }

  async function entitiesOf(
    { linkedEntities }: ShownItem,
    roles: NonNullable<BesideCase['entities']>,
  ): Promise<object> {
    const found: Record<string, unknown> = {};
    for (const [role, { name, overview, picture }] of Object.entries(roles)) {
      const link = linkedEntities.find((one) => one.role === role);
      const { entity } = await server.get<{
        entity: {
          readonly name: string;
          readonly metadata: Readonly<Record<string, unknown>>;
          readonly picture: unknown;
        };
      }>(`/api/entities/${link?.id}`);
      found[role] = {
        ...(name !== undefined && { name: entity.name }),
        ...(overview !== undefined && { overview: entity.metadata['overview'] }),
        ...(picture === true && { picture: entity.picture !== null }),
      };
    }
    return found;
  }
});

function wanted({ title, metadata, subtitles, media, ...one }: BesideCase): object {
  const { chapters, lyrics, pictures, entities } = one;
  return {
    ...(title !== undefined && { title }),
    ...(metadata && { metadata }),
    ...(subtitles && { subtitles: media.map(() => subtitles) }),
    ...(chapters && { chapters }),
    ...(lyrics && { lyrics }),
    ...(pictures && { pictures }),
    ...(entities && { entities }),
  };
}
