import { describe, expect, test } from 'vitest';
import type {
  FileListing,
  Host,
  JobRunInput,
  ListFilesInput,
  ReconcileInput,
} from '../../plugin-api/index.ts';
import { runScan } from './run-scan.ts';

const root = 'file:///r';
const ends = ['a', 'b', 'c', null].map((name) => name && `${root}/${name}.mkv`);

const input: JobRunInput = {
  jobId: 'job',
  type: 'scan',
  libraryId: 'library',
  payload: { roots: [root], extensions: ['mkv'], patterns: [] },
  checkpoint: null,
};

/** The page that begins at a place, with a digest of its content. */
function pageAt(cursor: string | null, sizes: ReadonlyMap<string, number>): FileListing {
  const through = ends[cursor === null ? 0 : ends.indexOf(cursor) + 1] ?? null;
  const uri = through ?? `${root}/d.mkv`;
  const size = sizes.get(uri) ?? 7;
  const entries = [{ uri, kind: 'file', size, modifiedAt: 5 } as const];
  return { entries, problems: [], cursor: through, digest: `${uri} ${size}` };
}

/** A disk that skips known pages, and a library that records what was reconciled. */
function setting() {
  const sizes = new Map<string, number>();
  const listed: ListFilesInput[] = [];
  const brought: ReconcileInput[] = [];
  const known = new Map<
    string | null,
    { readonly through: string | null; readonly digest: string }
  >();
  let forgotten = false;

  async function list(asked: ListFilesInput): Promise<FileListing> {
    listed.push(asked);
    const { cursor = null, known: first, knownThrough = null, knownNext = [] } = asked;
    const run = first === undefined ? [] : [{ digest: first, through: knownThrough }, ...knownNext];
    let from = cursor;
    let passed: FileListing | undefined;
    for (const { digest, through } of run) {
      if (pageAt(from, sizes).digest !== digest)
        return passed ? { ...passed, wantsParts: true } : pageAt(cursor, sizes);
      passed = { entries: [], problems: [], cursor: through, digest, isKnown: true };
      from = through;
    }
    return passed ?? pageAt(cursor, sizes);
  }

  async function reconcile(page: ReconcileInput) {
    if (page.isKnown && forgotten)
      throw Object.assign(new Error('Another page.'), { code: 'conflict' });
    brought.push(page);
    const { after, through, digest } = page;
    if (digest !== undefined && !page.isKnown) known.set(after, { through, digest });
    return { added: page.files.length, changed: 0, moved: 0, gone: 0, unchanged: 0 };
  }

  const pages = async () => ({
    pages: [...known].map(([after, page]) => ({ after, ...page })),
  });
  // A scan makes no other host call.
  const host = { fs: { list }, library: { pages, reconcile } } as unknown as Host;

  async function scan() {
    listed.length = 0;
    brought.length = 0;
    expect(await runScan(input, host)).toMatchObject({ done: true });
    return { listed, brought };
  }

  return { scan, sizes, forget: () => (forgotten = true) };
}

describe('consecutive unchanged pages', () => {
  test('are requested and reconciled together', async () => {
    const { scan } = setting();
    const first = (await scan()).brought.map(({ digest }) => digest);
    expect(first).toHaveLength(4);

    const { listed, brought } = await scan();

    expect(listed).toHaveLength(1);
    expect(brought).toEqual([
      expect.objectContaining({ after: null, through: null, isKnown: true, digests: first }),
    ]);
  });

  test('are reconciled up to the first changed one, which is requested with its parts', async () => {
    const { scan, sizes } = setting();
    await scan();
    sizes.set(`${root}/c.mkv`, 8);

    const { listed, brought } = await scan();

    expect(brought.map(({ through, isKnown, files }) => [through, isKnown, files.length])).toEqual([
      [`${root}/b.mkv`, true, 0],
      [`${root}/c.mkv`, undefined, 1],
      [null, true, 0],
    ]);
    expect(listed.map(({ knownNext = [] }) => knownNext.length)).toEqual([3, 0, 0]);
  });

  test('are each sent with all files when the library no longer agrees', async () => {
    const { scan, forget } = setting();
    await scan();
    forget();

    const { brought } = await scan();

    expect(brought.map(({ through }) => through)).toEqual(ends);
    expect(brought.every(({ files }) => files.length === 1)).toBe(true);
  });
});
