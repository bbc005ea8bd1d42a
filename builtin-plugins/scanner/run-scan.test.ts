import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type {
  FileEntry,
  FileListing,
  FileProblem,
  Host,
  JobRunInput,
  ListFilesInput,
  ReconcileInput,
} from '../../plugin-api/index.ts';
import { runScan } from './run-scan.ts';

const counts = { added: 1, changed: 0, moved: 0, gone: 0, unchanged: 0 };

/** A host whose listings the test makes, and which records what was reconciled. */
function hostOf(list: (input: ListFilesInput) => FileListing | Promise<FileListing>) {
  const listed: ListFilesInput[] = [];
  const pages: ReconcileInput[] = [];
  const host = {
    fs: {
      list: async (input: ListFilesInput) => {
        listed.push(input);
        return list(input);
      },
    },
    library: {
      pages: async () => ({ pages: [] }),
      reconcile: async (page: ReconcileInput) => {
        pages.push(page);
        return counts;
      },
    },
  };
  // A scan makes no other host call.
  return { host: host as unknown as Host, listed, pages };
}

function file(uri: string): FileEntry {
  return { uri, kind: 'file', size: 7, modifiedAt: 5 };
}

function listing(
  uris: readonly string[],
  cursor: string | null,
  problems: readonly FileProblem[] = [],
): FileListing {
  return { entries: uris.map(file), cursor, problems, progress: 0.5 };
}

const unreadable = (uri: string): FileProblem => ({ uri, code: 'unreadable', message: 'No.' });
const refusal = (code: string) => Object.assign(new Error(`It is ${code}.`), { code });

function job(more: Partial<JobRunInput> = {}): JobRunInput {
  return {
    jobId: 'job',
    type: 'scan',
    libraryId: 'library',
    payload: { roots: ['file:///r'], extensions: ['mkv'], patterns: [] },
    checkpoint: null,
    ...more,
  };
}

/** Steps until the scan is done; each checkpoint passes through JSON, as when it is stored. */
async function toEnd(host: Host, input: JobRunInput = job()) {
  let checkpoint: unknown = input.checkpoint;
  for (let steps = 1; ; steps += 1) {
    const result = await runScan({ ...input, checkpoint }, host);
    if (result.done) return { result: result.result ?? {}, steps };
    checkpoint = JSON.parse(JSON.stringify(result.checkpoint));
  }
}

/** Three pages of one root. */
function threePages({ cursor }: ListFilesInput): FileListing {
  if (cursor === null) return listing(['file:///r/a.mkv', 'file:///r/b.mkv'], 'file:///r/b.mkv');
  if (cursor === 'file:///r/b.mkv') return listing([], 'file:///r/d/');
  return listing(['file:///r/z.mkv'], null);
}

