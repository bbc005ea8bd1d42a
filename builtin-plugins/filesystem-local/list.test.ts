import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import type {
  DiskEntry,
  DiskFolder,
  FileEntry,
  FileProblem,
  Host,
  ListFilesInput,
} from '../../plugin-api/index.ts';
import { list } from './list.ts';
import { rounds } from '../../test/support/run/nightly.ts';

/** A tree of the test: names to sizes of files, or to folders. */
interface Tree {
  readonly [name: string]: number | Tree;
}

/** A disk with a tree below `/media` that returns at most `maxEntries` entries a call. */
function diskOf(tree: Tree, maxEntries = Infinity) {
  let hostCalls = 0;
  const broken = new Map<string, NonNullable<DiskFolder['error']>['code']>();

  function entriesOf(folder: Tree): readonly DiskEntry[] {
    const keys = Object.entries(folder).map(([name, child]) => {
      const isFile = typeof child === 'number';
      const entry: DiskEntry = {
        name: encodeURIComponent(name),
        kind: isFile ? 'file' : 'folder',
        size: isFile ? child : 0,
        modifiedAt: 0,
      };
      return { key: isFile ? entry.name : `${entry.name}/`, entry };
    });
    return keys.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ entry }) => entry);
  }

  function find(path: string): Tree | null {
    let folder: Tree = { media: tree };
    for (const name of path.split('/').slice(1)) {
      const [, child] =
        Object.entries(folder).find(([own]) => encodeURIComponent(own) === name) ?? [];
      if (typeof child !== 'object') return null;
      folder = child;
    }
    return folder;
  }

  function listFolder(
    path: string,
    after: string | undefined,
    room: number,
    extensions?: readonly string[],
  ): DiskFolder {
    const code = broken.get(path) ?? (find(path) ? undefined : 'not_found');
    if (code) return { path, entries: [], problems: [], error: { code, message: code } };
    const isAsked = ({ kind, name }: DiskEntry): boolean =>
      kind === 'folder' || !extensions || extensions.some((text) => name.endsWith(`.${text}`));
    const all = entriesOf(find(path) ?? {}).filter(isAsked);
    const rest = all.filter(
      ({ name, kind }) => after === undefined || (kind === 'folder' ? `${name}/` : name) > after,
    );
    const entries = rest.slice(0, Math.max(1, room));
    const remaining = rest.length - entries.length;
    const skipped = all.length - rest.length;
    return { path, entries, problems: [], skipped, ...(remaining > 0 && { remaining }) };
  }

  const disk = {
    list: ({ paths, after = {}, extensions }: Parameters<Host['disk']['list']>[0]) => {
      hostCalls += 1;
      const folders: DiskFolder[] = [];
      let room = maxEntries;
      for (const path of paths) {
        if (room <= 0) break;
        const folder = listFolder(path, after[path], room, extensions);
        folders.push(folder);
        room -= folder.entries.length + 1;
      }
      return Promise.resolve({ folders });
    },
  };
  // The plugin's listing makes no other host call.
  const host = { disk } as unknown as Host;
  return { host, hostCalls: () => hostCalls, broken };
}

/** Every file below, sorted by the bytes of its URI. */
function filesOf(tree: Tree, uri = 'file:///media'): readonly string[] {
  const found = Object.entries(tree).flatMap(([name, child]) => {
    const own = `${uri}/${encodeURIComponent(name)}`;
    return typeof child === 'number' ? [own] : filesOf(child, own);
  });
  return found.sort((a, b) => (a < b ? -1 : 1));
}

const uris = (entries: readonly FileEntry[]): readonly string[] => entries.map(({ uri }) => uri);

/** Pages to the end; `limitOf` gives the length of the next one, `between` runs after each. */
async function allPages(
  host: Host,
  input: Partial<ListFilesInput> = {},
  limitOf: () => number = () => 500,
  between: () => void = () => undefined,
) {
  const pages: string[][] = [];
  const cursors: string[] = [];
  const problems: FileProblem[] = [];
  for (let cursor: string | null = null; ;) {
    const page = await list(
      { uri: 'file:///media', recursive: true, cursor, limit: limitOf(), ...input },
      host,
    );
    pages.push([...uris(page.entries)]);
    problems.push(...page.problems);
    if (page.cursor === null) return { files: pages.flat(), pages, cursors, problems };
    cursors.push(page.cursor);
    cursor = page.cursor;
    between();
  }
}

