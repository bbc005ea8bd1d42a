/** Every row of docs/naming.md as files of a library, judged at the item and at the session that plays it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { naming, type NamedItem } from '../support/library/named-files.ts';
import { placeMedia } from '../support/library/placed-media.ts';
import { hasFfmpeg } from '../support/media/media-files.ts';
import { firstScansOver } from '../support/servers/scan.ts';
import { startServer, type TestServer } from '../support/servers/server.ts';

interface ShownItem {
  readonly id: string;
  readonly title: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly files: readonly {
    readonly id: string;
    readonly uri: string;
    readonly type: string;
    readonly mediaKind: string;
    readonly classification: string;
  }[];
}

const isPlayed = ({ mediaKind }: ShownItem['files'][number]) =>
  mediaKind === 'video' || mediaKind === 'audio';

describe.skipIf(!hasFfmpeg)('what docs/naming.md says (needs ffmpeg)', () => {
  const cases = Object.entries(naming).map(([words, library], at) => ({
    words,
    ...library,
    name: `${library.type}-${at}`,
  }));
  let base = '';
  let server: TestServer;

  beforeAll(async () => {
    base = mkdtempSync(path.join(tmpdir(), 'vitrine-named-'));
    for (const { name, items } of cases)
      for (const file of items.flatMap(({ main, extras }) => [...main, ...extras]))
        placeMedia(path.join(base, name, file));
    for (const { name, items } of cases)
      for (const [file, text] of items.flatMap(({ beside = {} }) => Object.entries(beside)))
        writeFileSync(path.join(base, name, file), text);
    server = await startServer({
      args: cases.flatMap(({ type, name }) => [
        '--library',
        `${type}:${name}:${path.join(base, name)}`,
      ]),
    });
    await firstScansOver(server);
  });

  afterAll(async () => {
    await server.stop();
    rmSync(base, { recursive: true });
  });

  test.each(cases)('$words', async ({ name, items }) => {
    const { libraries } = await server.get<{
      readonly libraries: readonly { readonly id: string; readonly name: string }[];
    }>('/api/libraries');
    const { id } = libraries.find((library) => library.name === name) ?? {};
    const list = await server.get<{ readonly items: readonly { readonly id: string }[] }>(
      `/api/items?libraryId=${id}&limit=100`,
    );
    const shown = await Promise.all(list.items.map((item) => look(item.id, name)));

    expect(shown.map(({ main, extras }) => [main, extras]).sort()).toEqual(
      items.map(({ main, extras }) => [main, extras]).sort(),
    );
    for (const item of items) {
      const [first] = [...item.main, ...item.extras];
      const found = shown.find(({ main, extras }) => [...main, ...extras][0] === first);
      const metadata = Object.keys(item.metadata).map((key) => [key, found?.metadata[key]]);
      expect([found?.title, Object.fromEntries(metadata)]).toEqual([item.title, item.metadata]);
    }
    for (const { played } of shown) expect(played.every((way) => way === 'direct')).toBe(true);
  });

  /** An item, and how each of its files is played. */
  async function look(id: string, library: string) {
    const { item } = await server.get<{ readonly item: ShownItem }>(`/api/items/${id}`);
    const below = `${encodeURI(path.join(base, library))}/`;
    const nameOf = ({ uri }: ShownItem['files'][number]) =>
      decodeURIComponent(uri.slice(uri.indexOf(below) + below.length));
    const files = item.files.filter(({ type }) => type === 'media');
    const main = files.filter(({ classification }) => classification === 'primary');
    const ofItem = await begin(id);
    if (main.some(isPlayed)) expect(ofItem.fileId).toBe(main[0]?.id);
    const played = await Promise.all(
      files.filter(isPlayed).map(async (file) => (await begin(id, file.id)).mode),
    );
    return {
      title: item.title,
      metadata: item.metadata,
      main: main.map(nameOf),
      extras: files.filter((file) => !main.includes(file)).map(nameOf),
      played,
    } satisfies NamedItem & { readonly played: readonly (string | undefined)[] };
  }

  async function begin(itemId: string, fileId?: string) {
    const { body } = await server.request('POST', '/api/playback/sessions', {
      itemId,
      ...(fileId === undefined ? {} : { fileId }),
      client: { mse: [], src: [], profile: 'vlc' },
    });
    const { session } = body as {
      readonly session?: { readonly id: string; readonly fileId: string; readonly mode: string };
    };
    if (session) await server.request('DELETE', `/api/playback/sessions/${session.id}`);
    return { fileId: session?.fileId, mode: session?.mode };
  }
});