describe('job.run of a scan', () => {
  test('reconciles page after page, which together cover the whole root', async () => {
    const { host, listed, pages } = hostOf(threePages);

    const { result } = await toEnd(host);

    expect(pages.map(({ after, through, files }) => [after, through, files.length])).toEqual([
      [null, 'file:///r/b.mkv', 2],
      ['file:///r/b.mkv', 'file:///r/d/', 0],
      ['file:///r/d/', null, 1],
    ]);
    expect(pages[0]).toEqual({
      libraryId: 'library',
      root: 'file:///r',
      after: null,
      through: 'file:///r/b.mkv',
      files: [
        { uri: 'file:///r/a.mkv', size: 7, modifiedAt: 5 },
        { uri: 'file:///r/b.mkv', size: 7, modifiedAt: 5 },
      ],
      unreadable: [],
    });
    expect(result).toMatchObject({ files: 3, added: 3, problemCount: 0, failedRoots: [] });
    expect(listed[0]).toMatchObject({ uri: 'file:///r', recursive: true, extensions: ['mkv'] });
    expect(listed[0]?.ignore).toEqual(expect.arrayContaining(['.*', '@eaDir', 'lost+found']));
  });

  test('lists the next page while the present one is reconciled', async () => {
    const isListed = Promise.withResolvers<null>();
    const { host } = hostOf((input) => {
      if (input.cursor === 'file:///r/b.mkv') isListed.resolve(null);
      return threePages(input);
    });
    const reconcile = async (page: ReconcileInput) => {
      if (page.after === null) await isListed.promise;
      return counts;
    };

    const { result } = await toEnd({ ...host, library: { ...host.library, reconcile } });

    expect(result).toMatchObject({ files: 3 });
  });

  describe('of a library that knows its pages', () => {
    const known = { after: 'file:///r/b.mkv', digest: 'd2' };

    /** Pages with digests; a listing for a known digest returns only that it is unchanged. */
    function knowingHost(reply: (page: ReconcileInput) => object) {
      const made = hostOf((input) => {
        const page = { ...threePages(input), digest: input.cursor === known.after ? 'd2' : 'd1' };
        return page.digest === input.known ? { ...page, entries: [], isKnown: true } : page;
      });
      const reconcile = async (page: ReconcileInput) => {
        made.pages.push(page);
        return reply(page);
      };
      let asked = '';
      const pages = async () => ({ pages: [{ ...known, digest: asked }] });
      const host = { ...made.host, library: { pages, reconcile } } as unknown as Host;
      return { ...made, host, knows: (digest: string) => (asked = digest) };
    }

    async function digestGiven(): Promise<string> {
      const first = knowingHost(() => counts);
      await toEnd(first.host);
      return first.pages[1]?.digest ?? '';
    }

    test('reconciles such a page by its digest alone, and counts its files', async () => {
      const { host, listed, pages, knows } = knowingHost((page) =>
        page.isKnown ? { ...counts, added: 0, unchanged: 9, files: 9 } : counts,
      );
      knows(await digestGiven());

      const { result } = await toEnd(host);

      expect(listed.map((input) => input.known)).toEqual([undefined, 'd2', undefined]);
      expect(pages.map(({ isKnown, files }) => [isKnown, files.length])).toEqual([
        [undefined, 2],
        [true, 0],
        [undefined, 1],
      ]);
      expect(result).toMatchObject({ files: 12, unchanged: 9 });
    });

    test('reconciles it with its files when the library no longer agrees', async () => {
      const { host, pages, knows } = knowingHost((page) => {
        if (page.isKnown) throw refusal('conflict');
        return counts;
      });
      knows(await digestGiven());

      const { result } = await toEnd(host);

      expect(pages.map(({ after, isKnown }) => [after, isKnown])).toContainEqual([
        known.after,
        undefined,
      ]);
      expect(result).toMatchObject({ files: 3 });
    });

    test('covers the range of a page that ended elsewhere, in as many pages as needed', async () => {
      const through = 'file:///r/c.mkv';
      const made = hostOf(({ cursor, known: asked }) => {
        if (asked !== undefined) return { ...listing([], through), digest: asked, isKnown: true };
        const next = cursor === null ? 'file:///r/a.mkv' : through;
        const page =
          cursor === through ? listing(['file:///r/d.mkv'], null) : listing([next], next);
        return { ...page, digest: 'd' };
      });
      const reconcile = async (page: ReconcileInput) => {
        if (page.isKnown) throw refusal('conflict');
        made.pages.push(page);
        return counts;
      };
      const digest = await digestGiven();
      const pages = async () => ({ pages: [{ after: null, through, digest }] });

      const { result } = await toEnd({
        ...made.host,
        library: { pages, reconcile },
      } as unknown as Host);

      expect(made.listed[0]).toMatchObject({ known: 'd2', knownThrough: through });
      const ranges = made.pages.map((page) => `${page.after ?? ''} to ${page.through ?? ''}`);
      expect(ranges.toSorted()).toEqual([
        ' to file:///r/a.mkv',
        'file:///r/a.mkv to file:///r/c.mkv',
        'file:///r/c.mkv to ',
      ]);
      expect(result).toMatchObject({ files: 3, added: 3, failedRoots: [] });
    });

    describe('and digests of their files', () => {
      const stretch = { after: 'file:///r/b.mkv', through: 'file:///r/c.mkv' };

      /** One page that the library knows, of which a file has changed. */
      function changedHost(reply: (page: ReconcileInput) => object, isNonsense = false) {
        const made = hostOf((input) => {
          const page = { entries: [file('file:///r/c.mkv')], cursor: null, problems: [] };
          if (input.knownParts === null) return { ...page, entries: [], wantsParts: true };
          if (isNonsense) return { ...page, entries: [], wantsParts: true };
          const whole = { ...listing(['file:///r/a.mkv', 'file:///r/c.mkv'], null), digest: 'd9' };
          return input.known === undefined
            ? whole
            : { ...page, digest: 'd9', parts: 'p9', stretches: [stretch] };
        });
        const asked: object[] = [];
        const library = {
          pages: async (input: { readonly withParts?: true }) => {
            asked.push(input);
            const parts = input.withParts && { parts: 'p1' };
            return {
              pages: [{ after: null, through: null, digest: await digestGiven(), ...parts }],
            };
          },
          reconcile: async (page: ReconcileInput) => {
            made.pages.push(page);
            return reply(page);
          },
        };
        return { ...made, asked, host: { ...made.host, library } as unknown as Host };
      }

      test('lists and reconciles only the changes of a page', async () => {
        const { host, listed, pages } = changedHost(() => ({ ...counts, added: 0, files: 2 }));

        const { result } = await toEnd(host);

        expect(listed.map(({ knownParts }) => knownParts)).toEqual([null, 'p1']);
        const digest = await digestGiven();
        expect(pages).toEqual([
          {
            libraryId: 'library',
            root: 'file:///r',
            after: null,
            through: null,
            files: [{ uri: 'file:///r/c.mkv', size: 7, modifiedAt: 5 }],
            unreadable: [],
            digest: digest.replace('d2', 'd9'),
            parts: 'p9',
            stretches: [stretch],
            known: digest,
          },
        ]);
        expect(result).toMatchObject({ files: 2 });
      });

      test('lists all of it when the library no longer agrees', async () => {
        const { host, pages } = changedHost(({ stretches }) => {
          if (stretches) throw refusal('conflict');
          return counts;
        });

        const { result } = await toEnd(host);

        expect(pages.map(({ files, stretches }) => [files.length, stretches])).toEqual([
          [1, [stretch]],
          [2, undefined],
        ]);
        expect(result).toMatchObject({ files: 2 });
      });

      test('fails, and reports nothing as gone, when a filesystem never lists it', async () => {
        const { host, pages } = changedHost(() => counts, true);

        await expect(toEnd(host)).rejects.toThrow('requested the parts');

        expect(pages).toEqual([]);
      });
    });

    test('ignores known pages of another plan', async () => {
      const { host, listed, knows } = knowingHost(() => counts);
      knows(await digestGiven());

      await toEnd(host, job({ payload: { roots: ['file:///r'], extensions: ['mkv', 'mp4'] } }));

      expect(listed.map((input) => input.known)).toEqual([undefined, undefined, undefined]);
    });
  });

  test('resumes at its checkpoint, and repeats at most the page that was not stored', async () => {
    for (const failing of [1, 2, 3]) {
      const { host, pages } = hostOf(threePages);
      let calls = 0;
      const reconcile = async (page: ReconcileInput) => {
        calls += 1;
        if (calls === failing) throw refusal('killed');
        return host.library.reconcile(page);
      };
      const killed = { ...host, library: { ...host.library, reconcile } };
      await expect(toEnd(killed)).rejects.toMatchObject({ code: 'killed' });
      pages.length = 0;

      await toEnd(host);

      expect(pages.at(0)?.after).toBeNull();
      expect(pages.at(-1)?.through).toBeNull();
    }
  });

  test('starts again when the checkpoint has another format', async () => {
    const { host, pages } = hostOf(threePages);

    await toEnd(host, job({ checkpoint: { page: 7 } }));

    expect(pages[0]?.after).toBeNull();
  });

  test('reports folders that could not be read, until the pages are past them', async () => {
    const { host, pages } = hostOf(({ cursor }) => {
      if (cursor === null) return listing([], 'file:///r/a.mkv', [unreadable('file:///r/c')]);
      if (cursor === 'file:///r/a.mkv') return listing([], 'file:///r/c/x');
      if (cursor === 'file:///r/c/x') return listing([], 'file:///r/d.mkv');
      return listing([], null);
    });

    const { result } = await toEnd(host);

    expect(pages.map((page) => page.unreadable)).toEqual([
      ['file:///r/c'],
      ['file:///r/c'],
      ['file:///r/c'],
      [],
    ]);
    expect(result).toMatchObject({ problems: [unreadable('file:///r/c')], problemCount: 1 });
  });

  test('with too many unreadable folders to name, reports nothing of the root as gone', async () => {
    const many = Array.from({ length: 5000 }, (_, index) => unreadable(`file:///r/u${index}`));
    const { host, pages } = hostOf(() => listing(['file:///r/a.mkv'], null, many));

    const { result } = await toEnd(host);

    expect(pages[0]?.unreadable).toEqual(['file:///r']);
    expect(result).toMatchObject({ problemCount: 5000, problems: many.slice(0, 100) });
  });

  test('skips a root that cannot be reached, and reports nothing of it as gone', async () => {
    const { host, pages } = hostOf(({ uri }) => {
      if (uri === 'file:///gone') throw refusal('not_found');
      return listing(['file:///r/a.mkv'], null);
    });
    const payload = { roots: ['file:///gone', 'file:///r'], extensions: ['mkv'] };

    const { result } = await toEnd(host, job({ payload }));

    expect(pages.map(({ root }) => root)).toEqual(['file:///r']);
    expect(result).toMatchObject({
      files: 1,
      failedRoots: ['file:///gone'],
      problems: [{ uri: 'file:///gone', code: 'not-found' }],
    });
  });

  test('fails when no root can be reached, and says why', async () => {
    const { host, pages } = hostOf(() => {
      throw refusal('unreadable');
    });

    await expect(toEnd(host)).rejects.toThrow('file:///r: It is unreadable.');
    expect(pages).toEqual([]);
  });

  test('leaves a failure that does not concern the root to the job queue', async () => {
    const { host } = hostOf(() => {
      throw refusal('plugin_not_running');
    });

    await expect(toEnd(host)).rejects.toMatchObject({ code: 'plugin_not_running' });
  });

  test('reports nothing as gone when the disk was removed in the middle', async () => {
    const { host, pages } = hostOf(({ recursive, cursor }) => {
      if (recursive !== true) return { entries: [], cursor: null, problems: [] };
      if (cursor === null) return listing(['file:///r/a.mkv'], 'file:///r/a.mkv');
      return listing([], null, [{ uri: 'file:///r/b', code: 'not-found', message: 'Gone.' }]);
    });

    await expect(toEnd(host)).rejects.toThrow('became empty');
    expect(pages.map(({ through }) => through)).toEqual(['file:///r/a.mkv']);
  });

  test('takes files that match a pattern as well as those with an extension', async () => {
    const all = ['file:///r/a.MKV', 'file:///r/b%20c/Notes.txt', 'file:///r/other.txt'];
    const { host, listed, pages } = hostOf(() => listing(all, null));
    const payload = { roots: ['file:///r'], extensions: ['mkv'], patterns: ['b c/*.TXT'] };

    await toEnd(host, job({ payload }));

    expect(listed[0]?.extensions).toBeUndefined();
    expect(pages[0]?.files.map(({ uri }) => uri)).toEqual(all.slice(0, 2));
  });

  test('tells sidecars from media, and counts only media', async () => {
    const all = ['file:///r/a.en.SRT', 'file:///r/a.mkv', 'file:///r/a.nfo', 'file:///r/notes'];
    const { host, listed, pages } = hostOf(() => listing(all, null));
    const payload = {
      roots: ['file:///r'],
      extensions: ['mkv'],
      auxiliary: ['srt', 'nfo', 'mkv'],
      patterns: ['*.nfo'],
    };

    const { result } = await toEnd(host, job({ payload }));
    await toEnd(host, job({ payload: { ...payload, patterns: [] } }));

    expect(pages[0]?.files.map(({ uri, type = 'media' }) => [uri, type])).toEqual([
      ['file:///r/a.en.SRT', 'auxiliary'],
      ['file:///r/a.mkv', 'media'],
      ['file:///r/a.nfo', 'media'],
    ]);
    expect(result).toMatchObject({ files: 2 });
    expect(listed.at(-1)?.extensions).toEqual(['mkv', 'srt', 'nfo']);
  });

  test('walks only the given folders, each as a root of its own', async () => {
    const { host, listed, pages } = hostOf(({ uri }) => listing([`${uri}/x.mkv`], null));
    const payload = { ...job().payload, folders: ['file:///r/a', 'file:///r/b/c'] };

    const { result } = await toEnd(host, job({ payload }));

    expect(listed.map(({ uri, recursive }) => [uri, recursive])).toEqual([
      ['file:///r/a', true],
      ['file:///r/b/c', true],
    ]);
    expect(pages.map(({ root, after, through }) => [root, after, through])).toEqual([
      ['file:///r/a', null, null],
      ['file:///r/b/c', null, null],
    ]);
    expect(result).toMatchObject({ files: 2, failedRoots: [] });
  });

  test('reports everything below a removed folder as gone, when its parent can be read', async () => {
    for (const [reachable, isGone] of [
      ['file:///r/b', true],
      ['file:///r', true],
      ['nothing', false],
    ] as const) {
      const { host, pages } = hostOf(({ uri, recursive }) => {
        if (recursive === true || uri !== reachable) throw refusal('not_found');
        return listing([`${uri}/other`], null);
      });
      const payload = { ...job().payload, folders: ['file:///r/b/c'] };

      const ended = await toEnd(host, job({ payload })).then(
        () => 'done',
        () => 'failed',
      );

      expect(ended).toBe(isGone ? 'done' : 'failed');
      expect(pages.map(({ root, files, unreadable }) => [root, files, unreadable])).toEqual(
        isGone ? [['file:///r/b/c', [], []]] : [],
      );
    }
  });

  test('reports nothing as gone below a folder whose root has become empty', async () => {
    const { host, pages } = hostOf(({ uri }) => {
      if (uri !== 'file:///r') throw refusal('not_found');
      return listing([], null);
    });

    const payload = { ...job().payload, folders: ['file:///r/b/c'] };

    await expect(toEnd(host, job({ payload }))).rejects.toMatchObject({ code: 'unreadable' });
    expect(pages).toEqual([]);
  });

  test('reads only the files of a shallow folder, and leaves its folders unchanged', async () => {
    const folder = (uri: string): FileEntry => ({ ...file(uri), kind: 'folder' });
    const { host, pages } = hostOf(({ cursor }) =>
      cursor === null
        ? {
            entries: [file('file:///r/.a.mkv'), folder('file:///r/a'), file('file:///r/b.mkv')],
            cursor: 'file:///r/b.mkv',
            problems: [],
          }
        : { entries: [folder('file:///r/c'), file('file:///r/d.mkv')], cursor: null, problems: [] },
    );
    const payload = { ...job().payload, shallow: ['file:///r'] };

    await toEnd(host, job({ payload }));

    expect(pages.map(({ files, unreadable }) => [files.map(({ uri }) => uri), unreadable])).toEqual(
      [
        [['file:///r/b.mkv'], ['file:///r/a']],
        [['file:///r/d.mkv'], ['file:///r/c']],
      ],
    );
  });

  test('does not walk what lies below an ignored name', async () => {
    const { host, listed, pages } = hostOf(() => listing([], null));
    const payload = { ...job().payload, folders: ['file:///r/%40eaDir/x', 'file:///r/.git'] };

    await toEnd(host, job({ payload }));

    expect(listed).toEqual([]);
    expect(pages.map(({ root, files }) => [root, files])).toEqual([
      ['file:///r/%40eaDir/x', []],
      ['file:///r/.git', []],
    ]);
  });

  test('ends a step after half a second, with its progress', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    let page = 0;
    const { host, pages } = hostOf(() => {
      vi.advanceTimersByTime(100);
      page += 1;
      return listing([], `file:///r/${String(page)}`);
    });

    const step = await runScan(job(), host);

    expect(pages).toHaveLength(5);
    expect(step).toMatchObject({ done: false, progress: 0.5 });
  });

  test.each([
    [{ libraryId: null }, 'libraryId'],
    [{ payload: { extensions: [] } }, 'payload.roots'],
    [{ payload: { roots: ['file:///r'], extensions: 'mkv' } }, 'payload.extensions'],
    [{ payload: { roots: ['file:///r'], extensions: [], patterns: [1] } }, 'payload.patterns'],
    [
      { payload: { roots: ['file:///r'], extensions: [], folders: ['file:///s'] } },
      'payload.folders',
    ],
  ])('refuses a job without the needed payload: %j', async (wrong, name) => {
    const { host } = hostOf(threePages);

    await expect(runScan(job(wrong), host)).rejects.toThrow(name);
  });
});
