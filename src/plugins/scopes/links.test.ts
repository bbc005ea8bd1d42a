import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { builtDiskWorker } from '../../../test/support/run/disk-worker.ts';
import localPlugin from '../../../builtin-plugins/filesystem-local/index.ts';
import {
  KernelError,
  silentLog,
  type HostCaller,
  type HostService,
} from '../../../kernel/index.ts';
import { splitRanges, type FileListing, type Host } from '../../../plugin-api/index.ts';
import { serverViewer, visibilityOfLibraries, type Viewer } from '../../people/viewer/index.ts';
import { createDisk, type Disk } from '../../files/disk/index.ts';
import {
  createDiskRoots,
  createFilesystems,
  createFsService,
} from '../../files/filesystems/index.ts';
import { createPluginReach, createPluginViewers } from './index.ts';

let top: string;
let disk: Disk;
let methods: HostService['methods'];
const viewers = createPluginViewers(Buffer.alloc(32, 7));

/** `rated` is a link to where it is, and shows one item to those who are limited. */
beforeAll(() => {
  top = realpathSync(mkdtempSync(path.join(tmpdir(), 'vitrine-links-')));
  for (const folder of ['films', 'disk/rated', 'closed'])
    mkdirSync(`${top}/${folder}`, { recursive: true });
  symlinkSync('disk/rated', `${top}/rated`);
  for (const name of ['films/Heat.mkv', 'rated/Adult.mkv', 'rated/Child.mkv', 'closed/Secret.mkv'])
    writeFileSync(`${top}/${name}`, name);
  const links = {
    'films/adult.mkv': '../rated/Adult.mkv',
    'films/straight.mkv': '../disk/rated/Adult.mkv',
    'films/child.mkv': '../rated/Child.mkv',
    'films/secret.mkv': '../closed/Secret.mkv',
    'films/heat.mkv': 'Heat.mkv',
    'films/away': '../rated',
    'films/chain.mkv': 'away/Adult.mkv',
    'rated/Disguise.mkv': 'Adult.mkv',
  };
  for (const [name, to] of Object.entries(links)) symlinkSync(to, `${top}/${name}`);
  methods = openService();
});

afterAll(async () => {
  await disk.close();
  rmSync(top, { recursive: true });
});

const uri = (name: string): string => `file://${top}/${name}`;
const libraries = () =>
  ['films', 'rated', 'closed'].map((id) => ({ id, name: id, roots: [uri(id)] }));

function openService() {
  const reach = createPluginReach({
    locations: {
      libraries,
      isHidden: () => false,
      ofItems: async () => new Map(),
      named: async () => ({ items: [], entities: [] }),
    },
    visibility: {
      seesAll: ({ visibility }) => visibility.libraries === null,
      showsHidden: () => false,
      visibilityIn: ({ visibility }, id) => {
        if (visibility.libraries === null) return 'all';
        if (!visibility.libraries.has(id)) return 'nothing';
        return id === 'rated' ? 'some' : 'all';
      },
      visibilityOf: async () => new Map(),
      seesNamed: async () => true,
      // The scan took the disguised one for a film of its own, without a rating that says more.
      seesFile: async (_viewer, file) =>
        [uri('rated/Child.mkv'), uri('rated/Disguise.mkv')].includes(file),
    },
    viewers,
    inspect: async () => ({ ok: true }),
    runsJobs: () => false,
    personOf: async () => null,
    ownsSessions: async () => true,
    authors: {
      withSlug: () => [],
      runnerOf: () => undefined,
      reachOf: () => 'all',
      isOwn: () => false,
    },
  });
  const plugins = {
    roots: () => libraries().flatMap(({ roots }) => roots),
    filesystemFor: () => 'local',
    rootsWithin: (_id: string, all: readonly string[]) => all,
  };
  disk = createDisk({
    grantedRoots: createDiskRoots(plugins),
    workerScript: builtDiskWorker,
    watchTree: () => Promise.reject(new Error('unused')),
    newEpoch: () => 'e',
    log: silentLog,
  });
  const filesystems = createFilesystems({
    ...plugins,
    call: (_id, method, input) => callLocal(method, input),
    hasLocalFiles: () => true,
    disk,
  });
  const pace = { batchSize: async (wanted: number) => wanted };
  const { rootsOf, seesOf } = reach;
  return createFsService(filesystems, pace, { roots: plugins.roots, rootsOf, seesOf }).methods;
}

