/**
 * An upgrade with a fault at a moment of it. The moments are counted, not chosen: each thing that an
 * upgrade does to the disk or the database is one before and one after, independent of the code.
 */
import type { Database, Transaction } from '../../kernel/store/index.ts';
import { createManifestReader } from '../../kernel/run/manifest/index.ts';
import { openArchive, type OpenedArchive } from '../../kernel/run/packages/index.ts';
import { realDisk, type PackageDisk } from '../../kernel/run/installation/package-folders.ts';
import type { Signer } from '../../kernel/run/packages/signature.ts';
import type { PluginServer } from '../plugins/plugin-server.ts';
import { createPackage } from '../support/plugins/packages.ts';

/** Where things go wrong. */
export interface FaultPlan {
  /** Every moment since the plan was begun. */
  readonly moments: readonly string[];
  /** Counts from now on, and does something at these moments. */
  readonly begin: (at: readonly number[], fault: (moment: string) => void) => void;
  readonly end: () => void;
  readonly database: (database: Database) => Database;
  readonly disk: PackageDisk;
}

/** Creates a plan without faults. */
export function createFaultPlan(): FaultPlan {
  const moments: string[] = [];
  let armed: ReadonlySet<number> = new Set();
  let fault: (moment: string) => void = () => undefined;
  let isOn = false;

  function pass(moment: string): void {
    if (!isOn) return;
    moments.push(moment);
    if (armed.has(moments.length - 1)) fault(moment);
  }

  const around =
    <Args extends readonly unknown[], Result>(
      name: string,
      work: (...args: Args) => Promise<Result>,
    ): ((...args: Args) => Promise<Result>) =>
    async (...args) => {
      pass(`before ${name}`);
      const result = await work(...args);
      pass(`after ${name}`);
      return result;
    };

  const watched = (trx: Transaction): Transaction =>
    new Proxy(trx, {
      apply: (target, self, args: unknown[]) => {
        pass(`a statement on ${String(args[0])}`);
        return Reflect.apply(target, self, args) as unknown;
      },
      get: (target, key) => {
        if (key === 'raw') pass('a raw statement');
        const value: unknown = Reflect.get(target, key);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });

  return {
    moments,
    begin: (at, what) => {
      moments.length = 0;
      armed = new Set(at);
      fault = what;
      isOn = true;
    },
    end: () => {
      isOn = false;
    },
    database: (database) => ({
      ...database,
      write: async (work) => {
        pass('before a transaction');
        const result = await database.write(async (trx) => {
          const inner = await work(watched(trx));
          pass('before a commit');
          return inner;
        });
        pass('after a commit');
        return result;
      },
    }),
    disk: {
      makeFolder: around('makeFolder', realDisk.makeFolder),
      writeFile: around('writeFile', realDisk.writeFile),
      syncFolder: around('syncFolder', realDisk.syncFolder),
      rename: around('rename', realDisk.rename),
      remove: realDisk.remove,
      namesIn: realDisk.namesIn,
    },
  };
}

const id = 'keeper';
const permissions = { kv: { quotaMb: 1 }, textIndex: true };
export const configuration = [{ key: 'name', label: 'Name', input: 'text' }];

const source = (version: string, more = ''): string => `
  ${more}
  export default { actions: {
    state: async (_, host) => ({
      version: '${version}',
      kv: await host.kv.get({ key: 'a' }),
      config: await host.config.get({}),
      hits: (await host.textIndex.query({ terms: [{ text: 'words' }], limit: 9 })).hits.map((hit) => hit.title),
    }),
    write: async ({ text }, host) => {
      await host.kv.set({ key: 'a', value: text });
      await host.textIndex.put({ documents: [{ id: '1', scope: 's', kind: 'k', title: text + ' words', body: '' }] });
      return null;
    },
  } };`;

/** A version of the plugin of these tests, as it is opened. */
export async function versionOf(
  version: string,
  signer: Signer,
  { more = '', fields = {} }: { readonly more?: string; readonly fields?: object } = {},
): Promise<OpenedArchive> {
  const bytes = createPackage(
    { id, version, permissions, configuration, actions: ['state', 'write'], ...fields },
    {
      signer,
      source: source(version, more),
      files: { 'assets/icon.svg': `<svg>${version}</svg>` },
    },
  );
  const opened = await openArchive(bytes, { reader: createManifestReader() });
  if (!opened.ok) throw new Error(opened.message);
  return opened.archive;
}

/** Installs the first version and lets it store something. */
export async function installFirst(server: PluginServer, signer: Signer): Promise<void> {
  const { plugins } = server;
  const archive = await versionOf('1.0.0', signer);
  await plugins.installs.place(archive, { source: null, granted: permissions });
  await plugins.configuration.set(id, { name: 'old' });
  await plugins.actions.call(id, 'write', { text: 'old' });
}

/** What must be there again after every fault. */
export const oldState = {
  version: '1.0.0',
  kv: 'old',
  config: { name: 'old' },
  hits: ['old words'],
};

/** What the plugin says of itself: its code, its data and its configuration. */
export const stateOf = (server: PluginServer): Promise<unknown> =>
  server.plugins.actions.call(id, 'state', {});
