import type { PlaybackReason } from '../../../plugin-api/index.ts';
import { toTimestamp } from '../../platform/clock.ts';
import { reasonWords } from '../transcoding/index.ts';
import { secondsOf } from './playable-file.ts';
import { areCopied, chosenTracks, firstParts, folderOf } from './session-work.ts';
import type { PlayMode, PlayWay, Session, SessionTrack } from './session.ts';

/** A reason with its words. */
export interface ShownReason {
  readonly code: PlaybackReason;
  readonly message: string;
}

/** A track of a session, as clients see it. */
export interface ShownTrack {
  readonly id: string;
  readonly kind: 'video' | 'audio' | 'subtitle';
  readonly codec: string;
  readonly language: string | null;
  readonly title: string | null;
  readonly isForced: boolean;
  readonly isHearingImpaired: boolean;
  readonly isSelected: boolean;
  readonly way: PlayWay;
  readonly reasons: readonly PlaybackReason[];
  /** The playlist of its best quality; of a text the track as WebVTT. */
  readonly url: string | null;
  /** Of an ASS track, the track as it is. */
  readonly assUrl: string | null;
  /** Of a subtitle of pictures that the client draws, the pictures (`.sup`), part by part. */
  readonly supUrl: string | null;
}

/** What a client can ask for with `maxKbps`, so that the film plays without pauses. */
export interface ShownOffer {
  readonly height: number;
  readonly maxKbps: number;
}

/** A session, as clients see it. */
export interface ShownSession {
  readonly id: string;
  readonly itemId: string;
  readonly fileId: string;
  readonly mode: PlayMode;
  readonly kind: 'file' | 'hls';
  /** What a player opens, without any header. */
  readonly url: string;
  /** What it asks for first, at the position; it can ask for all of them at once. */
  readonly firstUrls: readonly string[];
  /** One answer with all of these; null where some of it is converted. */
  readonly firstUrl: string | null;
  readonly tracks: readonly ShownTrack[];
  readonly reasons: readonly ShownReason[];
  /** Seconds. */
  readonly duration: number;
  readonly position: number;
  readonly state: 'playing' | 'paused';
  readonly createdAt: string;
  /** When the addresses end. */
  readonly expiresAt: string;
  /** Where the client reports its position every ten seconds (PATCH). */
  readonly progressUrl: string;
  /** Seconds of film that are converted in a second; null where it is not known. */
  readonly rate: number | null;
  /** A smaller picture, where the server converts slower than the film plays. */
  readonly offer: ShownOffer | null;
  /** WebVTT of little pictures for the bar of the player; answers 404 while there are none. */
  readonly trickplayUrl: string | null;
}

/** A session in a list, without the addresses: they are for its own client. */
export interface SessionSummary extends Pick<
  ShownSession,
  'id' | 'itemId' | 'fileId' | 'mode' | 'reasons' | 'duration' | 'position' | 'state' | 'createdAt'
> {
  readonly userId: string;
  readonly profileId: string;
}

/** The session in a list. */
export const toSummary = (session: Session): SessionSummary => ({
  ...{ id: session.id, itemId: session.file.itemId, fileId: session.file.id },
  ...{ userId: session.userId, profileId: session.profileId, mode: session.decided.mode },
  reasons: session.decided.reasons.map((code) => ({ code, message: reasonWords[code] })),
  duration: secondsOf(session.file),
  ...{ position: session.position, state: session.state },
  createdAt: toTimestamp(session.createdAt),
});

/** The folder of a session's addresses; the token stands in it. */
const baseOf = ({ id, token }: Pick<Session, 'id' | 'token'>, publicUrl: string | null): string =>
  `${publicUrl ?? ''}/api/playback/sessions/${id}/${token}`;

/** The session as its client sees it. */
export function toShownSession(
  session: Session,
  publicUrl: string | null,
  rate: number | null,
): ShownSession {
  const { id, file, decided, selection } = session;
  const base = baseOf(session, publicUrl);
  const kind = decided.mode === 'direct' ? 'file' : 'hls';
  const chosen: readonly (string | null)[] = [selection.video, selection.audio, selection.subtitle];
  return {
    ...{ id, itemId: file.itemId, fileId: file.id, mode: decided.mode, kind },
    url: kind === 'file' ? `${base}/file` : `${base}/master.m3u8`,
    firstUrls: kind === 'file' ? [] : firstUrls(session, base),
    firstUrl: kind === 'hls' && areCopied(session) ? `${base}/first` : null,
    tracks: decided.tracks.map((track) => toShownTrack(track, base, chosen)),
    reasons: decided.reasons.map((code) => ({ code, message: reasonWords[code] })),
    duration: secondsOf(file),
    ...{ position: session.position, state: session.state },
    createdAt: toTimestamp(session.createdAt),
    expiresAt: session.expiresAt,
    progressUrl: `${publicUrl ?? ''}/api/playback/sessions/${id}`,
    rate: rate === null ? null : Math.round(rate * 100) / 100,
    offer: rate === null || rate >= 1 ? null : offerOf(decided.tracks),
    trickplayUrl: selection.video === null ? null : `${base}/trickplay/index.vtt`,
  };
}

/** The playlists, the init segments, and the segments at the position; a picture before the sound. */
const firstUrls = (session: Session, base: string): readonly string[] => [
  `${base}/master.m3u8`,
  ...chosenTracks(session).map((one) => `${base}/${folderOf(one)}/index.m3u8`),
  ...firstParts(session).map((one) => `${base}/${folderOf(one)}/${one.name}`),
];

/** The next smaller picture. */
function offerOf(tracks: readonly SessionTrack[]): ShownOffer | null {
  for (const { qualities } of tracks) {
    const [best, next] = qualities;
    if (best !== undefined && 'video' in best && next !== undefined && 'video' in next)
      return { height: next.video.height, maxKbps: next.video.kbps };
  }
  return null;
}

function toShownTrack(
  { track, way, reasons, qualities, isDrawn = false }: SessionTrack,
  base: string,
  chosen: readonly (string | null)[],
): ShownTrack {
  const { id, kind, codec, language, title, isForced, isHearingImpaired, isText } = track;
  const [best] = qualities;
  const playlist = best === undefined ? null : `${base}/${id}/${best.name}/index.m3u8`;
  const text = `${base}/text/${encodeURIComponent(id)}`;
  const isAss = codec === 'ass' || codec === 'ssa';
  return {
    ...{ id, kind, codec, language, title, isForced, isHearingImpaired, way, reasons },
    isSelected: chosen.includes(id),
    url: isText ? `${text}.vtt` : playlist,
    assUrl: isText && isAss ? `${text}.ass` : null,
    supUrl: isDrawn ? `${text}.sup` : null,
  };
}
