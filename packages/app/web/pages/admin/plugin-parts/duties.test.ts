import { describe, expect, test } from 'vitest';
import type { Resources } from '../../../core/api.ts';
import { dutiesOf, libraryDutiesOf } from './duties.ts';

const own = { pluginId: 'own', name: 'Own', type: 'builtin' } as const;
const other = { pluginId: 'other', name: 'Other', type: 'local' } as const;
const provider = (
  key: string,
  candidates: Resources['Provider']['candidates'],
): Resources['Provider'] => ({ key, pluginId: 'own', chosen: false, candidates });

const providers = [
  provider('filesystem:file', [own, other]),
  provider('probe:mkv', [own]),
  provider('probe:mp4', [own]),
  provider('search', [own, other]),
];

describe('what plugins do', () => {
  test('keys that the same plugin serves are one duty with its parts', () => {
    expect(dutiesOf(providers, 'own')).toEqual([
      duty('filesystem', ['filesystem:file'], [own, other]),
      duty('probe', ['probe:mkv', 'probe:mp4'], [own]),
      duty('search', ['search'], [own, other]),
    ]);
  });

  test('a plugin has what it could do, and nothing else', () => {
    expect(dutiesOf(providers, 'other').map(({ capability }) => capability)).toEqual([
      'filesystem',
      'search',
    ]);
  });

  test('a library is named where more than one plugin could read it, with who does', () => {
    const library = (id: string, root: string, pluginId: string | null) =>
      ({ id, roots: [root], pluginId }) as unknown as Resources['Library'];
    const films = library('films', 'file:///films', null);
    const music = library('music', 'file:///music', 'other');
    const away = library('away', 's3://bucket', null);
    const libraries = [films, music, away];

    expect(libraryDutiesOf({ providers, libraries }, 'other')).toEqual([
      { library: films, provider: own, candidates: [own, other] },
      { library: music, provider: other, candidates: [own, other] },
    ]);
    expect(libraryDutiesOf({ providers, libraries }, 'third')).toEqual([]);
  });
});

const duty = (
  capability: string,
  keys: readonly string[],
  candidates: Resources['Provider']['candidates'],
) => ({
  ...{ capability, keys, candidates, isChosen: false, provider: own },
  parts: keys.flatMap((key) => key.split(':').slice(1)),
});
