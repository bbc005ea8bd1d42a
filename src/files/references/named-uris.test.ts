import { describe, expect, test } from 'vitest';
import type { BundleEntity } from '../../../plugin-api/index.ts';
import { createClaims } from './claims.ts';
import { acceptedEntities, type NamedUri } from './named-uris.ts';

const good = (uri: string): boolean => uri.startsWith('file:///films/');
const accept = ({ uri }: NamedUri): string | null => (good(uri) ? uri : null);

const actor = (metadata: Record<string, unknown>): BundleEntity => ({
  name: 'Ada',
  status: 'pending',
  source: 'painter',
  metadata,
});

describe('pictures of entities', () => {
  test('stay if they are accepted, with all other fields', () => {
    const roles = {
      actor: [
        actor({
          born: 1815,
          imageUrl: 'file:///elsewhere/1.png',
          assets: { banner: { uri: 'file:///elsewhere/2.png' }, logo: 'file:///films/3.png' },
        }),
      ],
      genre: [actor({})],
    };

    const kept = acceptedEntities(roles, accept);

    expect(kept['actor']).toEqual([actor({ born: 1815, assets: { logo: 'file:///films/3.png' } })]);
    expect(kept['genre']).toBe(roles.genre);
  });

  test('are the same objects if nothing is left out', () => {
    const roles = { actor: [actor({ imageUrl: 'file:///films/1.png', assets: {} })] };

    expect(acceptedEntities(roles, accept)).toBe(roles);
  });
});

describe('named URIs', () => {
  test('that are refused are reported with the URI and the reason', () => {
    const told: unknown[] = [];
    const claims = createClaims({
      check: () => ({ kind: 'refused', why: 'no' }),
      roots: () => [],
      refuse: (pluginId, claim) => void told.push([pluginId, claim]),
      there: async () => new Set(),
    });

    const taken = claims.accepting([])({ pluginId: 'painter', what: 'poster', uri: 'x:' });

    expect(taken).toBeNull();
    expect(told).toEqual([['painter', { what: 'poster', why: 'no' }]]);
  });

  test('of files that do not exist, or lead out, are refused too', async () => {
    const told: unknown[] = [];
    const claims = createClaims({
      check: () => ({ kind: 'refused', why: 'no' }),
      roots: () => [],
      refuse: (_pluginId, { what }) => void told.push(what),
      there: async (uris) => new Set(uris.filter((uri) => uri.endsWith('there.mp3'))),
    });
    const [there, gone] = ['file:///films/there.mp3#artwork=0', 'file:///films/gone.png'];

    const again = await claims.acceptingThere(['file:///films'], new Set([there, gone]));

    const taken = [there, gone, 'https://a.example/1.png'].map((uri) =>
      again({ pluginId: 'painter', what: uri, uri }),
    );
    expect(taken).toEqual([there, null, 'https://a.example/1.png']);
    expect(told).toEqual([gone]);
  });
});
