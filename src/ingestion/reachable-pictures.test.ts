import { expect, test } from 'vitest';
import type { BundleAsset } from '../../plugin-api/index.ts';
import { withReachablePictures } from './reachable-pictures.ts';
import type { Understood } from './understanding.ts';

test('a picture whose plugin may not fetch it makes room for one that can be had', () => {
  const picture = (uri: string, source: string): BundleAsset => ({ type: 'poster', uri, source });
  const far = 'https://pictures.example.org/1.jpg';
  const assets = [
    picture(far, 'reader'),
    picture(far, 'indexer'),
    picture('file:///a.jpg', 'reader'),
  ];
  // Only the pictures are looked at.
  const understood = { named: { assets }, added: { assets } } as unknown as Understood;

  const { named, added } = withReachablePictures(understood, (pluginId) => pluginId === 'indexer');

  expect(named.assets).toEqual(assets.slice(1));
  expect(added.assets).toEqual(assets.slice(1));
});
