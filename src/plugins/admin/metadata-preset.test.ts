import { describe, expect, test } from 'vitest';
import type { Plugin, PluginPermissions } from '../../../kernel/run/index.ts';
import type { Permissions } from '../../../plugin-api/index.ts';
import { serverViewer } from '../../people/viewer/index.ts';
import { createMetadataPreset } from './metadata-preset.ts';

const series: Permissions = {
  net: ['api.series.example', 'pictures.series.example'],
  metadata: 'write',
  serves: ['indexer'],
};
const reasons = { net: 'To look things up.' };
const films: Permissions = { ...series, net: ['api.films.example'], secrets: true };

/** The preset over plugins that ask for that; `grants` are the grants that it makes. */
function presetOver(
  asked: Readonly<Record<string, Permissions>>,
  { types = {}, entered = [] }: { types?: Record<string, Plugin['type']>; entered?: string[] } = {},
) {
  const grants: unknown[] = [];
  const granted = new Map<string, Permissions>();
  const permissionsOf = (id: string): PluginPermissions => ({
    asked: asked[id] ?? {},
    reasons,
    granted: granted.get(id) ?? null,
    reach: 'all',
    adds: null,
  });
  const preset = createMetadataPreset({
    plugins: {
      registry: {
        offering: () =>
          Object.keys(asked).map(
            (id) =>
              ({
                id,
                name: id,
                description: 'Looks up.',
                mediaTypes: ['tv'],
                type: types[id] ?? 'builtin',
              }) as unknown as Plugin,
          ),
      },
      grants: { get: permissionsOf },
      configuration: { enteredHostsOf: () => entered },
    },
    grant: async (id, given) => {
      grants.push({ id, ...given });
      granted.set(id, given.granted as Permissions);
      return permissionsOf(id);
    },
  });
  return { preset, grants };
}

describe('the preset', () => {
  test('lists each plugin with its hosts, also of a mirror, and whether it needs a key', () => {
    const { preset } = presetOver({ films, series }, { entered: ['mirror.example:443'] });

    expect(preset.list()).toEqual([
      {
        id: 'films',
        name: 'films',
        description: 'Looks up.',
        mediaTypes: ['tv'],
        hosts: ['api.films.example', 'mirror.example:443'],
        reason: 'To look things up.',
        needsKey: true,
        granted: false,
      },
      expect.objectContaining({
        id: 'series',
        hosts: ['api.series.example', 'pictures.series.example', 'mirror.example:443'],
        needsKey: false,
      }),
    ]);
  });

  test('grants exactly what a plugin asks for, to those that were named, and only once', async () => {
    const { preset, grants } = presetOver({ films, series });

    await preset.grant(['series', 'series'], serverViewer);
    const after = await preset.grant(['series'], serverViewer);

    expect(grants).toEqual([{ id: 'series', granted: series }]);
    expect(after.map(({ id, granted }) => [id, granted])).toEqual([
      ['films', false],
      ['series', true],
    ]);
  });

  test('leaves out what asks for more, for any host, or is not a part of the server', () => {
    const { preset } = presetOver(
      {
        series,
        reader: { ...series, library: 'read' },
        anywhere: { ...series, net: ['*'] },
        searcher: { ...series, serves: ['indexer', 'search'] },
        local: { metadata: 'write', serves: ['indexer'] },
        strange: series,
      },
      { types: { strange: 'marketplace' } },
    );

    expect(preset.list().map(({ id }) => id)).toEqual(['series']);
  });

  test('refuses a plugin that it does not list, before it grants anything', async () => {
    const { preset, grants } = presetOver({ series });

    await expect(preset.grant(['series', 'other'], serverViewer)).rejects.toThrow(
      'plugins: "other" is not in the preset; right are series.',
    );
    expect(grants).toEqual([]);
  });
});
