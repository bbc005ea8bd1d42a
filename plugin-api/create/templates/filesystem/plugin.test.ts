import type { FileEntry, FileListing, ListFilesInput } from '@vitrine/plugin-api';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openPlugin, type PluginUnderTest } from 'vitrine/plugin-test';

const top = 'template-filesystem-scheme://files';
const host = 'media.example.org';
const mtime = 'Wed, 15 Mar 2023 09:41:05 GMT';
const folder = (name: string) => ({ name, type: 'directory', mtime });
const file = (name: string, size = 10) => ({ name, type: 'file', mtime, size });
const film = '0123456789';

let plugin: PluginUnderTest;

beforeAll(async () => {
  plugin = await openPlugin(import.meta.dirname, {
    configuration: { address: `https://${host}/files/` },
  });
});

beforeEach(() => {
  serve('', [folder('Films'), file('a b.mkv'), folder('Films 2'), file('note.txt')]);
  serve('Films/', [file('Heat.mkv'), folder('.hidden'), folder('Alien')]);
  serve('Films/.hidden/', [file('secret.mkv')]);
  serve('Films/Alien/', [file('Alien (1979).MKV'), file('Älien #1.mkv')]);
  serve('Films%202/', []);
});

afterAll(() => plugin.close());

/** The entries of a folder on the web server. */
function serve(path: string, entries: readonly unknown[]): void {
  plugin.net.answer(`https://${host}/files/${path}`, (request) =>
    request.url === `https://${host}/files/${path}` ? { body: entries } : { status: 404 },
  );
}

const list = (input: Partial<ListFilesInput> = {}): Promise<FileListing> =>
  plugin.call('filesystem.list', { uri: top, ...input });
const names = (entries: readonly FileEntry[]) =>
  entries.map(({ uri }) => uri.slice(top.length + 1));

test('lists a folder with sizes and times, its names percent-encoded', async () => {
  const { entries, cursor } = await list();

  expect(names(entries)).toEqual(['Films', 'Films%202', 'a%20b.mkv', 'note.txt'].sort(byPlace));
  expect(cursor).toBeNull();
  expect(entries.find(({ uri }) => uri.endsWith('a%20b.mkv'))).toEqual({
    uri: `${top}/a%20b.mkv`,
    kind: 'file',
    size: 10,
    modifiedAt: Date.parse(mtime),
  });
});

/** As URIs are ordered, where a folder ends in a slash. */
const byPlace = (one: string, other: string): number =>
  (one.includes('.') ? one : `${one}/`) < (other.includes('.') ? other : `${other}/`) ? -1 : 1;

const whole = ['Films/Alien/%C3%84lien%20%231.mkv', 'Films/Alien/Alien%20(1979).MKV'].concat([
  'Films/Heat.mkv',
  'a%20b.mkv',
]);

test('lists the tree in the order of URIs, filtered by extensions and ignored names', async () => {
  const { entries, cursor } = await list({ recursive: true, extensions: ['mkv'], ignore: ['.*'] });

  expect(names(entries)).toEqual(whole);
  expect(cursor).toBeNull();
});

test.each([1, 2, 3])('gives the same in pages of %i', async (limit) => {
  const found: string[] = [];
  let cursor: string | null = null;
  do {
    const page: FileListing = await list({
      recursive: true,
      extensions: ['mkv'],
      ignore: ['.*'],
      limit,
      cursor,
    });
    found.push(...names(page.entries));
    expect(page.cursor === null || page.cursor > (cursor ?? '')).toBe(true);
    ({ cursor } = page);
  } while (cursor !== null);

  expect(found).toEqual(whole);
});

test('reports a folder that cannot be read, and lists the others', async () => {
  plugin.net.answer(`https://${host}/files/Films/Alien/`, { status: 403 });

  const { entries, problems } = await list({
    recursive: true,
    extensions: ['mkv'],
    ignore: ['.*'],
  });

  expect(names(entries)).toEqual(['Films/Heat.mkv', 'a%20b.mkv']);
  expect(problems).toMatchObject([{ uri: `${top}/Films/Alien`, code: 'unreadable' }]);
});

test('reads a range, also from a server without ranges', async () => {
  plugin.net.answer(`https://${host}/files/Films/Heat.mkv`, ({ headers }) =>
    headers['range'] === 'bytes=8-11'
      ? { status: 206, headers: { 'content-range': 'bytes 8-9/10' }, body: film.slice(8) }
      : { status: 416 },
  );
  plugin.net.answer(`https://${host}/files/a%20b.mkv`, { body: film });
  const read = async (name: string, offset: number, length: number) => {
    const bytes = await plugin.call('filesystem.read', { uri: `${top}/${name}`, offset, length });
    return new TextDecoder().decode(bytes);
  };

  expect(await read('Films/Heat.mkv', 8, 4)).toBe('89');
  expect(await read('Films/Heat.mkv', 99, 4)).toBe('');
  expect(await read('a%20b.mkv', 2, 3)).toBe('234');
});

test('describes files and folders, and refuses missing ones', async () => {
  const stat = (uri: string) => plugin.call('filesystem.stat', { uri });

  expect(await stat(`${top}/Films/Heat.mkv`)).toMatchObject({ kind: 'file', size: 10 });
  expect(await stat(`${top}/Films`)).toMatchObject({ kind: 'folder' });
  expect(await stat(top)).toMatchObject({ kind: 'folder' });
  await expect(stat(`${top}/Films/Gone.mkv`)).rejects.toMatchObject({ code: 'not_found' });
});

test('leaves out invalid names and sizes of a listing', async () => {
  serve('', [file('..'), file('a/b'), file('x.mkv', -1), { name: 5 }, null, file('good.mkv')]);

  expect(names((await list()).entries)).toEqual(['good.mkv']);
});

test('says why a root cannot be used', async () => {
  const validate = (uri: string) => plugin.call('filesystem.validate', { uri });
  serve('Films%202/', 'no listing' as never);

  expect(await validate(top)).toEqual({ ok: true });
  expect(await validate(`${top}/Films%202`)).toMatchObject({ ok: false });
  expect(await validate('template-filesystem-scheme://other')).toEqual({
    ok: false,
    message: expect.stringContaining(`A root is ${top}`) as string,
  });
});
