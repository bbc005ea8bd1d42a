import { toTimestamp } from '../../platform/clock.ts';
import { reasonWords } from '../transcoding/index.ts';
import { secondsOf } from './playable-file.ts';
import { areCopied, chosenTracks, firstParts, folderOf } from './session-work.ts';
import type { SessionEntry } from './session-entry.ts';
import type { Session, SessionTrack } from './session.ts';
import type {
  SessionSummary,
  ShownOffer,
  ShownSession,
  ShownTrack,
} from '../../contract/resources/viewing/playback-sessions.ts';

/** The session in a list. */
export const toSummary = (entry: SessionEntry): SessionSummary => ({
  id: entry.id,
  itemId: entry.itemId,
  fileId: entry.fileId,
  userId: entry.userId,
  profileId: entry.profileId,
  mode: entry.mode,
  reasons: entry.reasons.map((code) => ({ code, message: reasonWords[code] })),
  duration: entry.duration,
  position: entry.position,
  state: entry.state,
  createdAt: toTimestamp(entry.createdAt),
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
    id,
    itemId: file.itemId,
    fileId: file.id,
    mode: decided.mode,
    kind,
    url: kind === 'file' ? `${base}/file` : `${base}/master.m3u8`,
    firstUrls: kind === 'file' ? [] : firstUrls(session, base),
    firstUrl: kind === 'hls' && areCopied(session) ? `${base}/first` : null,
    tracks: decided.tracks.map((track) => toShownTrack(track, base, chosen)),
    reasons: decided.reasons.map((code) => ({ code, message: reasonWords[code] })),
    duration: secondsOf(file),
    position: session.position,
    state: session.state,
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
    id,
    kind,
    codec,
    language,
    title,
    isForced,
    isHearingImpaired,
    way,
    reasons,
    isSelected: chosen.includes(id),
    url: isText ? `${text}.vtt` : playlist,
    assUrl: isText && isAss ? `${text}.ass` : null,
    supUrl: isDrawn ? `${text}.sup` : null,
  };
}
