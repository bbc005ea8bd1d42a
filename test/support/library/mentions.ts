/** A library whose items are single files, and name exactly the entities that a test says. */
import type { Database } from '../../../kernel/store/index.ts';
import type { BundleEntity } from '../../../plugin-api/index.ts';
import type { Viewer } from '../../../src/people/viewer/index.ts';
import type { LibraryDomainParts } from '../../../src/library/catalogue/library-domain.ts';
import { testViewers } from '../servers/http.ts';
import { answerByFolder, openTestLibrary, type TestLibrary } from './library.ts';

/** An entity as a test names it. */
export type NamedEntity = Partial<Omit<BundleEntity, 'ids'>> &
  Pick<BundleEntity, 'name'> & { readonly ids?: Readonly<Record<string, string>> };

/** What an item names, by role. */
export type Mentions = Readonly<Record<string, readonly NamedEntity[]>>;

/** A library to say things in. */
export interface MentionLibrary extends TestLibrary {
  readonly libraryId: string;
  /** Every statement that was written, in the order of time. */
  readonly written: string[];
  /** One more item, with these entities; it is found by the next page of a scan, which this is. */
  readonly say: (title: string, entities: Mentions) => Promise<void>;
  /** The same for many at once. */
  readonly sayAll: (items: readonly (readonly [string, Mentions])[]) => Promise<void>;
  /** The file of an item goes. */
  readonly drop: (title: string) => Promise<void>;
  /** Entities of a type, by name. */
  readonly named: (type: string) => Promise<readonly string[]>;
}

export const admin = { ...testViewers['admin'] } as Viewer;

/** Opens one; the caller closes it. */
export async function openMentionLibrary(
  parts: Partial<LibraryDomainParts> = {},
  type = 'movies',
): Promise<MentionLibrary> {
  const said = new Map<string, Mentions>();
  const written: string[] = [];
  const listening = (database: Database): Database => ({
    ...database,
    write: (work, committed) =>
      database.write((trx) => {
        trx.on('query', ({ sql }: { readonly sql: string }) => void written.push(sql));
        return work(trx);
      }, committed),
  });
  const plugin: Partial<LibraryDomainParts> = {
    providers: (capability) =>
      capability === 'indexer'
        ? [...new Set(['test', ...[...said.values()].map(sourceOf)])]
        : ['by-folder'],
    call: async (id, method, input, options) => {
      const { files = [] } = input as { files?: readonly { path: string }[] };
      if (method === 'indexer.index') {
        const own = files.map(({ path }) => ({ path, mentions: said.get(path) ?? {} }));
        return {
          results: own.map(({ path, mentions }) =>
            sourceOf(mentions) === id ? identification(path, mentions) : null,
          ),
        };
      }
      if (method === 'library.group') return { keys: files.map(({ path }) => path) };
      return answerByFolder(id, method, input, options);
    },
    ...parts,
  };
  const library = await openTestLibrary(plugin, listening);
  const { id: libraryId } = await library.libraries.create({
    name: type,
    type,
    roots: [`/${type}`],
  });
  const root = `file:///${type}`;

  async function scan(): Promise<void> {
    const files = [...said.keys()]
      .map((path) => `${root}/${encodeURIComponent(path)}`)
      .sort()
      .map((uri) => ({ uri, size: 1, modifiedAt: 1 }));
    const whole = { after: null, through: null, unreadable: [] };
    await library.reconcile({ libraryId, root, files, ...whole });
  }

  return {
    ...library,
    libraryId,
    written,
    say: async (title, entities) => {
      said.set(`${title}.mkv`, entities);
      await scan();
    },
    sayAll: async (items) => {
      for (const [title, entities] of items) said.set(`${title}.mkv`, entities);
      await scan();
    },
    drop: async (title) => {
      said.delete(`${title}.mkv`);
      await scan();
    },
    named: async (ofType) => {
      const { entities } = await library.entities.list(admin, { type: ofType, limit: 500 });
      return entities.map(({ name }) => name);
    },
  };
}

/** The plugin that says it: what it names is its own. */
const sourceOf = (mentions: Mentions): string =>
  Object.values(mentions).flat()[0]?.source ?? 'test';

function identification(path: string, mentions: Mentions): object {
  const entities = Object.entries(mentions).map(([role, list]) => [role, list.map(toEntity)]);
  return {
    title: path.replace(/\.mkv$/, ''),
    metadata: {},
    entities: Object.fromEntries(entities) as object,
  };
}

function toEntity({ ids = {}, status = '', source = 'test', ...rest }: NamedEntity): object {
  const values = Object.entries(ids).map(([provider, id]) => [provider, { id }]);
  return { ...rest, status, source, ids: Object.fromEntries(values) as object };
}