/** Lets the walks that the plugin keeps between pages expire. */
function coolDown(): void {
  vi.setSystemTime(Date.now() + 3_600_000);
}

const nameArbitrary = fc
  .oneof(
    fc.constantFrom(
      'a',
      'a b',
      'a-b',
      'a.b',
      'a!',
      "a'",
      'a0',
      'A',
      'ä',
      'ab',
      'b',
      '.',
      '~',
      '🎬',
      '%',
      '\n',
    ),
    fc.string({ minLength: 1, maxLength: 3, unit: 'grapheme' }),
  )
  .filter(
    (name) =>
      !name.includes('/') &&
      !name.includes('\0') &&
      name !== '.' &&
      name !== '..' &&
      name.isWellFormed(),
  );

/** Texts that look like places in a tree, and others. */
const cursorArbitrary = fc.oneof(
  fc.string({ maxLength: 4 }),
  fc
    .array(fc.constantFrom('a', 'b', '/', 'A', '%', '%20', '.', '~', '-'))
    .map((all) => all.join('')),
);

const { tree: treeArbitrary } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc
    .dictionary(nameArbitrary, fc.oneof({ depthSize: 'small' }, fc.nat(9), tie('tree')), {
      maxKeys: 7,
      noNullPrototype: true,
    })
    .filter((tree) => !Object.hasOwn(tree, '__proto__')),
}));