/** The built-in as the kernel calls it, but for the sandbox between. */
async function callLocal(method: string, input: unknown): Promise<unknown> {
  const host = {
    disk: {
      list: async (asked: never) => JSON.parse(String(await disk.list('local', asked))),
      stat: async ({ path: at }: { path: string }) =>
        JSON.parse(String(await disk.stat('local', at))),
      read: (asked: never) => disk.read('local', asked),
      resolve: async ({ path: at }: { path: string }) => ({
        path: await disk.resolve('local', at),
      }),
    },
  } as unknown as Host;
  const handlers = localPlugin.methods as Record<string, (input: unknown, host: Host) => unknown>;
  try {
    return await handlers[method]?.(input, host);
  } catch (error) {
    throw new KernelError('plugin_failed', String(error), { cause: error });
  }
}

const person = (ids: readonly string[] | null): Viewer => ({
  ...serverViewer,
  role: 'user',
  visibility: ids === null ? serverViewer.visibility : visibilityOfLibraries(ids),
});
const kid = person(['films', 'rated']);
const adult = person(null);

/** What `host.fs` does for a plugin that was granted everything. */
async function call(viewer: Viewer, method: string, input: object): Promise<unknown> {
  const caller: HostCaller = {
    pluginId: 'helper',
    granted: { files: 'read' },
    reach: 'all',
    viewer: viewers.toPlugins(viewer),
    signal: AbortSignal.timeout(60_000),
  };
  return methods[method]?.run(input as never, caller);
}

const codeOf = (error: unknown): unknown => error instanceof KernelError && error.code;

const read = async (viewer: Viewer, name: string): Promise<string> => {
  const bytes = await call(viewer, 'read', { uri: uri(name), offset: 0, length: 100 }).catch(
    codeOf,
  );
  return String(bytes instanceof Uint8Array ? Buffer.from(bytes) : bytes);
};

const stat = (viewer: Viewer, name: string): Promise<unknown> =>
  call(viewer, 'stat', { uri: uri(name) }).then(() => 'told', codeOf);

describe('a link, for a person who sees a part of the library that it leads into', () => {
  test.each([
    ['films/Heat.mkv', 'films/Heat.mkv'],
    ['films/heat.mkv', 'films/Heat.mkv'],
    ['films/child.mkv', 'rated/Child.mkv'],
    ['films/away/Child.mkv', 'rated/Child.mkv'],
    ['rated/Child.mkv', 'rated/Child.mkv'],
    ['films/adult.mkv', null],
    ['films/straight.mkv', null],
    ['films/chain.mkv', null],
    ['films/away/Adult.mkv', null],
    ['films/secret.mkv', null],
    ['rated/Disguise.mkv', null],
  ])('%s gives the file only where the person sees that file: %s', async (name, text) => {
    const denied = 'permission_denied';

    expect([await read(kid, name), await stat(kid, name)]).toEqual(
      text === null ? [denied, denied] : [text, 'told'],
    );
    const real = text ?? (await read(adult, name));
    expect([await read(adult, name), await stat(adult, name)]).toEqual([real, 'told']);
    expect(real).toMatch(/^(films|rated|closed)\//);
  });

  test('is left out of a listing, and so is a folder that is seen in part', async () => {
    const names = async (viewer: Viewer, input: object) => {
      const listing = (await call(viewer, 'list', input)) as FileListing;
      return listing.entries.map((entry) => entry.uri.slice(uri('films/').length)).sort();
    };
    const seen = ['Heat.mkv', 'child.mkv', 'heat.mkv'];
    const top = { uri: uri('films') };

    expect(await names(kid, top)).toEqual(seen);
    expect(await names(kid, { ...top, recursive: true })).toEqual(
      expect.arrayContaining(['Heat.mkv', 'child.mkv']),
    );
    expect((await names(kid, { ...top, recursive: true })).join()).not.toMatch(
      /adult|Adult|secret|chain|straight/,
    );
    expect(await names(adult, top)).toEqual(
      [...seen, 'adult.mkv', 'away', 'chain.mkv', 'secret.mkv', 'straight.mkv'].sort(),
    );
    await expect(call(kid, 'list', { uri: uri('films/away') })).rejects.toMatchObject({
      code: 'permission_denied',
    });
  });

  test('takes no other range with it', async () => {
    const names = [
      'films/adult.mkv',
      'films/Heat.mkv',
      'films/away/Child.mkv',
      'rated/Disguise.mkv',
    ];
    const ranges = names.map((name) => ({ uri: uri(name), offset: 0, length: 100 }));

    const texts = async (viewer: Viewer) =>
      splitRanges((await call(viewer, 'readRanges', { ranges })) as Uint8Array).map(
        (bytes) => bytes && String(Buffer.from(bytes)),
      );

    expect(await texts(kid)).toEqual([null, 'films/Heat.mkv', 'rated/Child.mkv', null]);
    expect(await texts(adult)).toEqual([
      'rated/Adult.mkv',
      'films/Heat.mkv',
      'rated/Child.mkv',
      'rated/Adult.mkv',
    ]);
  });

  test('that is not there is not found', async () => {
    expect(await read(kid, 'films/Gone.mkv')).toBe('not_found');
  });
});
