import type { BundleAsset } from '../../plugin-api/index.ts';
import type { Understood } from './understanding.ts';

/** Whether a plugin was granted the host of a URL. */
export type MayFetch = (pluginId: string, url: string) => boolean;

/**
 * Leaves out pictures on the network that the plugin which named them may not fetch: they would
 * stand before others of their type, and never be seen.
 */
export function withReachablePictures(understood: Understood, mayFetch: MayFetch): Understood {
  const isReachable = ({ uri, source }: BundleAsset) =>
    !/^https?:/i.test(uri) || mayFetch(source, uri);
  const { named, added } = understood;
  return {
    ...understood,
    named: { ...named, assets: named.assets.filter(isReachable) },
    added: { ...added, assets: added.assets.filter(isReachable) },
  };
}