describe('filesystem.list, recursive', () => {
  test('gives exactly the sorted files of the tree, in pages of any size', async () => {
    await fc.assert(
      fc.asyncProperty(
        treeArbitrary,
        fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1 }),
        fc.integer({ min: 1, max: 8 }),
        async (tree, limits, room) => {
          const { host } = diskOf(tree, room);
          let turn = 0;
          const { files, pages } = await allPages(
            host,
            {},
            () => limits[(turn += 1) % limits.length] ?? 1,
          );
          expect(files).toEqual(filesOf(tree));
          expect(Math.max(...pages.map(({ length }) => length))).toBeLessThanOrEqual(5);
        },
      ),
      { numRuns: rounds(50, 200) },
    );
  });

  test('resumes at every cursor without any memory, with the same result', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      await fc.assert(
        fc.asyncProperty(treeArbitrary, fc.integer({ min: 1, max: 4 }), async (tree, limit) => {
          const { host } = diskOf(tree, 6);
          const cold = await allPages(host, {}, () => limit, coolDown);
          expect(cold.files).toEqual(filesOf(tree));
          for (const cursor of cold.cursors) {
            coolDown();
            const rest = await allPagesFrom(host, cursor);
            expect(rest).toEqual(filesOf(tree).filter((uri) => uri > cursor));
          }
        }),
        { numRuns: rounds(25, 100) },
      );
    } finally {
      vi.useRealTimers();
    }
  });

  test('accepts any text as a cursor and lists what sorts after it', async () => {
    await fc.assert(
      fc.asyncProperty(treeArbitrary, cursorArbitrary, async (tree, text) => {
        const { host } = diskOf(tree, 10);
        for (const cursor of [text, `file:///media/${text}`, `file:///media${text}`]) {
          expect(await allPagesFrom(host, cursor)).toEqual(
            filesOf(tree).filter((uri) => uri > cursor),
          );
        }
      }),
      { numRuns: rounds(75, 300) },
    );
  });

  async function allPagesFrom(host: Host, from: string): Promise<readonly string[]> {
    const files: string[] = [];
    for (let cursor: string | null = from; cursor !== null;) {
      const page = await list({ uri: 'file:///media', recursive: true, cursor, limit: 3 }, host);
      files.push(...uris(page.entries));
      cursor = page.cursor;
    }
    return files;
  }

  test('uses the host of its own call, also when it continues a walk of another call', async () => {
    const tree: Tree = Object.fromEntries(
      Array.from({ length: 600 }, (_, folder) => [`f${folder}`, { 'a.mkv': 1, 'b.mkv': 2 }]),
    );
    const { host } = diskOf(tree);
    const found: string[] = [];
    for (let cursor: string | null = null, isMore = true; isMore;) {
      let hasEnded = false;
      // A host ends with its call.
      const ownHost = {
        disk: {
          list: (asked: Parameters<Host['disk']['list']>[0]) =>
            hasEnded ? Promise.reject(new Error('The call has ended.')) : host.disk.list(asked),
        },
      } as unknown as Host;
      const input = { uri: 'file:///media', recursive: true, cursor, limit: 50 };
      const page = await list(input, ownHost);
      hasEnded = true;
      found.push(...uris(page.entries));
      cursor = page.cursor;
      isMore = cursor !== null;
    }

    expect(found).toEqual(filesOf(tree));
  });

  test('reads 3,000 folders in a few dozen host calls', async () => {
    const season = { 'e1.mkv': 1, 'e2.mkv': 1 };
    const shows = Array.from({ length: 750 }, (_, index) => [
      `show ${index}`,
      { 's 1': season, 's 2': season, extras: { 'x.mkv': 1 } },
    ]);
    const { host, hostCalls } = diskOf(Object.fromEntries(shows));

    const { files } = await allPages(host);

    expect(files).toHaveLength(3750);
    expect(hostCalls()).toBeLessThan(40);
  });

  test('lists only the extensions', async () => {
    const { host } = diskOf({ 'a.mkv': 1, 'b.mp4': 1, c: { 'd.mkv': 1, 'd.nfo': 1 } });

    const { files } = await allPages(host, { extensions: ['mkv'] });

    expect(files).toEqual(['file:///media/a.mkv', 'file:///media/c/d.mkv']);
  });

  test('leaves out ignored names with everything below, and never reads them', async () => {
    const { host, hostCalls, broken } = diskOf({
      '@eaDir': { 'film.mkv': 1 },
      '.git': { 'film.mkv': 1 },
      'film.mkv': 1,
      '.film.mkv': 1,
      'Sample-a-b': { 'film.mkv': 1 },
    });
    broken.set('/media/.git', 'unreadable');

    const { files } = await allPages(host, { ignore: ['.*', '@EADIR', 'sample*a*b'] });

    expect(files).toEqual(['file:///media/film.mkv']);
    expect(hostCalls()).toBe(1);
  });

  test('reports a folder that cannot be read, and continues', async () => {
    const { host, broken } = diskOf({ a: { 'x.mkv': 1 }, b: { 'y.mkv': 1 } });
    broken.set('/media/a', 'unreadable');

    const page = await list({ uri: 'file:///media', recursive: true }, host);

    expect(uris(page.entries)).toEqual(['file:///media/b/y.mkv']);
    expect(page.problems).toEqual([
      { uri: 'file:///media/a', code: 'unreadable', message: 'It could not be read.' },
    ]);
  });

  test('refuses a root that does not exist, with the code of the disk', async () => {
    const { host } = diskOf({});

    await expect(list({ uri: 'file:///other', recursive: true }, host)).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  test('stops at 64 folders, and reports where', async () => {
    let tree: Tree = { 'too-deep.mkv': 1 };
    for (let depth = 0; depth < 65; depth += 1) tree = { d: tree };
    const { host } = diskOf({ ...tree, 'e.mkv': 1 });

    const { files, problems } = await allPages(host);

    expect(files).toEqual(['file:///media/e.mkv']);
    expect(problems).toMatchObject([{ uri: `file:///media${'/d'.repeat(65)}`, code: 'too-deep' }]);
  });

  test('estimates how much of the tree is done, never less than before', async () => {
    const folder = { 'a.mkv': 1, 'b.mkv': 1, 'c.mkv': 1 };
    const { host } = diskOf({ a: folder, b: folder, c: folder, d: folder });
    const progress: (number | undefined)[] = [];
    for (let cursor: string | null = null, isFirst = true; isFirst || cursor !== null;) {
      isFirst = false;
      const page = await list({ uri: 'file:///media', recursive: true, cursor, limit: 3 }, host);
      progress.push(page.progress);
      cursor = page.cursor;
    }

    expect(progress).toEqual([0.25, 0.5, 0.75, 1, 1].slice(0, progress.length));
  });

  test('ends a page early when it finds few files, so a step stays short', async () => {
    const dull = Object.fromEntries(Array.from({ length: 30_000 }, (_, i) => [`.f${i}`, 1]));
    const { host } = diskOf({ dull, 'z.mkv': 1 }, 5000);

    const { files, pages } = await allPages(host, { ignore: ['.*'] });

    expect(files).toEqual(['file:///media/z.mkv']);
    expect(pages.length).toBeGreaterThan(1);
  });
});

