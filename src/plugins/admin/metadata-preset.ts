/**
 * One consent for the catalogues of the internet. The preset covers the indexers of the server that
 * ask for hosts and for what the lookup needs, and for nothing else: an indexer with a further power
 * needs a consent of its own. Each plugin gets what its manifest asks for, through the same code as
 * any grant.
 */
import { KernelError } from '../../../kernel/index.ts';
import type { Configuration, Grants, Plugin, Registry } from '../../../kernel/run/index.ts';
import type { PermissionName, Permissions } from '../../../plugin-api/index.ts';
import type { Viewer } from '../../people/viewer/index.ts';
import type { PluginAdmin } from './plugin-admin.ts';
import type { PresetPlugin } from '../../contract/resources/plugins/plugin-presets.ts';

/** The choice "look things up on the internet". */
export type MetadataPreset = ReturnType<typeof createMetadataPreset>;

export interface MetadataPresetParts {
  readonly plugins: {
    readonly registry: Pick<Registry, 'offering'>;
    readonly grants: Pick<Grants, 'get'>;
    readonly configuration: Pick<Configuration, 'enteredHostsOf'>;
  };
  readonly grant: PluginAdmin['grant'];
}

/** Creates it over the plugins. */
export function createMetadataPreset({ plugins, grant }: MetadataPresetParts) {
  const { registry, grants, configuration } = plugins;

  const listed = (locale: string | null): readonly Plugin[] =>
    registry
      .offering('indexer', locale)
      .filter(({ id, type }) => type === 'builtin' && isCovered(grants.get(id).asked));

  const shown = (locale: string | null): readonly PresetPlugin[] =>
    listed(locale).map((plugin) => entryOf(plugin, locale));

  function entryOf(plugin: Plugin, locale: string | null): PresetPlugin {
    const { id, name, description, mediaTypes } = plugin;
    const { asked, reasons = {} } = grants.get(id, locale);
    return {
      id,
      name,
      description,
      mediaTypes,
      hosts: [...new Set([...(asked.net ?? []), ...configuration.enteredHostsOf(id)])],
      reason: reasons.net ?? null,
      needsKey: asked.secrets === true,
      granted: hasAll(id),
    };
  }

  function hasAll(id: string): boolean {
    const { asked, granted } = grants.get(id);
    return namesOf(asked).every((name) => has(granted?.[name], asked[name]));
  }

  return {
    /** With words in the language, as far as the plugins have it. */
    list: (locale: string | null = null): readonly PresetPlugin[] => shown(locale),
    /**
     * Grants each plugin what it asks for; nothing happens to one that has it. Throws
     * `invalid_argument`, before any grant, for an id that the preset does not list.
     */
    grant: async (ids: readonly string[], viewer: Viewer): Promise<readonly PresetPlugin[]> => {
      assertListed(ids, listed(null));
      for (const id of new Set(ids)) {
        if (hasAll(id)) continue;
        const { asked } = grants.get(id);
        const granted = Object.fromEntries(namesOf(asked).map((name) => [name, asked[name]]));
        await grant(id, { granted }, viewer);
      }
      return shown(viewer.locale ?? null);
    },
  };
}

const covered: ReadonlySet<string> = new Set(['net', 'metadata', 'secrets', 'serves', 'kv']);

/** Whether the plugin writes metadata from hosts that it names, and asks for no other power. */
function isCovered(asked: Permissions): boolean {
  const { net = [], metadata, serves = [] } = asked;
  return (
    net.length > 0 &&
    !net.includes('*') &&
    metadata === 'write' &&
    serves.every((key) => key === 'indexer') &&
    namesOf(asked).every((name) => covered.has(name))
  );
}

/** The powers in the permissions; the reasons are not a power. */
const namesOf = (permissions: Permissions): readonly PermissionName[] =>
  Object.keys(permissions).filter((name): name is PermissionName => name !== 'reasons');

function has(granted: unknown, asked: unknown): boolean {
  if (!Array.isArray(asked)) return JSON.stringify(granted) === JSON.stringify(asked);
  return Array.isArray(granted) && asked.every((entry) => granted.includes(entry));
}

function assertListed(ids: readonly string[], listed: readonly Plugin[]): void {
  const known = listed.map(({ id }) => id);
  const unknown = ids.find((id) => !known.includes(id));
  if (unknown === undefined) return;
  const what = `plugins: ${JSON.stringify(unknown)} is not in the preset; right are ${known.join(', ')}.`;
  throw new KernelError('invalid_argument', what);
}
