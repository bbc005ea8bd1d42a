/** What this browser says that it plays. */
import { askBrowser, withinDecoding } from './decoding.ts';
import type { Client, PlaybackFile } from './requests.ts';

/** Says what of a file is played, in at most so many kilobits a second. */
export type TestFile = (
  file: Pick<PlaybackFile, 'candidates' | 'tracks'>,
  maxKbps: number | null,
) => Client | Promise<Client>;

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
function testTypes(candidates: readonly string[], maxKbps: number | null): Client {
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

/** An answer of the browser that is not there by then is used for the next file. */
const patienceMs = 100;

/** What the browser plays of a file: which of its types, in which sizes. */
export const testFile: TestFile = ({ candidates, tracks }, maxKbps) => {
  const byType = testTypes(candidates, maxKbps);
  return Promise.race([
    withinDecoding({ tracks, candidates }, byType, askBrowser),
    new Promise<Client>((resolve) => setTimeout(() => resolve(byType), patienceMs)),
  ]);
};