describe('filesystem.list, one folder', () => {
  test('gives files and folders in pages, in the order of URIs', async () => {
    const { host } = diskOf({ 'a-b': 1, a: { x: 1 }, 'a.c': 2, b: 3 });
    const first = await list({ uri: 'file:///media', limit: 3 }, host);
    const second = await list({ uri: 'file:///media', limit: 3, cursor: first.cursor }, host);

    expect(first).toMatchObject({ cursor: 'file:///media/a/' });
    expect(uris(first.entries)).toEqual([
      'file:///media/a-b',
      'file:///media/a.c',
      'file:///media/a',
    ]);
    expect(second).toEqual({
      entries: [{ uri: 'file:///media/b', kind: 'file', size: 3, modifiedAt: 0 }],
      cursor: null,
      problems: [],
    });
  });

  test.each(['http://host/a', 'file://host/a', 'file:', '/media'])('refuses %s', async (uri) => {
    const { host } = diskOf({});

    await expect(list({ uri }, host)).rejects.toMatchObject({ code: 'invalid_argument' });
  });
});

describe('the digest of a page', () => {
  const uri = 'file:///media';

  test('is the same while the entries are unchanged', async () => {
    const films: Record<string, number> = { 'a.mkv': 1, 'b.mkv': 2 };
    const { host } = diskOf(films);
    const { digest = '' } = await list({ uri, recursive: true }, host);

    const again = await list({ uri, recursive: true, known: digest }, host);
    expect(again).toMatchObject({ entries: [], digest, isKnown: true, cursor: null });

    for (const change of [{ 'a.mkv': 3 }, { 'c.mkv': 1 }, { 'a.mkv': 1, 'b.mkv': 2, 'd.mkv': 0 }]) {
      const other = await list(
        { uri, recursive: true, known: digest },
        diskOf({ ...films, ...change }).host,
      );
      expect(other.isKnown).toBeUndefined();
      expect(other.entries.length).toBeGreaterThan(0);
    }
  });

  test('is missing when there are problems', async () => {
    const { host, broken } = diskOf({ 'a.mkv': 1, sub: {} });
    broken.set('/media/sub', 'unreadable');

    const page = await list({ uri, recursive: true }, host);

    expect(page.problems).toHaveLength(1);
    expect(page.digest).toBeUndefined();
  });

  test('is soon the same again after an added file', async () => {
    const films = Object.fromEntries(
      Array.from({ length: 4000 }, (_, at) => [`Film ${String(at).padStart(5, '0')}.mkv`, at]),
    );
    const digests = async (tree: Tree): Promise<readonly string[]> => {
      const { host } = diskOf(tree);
      const found: string[] = [];
      for (let cursor: string | null = null; ;) {
        const page = await list({ uri, recursive: true, cursor, limit: 200 }, host);
        found.push(page.digest ?? '');
        if (page.cursor === null) return found;
        cursor = page.cursor;
      }
    };

    const before = await digests(films);
    const after = await digests({ ...films, 'A film that came.mkv': 1 });

    const same = after.filter((digest) => before.includes(digest));
    expect(same.length).toBeGreaterThan(before.length * 0.8);
  });
});
