import type { HostService } from '../../../kernel/index.ts';
import type { Disk, ListFolders, ReadRange, TreeStretches, WaitForChanges } from './disk.ts';

const path = { type: 'string', minLength: 1, maxLength: 16_384 } as const;
const permission = { name: 'disk', level: 'read' } as const;

function closed(properties: Readonly<Record<string, object>>, optional: readonly string[] = []) {
  const required = Object.keys(properties).filter((key) => !optional.includes(key));
  return { type: 'object', properties, required, additionalProperties: false };
}

/** The longest read, in bytes. */
const maxReadLength = 1_048_576;

const range = {
  path,
  offset: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER - maxReadLength },
  length: { type: 'integer', minimum: 0, maximum: maxReadLength },
};

const names = {
  type: 'array',
  items: { type: 'string', minLength: 1, maxLength: 100 },
  maxItems: 100,
};

const folders = {
  paths: { type: 'array', items: path, minItems: 1, maxItems: 256 },
  after: {
    type: 'object',
    additionalProperties: { type: 'string', maxLength: 16_384 },
    maxProperties: 256,
  },
  extensions: {
    type: 'array',
    items: { type: 'string', minLength: 1, maxLength: 20 },
    maxItems: 500,
  },
  markers: {
    type: 'array',
    items: { type: 'string', minLength: 1, maxLength: 100 },
    maxItems: 16,
  },
  limit: { type: 'integer', minimum: 1, maximum: 1_000_000 },
  below: closed({ most: { type: 'integer', minimum: 1, maximum: 1000 }, ignore: names }, [
    'ignore',
  ]),
};

const through = { type: ['string', 'null'], maxLength: 16_384 };
const digest = { type: 'string', maxLength: 200 };

const stretch = {
  path,
  after: { type: 'string', maxLength: 16_384 },
  through,
  naming: path,
  extensions: folders.extensions,
  ignore: names,
  markers: folders.markers,
  unlike: closed({
    digest,
    parts: { type: 'string', maxLength: 65_536 },
    most: { type: 'integer', minimum: 1, maximum: 2000 },
  }),
  known: digest,
  next: { type: 'array', items: closed({ known: digest, through }), maxItems: 63 },
};

const changes = {
  path,
  cursor: { type: ['string', 'null'], maxLength: 100 },
  waitMs: { type: 'integer', minimum: 0, maximum: 20_000 },
};

/** The paths of a call: one or several. */
type Places = { readonly path: string } | { readonly paths: readonly string[] };

/** `host.disk`. Paths must be below the roots that a plugin was granted. */
export function createDiskService(
  disk: Omit<Disk, 'service'>,
  rootsOf: (pluginId: string) => readonly string[],
): HostService {
  const subject = (input: Places, pluginId: string): string | null => {
    const place = 'path' in input ? input.path : (input.paths[0] ?? '');
    const isBelow = (root: string): boolean => place === root || place.startsWith(`${root}/`);
    return rootsOf(pluginId).find(isBelow) ?? null;
  };
  return {
    name: 'disk',
    methods: {
      list: {
        permission,
        isElsewhere: true,
        subject,
        input: closed(folders, ['after', 'extensions', 'markers', 'limit', 'below']),
        raw: true,
        run: (input: ListFolders, caller) => disk.list(caller.pluginId, input),
      },
      digest: {
        permission,
        isElsewhere: true,
        subject,
        input: closed(stretch, ['extensions', 'ignore', 'markers', 'unlike', 'known', 'next']),
        raw: true,
        run: (input: TreeStretches, caller) => disk.digest(caller.pluginId, input),
      },
      stat: {
        permission,
        isElsewhere: true,
        subject,
        input: closed({ path }),
        raw: true,
        run: (input: { readonly path: string }, caller) => disk.stat(caller.pluginId, input.path),
      },
      read: {
        permission,
        isElsewhere: true,
        subject,
        input: closed(range),
        raw: true,
        run: (input: ReadRange, caller) => disk.read(caller.pluginId, input),
      },
      resolve: {
        permission,
        isElsewhere: true,
        subject,
        input: closed({ path }),
        run: async (input: { readonly path: string }, caller) => ({
          path: await disk.resolve(caller.pluginId, input.path),
        }),
      },
      changes: {
        permission,
        isElsewhere: true,
        subject,
        input: closed(changes),
        run: (input: WaitForChanges, caller) => disk.changes(caller, input),
      },
      unwatch: {
        permission,
        isElsewhere: true,
        subject,
        input: closed({ path }),
        run: async (input: { readonly path: string }, caller) => {
          await disk.unwatch(caller.pluginId, input.path);
          return null;
        },
      },
    },
  };
}
