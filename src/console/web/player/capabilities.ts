/** What this browser says that it plays. */
import type { Resources } from '../core/api.ts';

export type Client = Resources['PlaybackClient'];

const playlists = /^application\/(vnd\.apple\.mpegurl|x-mpegurl)/i;

/** The source of segments that the browser has; `undefined` = it has none. */
export const segmentSource = (): typeof MediaSource | undefined =>
  'MediaSource' in globalThis
    ? MediaSource
    : (globalThis as { readonly ManagedMediaSource?: typeof MediaSource }).ManagedMediaSource;

/**
 * Which of the candidates the browser plays, from segments and as files. Playlists are named only
 * where the browser itself has to play them.
 */
export function testCandidates(candidates: readonly string[], maxKbps: number | null): Client {
  const source = segmentSource();
  const element = document.createElement('video');
  const mse = candidates.filter((type) => source?.isTypeSupported(type) === true);
  const src = candidates.filter(
    (type) => (source === undefined || !playlists.test(type)) && element.canPlayType(type) !== '',
  );
  const isBright = matchMedia('(dynamic-range: high)').matches;
  return {
    mse,
    src,
    hdr: isBright ? ['hdr10', 'hlg'] : [],
    subtitles: ['pgs'],
    ...(maxKbps !== null && { maxKbps }),
  };
}
