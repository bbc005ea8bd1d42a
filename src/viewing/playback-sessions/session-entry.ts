import type { PlaybackReason, TranscodeEventData } from '../../../plugin-api/index.ts';
import type { Viewer } from '../../people/viewer/index.ts';
import { secondsOf } from './playable-file.ts';
import type { Decided, PlayMode, Session } from './session.ts';

/** Why a session ended. */
export type Cause = NonNullable<TranscodeEventData['cause']>;

/** What a session costs of what is shared out. */
export type SharedCost = 'remux' | 'picture' | 'sound';

/** What a session costs the server. */
export type Cost = 'nothing' | SharedCost;

/** What counts of a session: for its owner, the limits, lists and events. */
export interface SessionEntry extends Pick<
  Session,
  | 'id'
  | 'createdAt'
  | 'credentialId'
  | 'userId'
  | 'profileId'
  | 'role'
  | 'state'
  | 'position'
  | 'lastSeenAt'
  | 'told'
> {
  readonly itemId: string;
  readonly fileId: string;
  /** Seconds. */
  readonly duration: number;
  readonly mode: PlayMode;
  readonly cost: Cost;
  readonly reasons: readonly PlaybackReason[];
}

/** The cost of what was decided. */
export function costOf({ mode, tracks }: Decided): Cost {
  if (mode === 'direct') return 'nothing';
  if (mode === 'remux') return 'remux';
  const hasPicture = tracks.some(({ track, way }) => track.kind === 'video' && way === 'convert');
  return hasPicture ? 'picture' : 'sound';
}

export const entryOf = (session: Session): SessionEntry => ({
  id: session.id,
  createdAt: session.createdAt,
  credentialId: session.credentialId,
  userId: session.userId,
  profileId: session.profileId,
  role: session.role,
  state: session.state,
  position: session.position,
  lastSeenAt: session.lastSeenAt,
  told: session.told,
  itemId: session.file.itemId,
  fileId: session.file.id,
  duration: secondsOf(session.file),
  mode: session.decided.mode,
  cost: costOf(session.decided),
  reasons: session.decided.reasons,
});

export const isOf = (
  of: Pick<Session, 'userId' | 'profileId'>,
  viewer: Pick<Viewer, 'userId' | 'profileId'>,
): boolean => of.userId === viewer.userId && of.profileId === viewer.profileId;
