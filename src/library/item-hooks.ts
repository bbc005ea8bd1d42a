import type { Database, Log } from '../../kernel/index.ts';
import type {
  Bundle,
  BundleMediaFile,
  IdValue,
  Identification,
  ItemHookInput,
} from '../../plugin-api/index.ts';
import type { NewId } from '../uuid-v7.ts';
import { extensionOf, relativePath } from './file-uri.ts';
import { parseEntities, readTitle } from './identification.ts';
import { readItemsByKey } from './item-store.ts';
import { isPrimary, valuesOf, type ItemExtras, type ItemValues } from './item-values.ts';
import type { LibraryRow } from './library-store.ts';
import type { Discovery } from './discovery.ts';
import { isMap } from './rows.ts';

/** Lets plugins add to what an indexer found, before it is stored. */
export interface ItemHooks {
  /** What items are after their hooks, by group key; empty when nobody subscribed. */
  readonly run: (
    library: LibraryRow,
    root: string,
    discoveries: readonly Discovery[],
  ) => Promise<ReadonlyMap<string, ItemValues>>;
}

type AfterIndex = 'pipeline.index.afterProcess';

/** The chain that items go through. */
export interface IndexHookChain {
  readonly hasSubscribers: (name: AfterIndex) => boolean;
  readonly run: (
    name: AfterIndex,
    input: ItemHookInput,
  ) => Promise<{
    readonly output: ItemHookInput;
    readonly provenance: readonly { readonly pluginId: string; readonly path: string }[];
  }>;
}

const hook = 'pipeline.index.afterProcess';
const itemsAtOnce = 8;

export function createItemHooks(parts: {
  readonly database: Pick<Database, 'read'>;
  readonly hooks: IndexHookChain;
  readonly newId: NewId;
  readonly log: Log;
}): ItemHooks {
  async function runOne(
    itemId: string,
    root: string,
    group: readonly Discovery[],
  ): Promise<ItemValues | null> {
    const leader = group.find(({ identified }) => isPrimary(identified.identification)) ?? group[0];
    if (leader === undefined) return null;
    const { identification, pluginId } = leader.identified;
    const before = valuesOf(identification, pluginId);
    try {
      const bundle = toBundle(root, group, identification);
      const { output, provenance } = await parts.hooks.run(hook, { itemId, bundle });
      const after = valuesOf(fromBundle(output.bundle, identification), pluginId);
      const written = pluginId === null ? [] : [{ pluginId, path: 'fields' }];
      return {
        ...after,
        provenance: JSON.stringify([...written, ...provenance]),
        extras: extrasOf(output.bundle, parts.newId),
      };
    } catch (cause) {
      parts.log.warn({ itemId, err: cause }, 'The hooks of an item failed; it is stored without');
      return before;
    }
  }

  /** The id that the item has already, or none; a new item gets its id when it is stored. */
  async function idsOf(
    library: LibraryRow,
    keys: readonly string[],
  ): Promise<ReadonlyMap<string, string>> {
    const rows = await readItemsByKey(parts.database.read, library.no, keys);
    return new Map(rows.map((row) => [row.group_key, row.id]));
  }

  return {
    run: async (library, root, discoveries) => {
      const values = new Map<string, ItemValues>();
      if (discoveries.length === 0 || !parts.hooks.hasSubscribers(hook)) return values;
      const groups = Map.groupBy(discoveries, ({ identified }) => identified.groupKey);
      const ids = await idsOf(library, [...groups.keys()]);
      const waiting = groups.entries();
      const work = async (): Promise<void> => {
        for (const [groupKey, group] of waiting) {
          const itemId = ids.get(groupKey) ?? parts.newId();
          const found = await runOne(itemId, root, group);
          if (found) values.set(groupKey, { ...found, itemId });
        }
      };
      await Promise.all(Array.from({ length: itemsAtOnce }, work));
      return values;
    },
  };
}

function toBundle(
  root: string,
  group: readonly Discovery[],
  { title, metadata, entities }: Identification,
): Bundle {
  const { ids, ...fields } = metadata;
  return {
    files: { media: group.map((discovery) => toMediaFile(root, discovery)), auxiliary: [] },
    fields: { ...fields, title },
    ids: toIds(ids),
    assets: [],
    subtitles: [],
    entities: entities ?? {},
  };
}

/** Identifiers as bundles have them: a bare text is an id without more. */
function toIds(ids: unknown): Bundle['ids'] {
  const known = isMap(ids) ? Object.entries(ids) : [];
  return Object.fromEntries(
    known.flatMap(([provider, id]): [string, IdValue][] => {
      if (typeof id === 'string') return [[provider, { id }]];
      return id === true ? [[provider, true]] : [];
    }),
  );
}

function toMediaFile(root: string, { scanned, name, identified }: Discovery): BundleMediaFile {
  const { edition, partNumber } = identified.identification;
  return {
    uri: scanned.uri,
    path: relativePath(root, scanned.uri),
    filename: name,
    extension: extensionOf(name),
    size: scanned.size,
    modifiedAt: new Date(scanned.modifiedAt).toISOString(),
    type: 'media',
    ...(edition !== undefined && { edition }),
    ...(partNumber !== undefined && { partNumber }),
  };
}

function fromBundle(bundle: Bundle, before: Identification): Identification {
  const { title, ...fields } = bundle.fields;
  const ids = Object.entries(bundle.ids).map(([provider, id]) => [
    provider,
    id === true ? true : id.id,
  ]);
  return {
    ...before,
    title: readTitle(title) ?? before.title,
    metadata: ids.length === 0 ? fields : { ...fields, ids: Object.fromEntries(ids) },
    entities: parseEntities(bundle.entities),
  };
}

function extrasOf({ assets, subtitles, files, chapters }: Bundle, newId: NewId): ItemExtras {
  return {
    assets: assets.map((asset) => ({ ...asset, id: newId() })),
    subtitles,
    auxiliary: files.auxiliary,
    chapters: (chapters ?? []).map((chapter) => ({ ...chapter, id: newId() })),
  };
}
