/**
 * Playlists of HTTP Live Streaming (RFC 8216, and its second edition draft-pantos-hls-rfc8216bis).
 * They are made from the cuts of the index alone, so each segment can be asked for by itself.
 */
import { lengthsOf, type CutList } from './cut-list.ts';

/** The playlist of one quality of one track. */
export interface MediaPlaylist {
  readonly cuts: CutList;
  /** Such as `m4s`. */
  readonly extension: string;
  /** Whether segments need the init segment. */
  readonly hasInit: boolean;
  /** Only the keyframes, for fast scrubbing. */
  readonly keyframesOnly: boolean;
}

/** The version of the format (section 7): EXT-X-MAP outside of lists of keyframes needs 6. */
export const version = 7;
/** The target duration of a playlist that grows: it must not change. */
const growingTargetSeconds = 30;

/** Names the segments of a cut list. The last cut may be at the very end, with nothing after it. */
export function mediaPlaylist(playlist: MediaPlaylist): string {
  const { cuts, extension, hasInit, keyframesOnly } = playlist;
  const lengths = lengthsOf(cuts);
  const longest = Math.max(1, ...lengths.map(Math.round));
  const target = cuts.isComplete ? longest : Math.max(growingTargetSeconds, longest);
  return lines([
    '#EXTM3U',
    `#EXT-X-VERSION:${version}`,
    `#EXT-X-TARGETDURATION:${target}`,
    '#EXT-X-MEDIA-SEQUENCE:0',
    `#EXT-X-PLAYLIST-TYPE:${cuts.isComplete ? 'VOD' : 'EVENT'}`,
    ...(keyframesOnly ? ['#EXT-X-I-FRAMES-ONLY'] : ['#EXT-X-INDEPENDENT-SEGMENTS']),
    ...(hasInit ? ['#EXT-X-MAP:URI="init.mp4"'] : []),
    ...lengths.flatMap((length, n) => [
      `#EXTINF:${length.toFixed(6)},`,
      `${n}${keyframesOnly ? '.key' : ''}.${extension}`,
    ]),
    ...(cuts.isComplete ? ['#EXT-X-ENDLIST'] : []),
  ]);
}

/** A text track as one segment. */
export const textPlaylist = (id: string, seconds: number): string =>
  lines([
    '#EXTM3U',
    `#EXT-X-VERSION:${version}`,
    `#EXT-X-TARGETDURATION:${Math.max(1, Math.ceil(seconds))}`,
    '#EXT-X-MEDIA-SEQUENCE:0',
    '#EXT-X-PLAYLIST-TYPE:VOD',
    `#EXTINF:${Math.max(0.001, seconds).toFixed(6)},`,
    `${encodeURIComponent(id)}.vtt`,
    '#EXT-X-ENDLIST',
  ]);

export const lines = (all: readonly string[]): string => `${all.join('\n')}\n`;
