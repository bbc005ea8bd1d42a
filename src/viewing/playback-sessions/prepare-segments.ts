/**
 * Makes ready what a player asks for first, while it still reads the playlists: the init segments and
 * the segments at the position of the session, as plans or as conversions. What was made ready is kept
 * where every request looks, so nothing is made twice. It is bounded, since a client may begin sessions
 * without ever playing one: a user has so many in a while, the server so many at a time, and a session
 * that ended needs none. What is left out, or fails, is made when it is asked for.
 */
import { createKeyedTokenBuckets } from '../../../packages/lib/concurrency/index.ts';
import type { Conversions, Plans } from '../transcoding/index.ts';
import { plannedCuts } from './cut-list.ts';
import { chosenTracks, cutsOf, segmentAt, workOf } from './session-work.ts';
import type { Quality, Session, SessionTrack } from './session.ts';

export interface PrepareSegmentsParts {
  readonly plans: Pick<Plans, 'init' | 'segment'>;
  readonly conversions: Pick<Conversions, 'segment' | 'told'>;
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

/** A session as far as preparing needs it. */
export type PreparedSession = Pick<
  Session,
  'id' | 'userId' | 'file' | 'decided' | 'selection' | 'position'
>;

/** Begins to prepare, and waits for nothing. `isThere` says whether the session has not ended. */
export type PrepareSegments = (session: PreparedSession, isThere: () => boolean) => void;

/** Sessions of one user: a person who looks for something to watch begins some soon after each other. */
const ofUser = { capacity: 5, refill: 1, everyMs: 3000 };
const mostUsers = 1000;
/** Sessions that are prepared at a time. */
const mostAtOnce = 16;

export function createPrepareSegments(parts: PrepareSegmentsParts): PrepareSegments {
  const { plans, conversions, now } = parts;
  const buckets = createKeyedTokenBuckets(ofUser, { mostKeys: mostUsers, now });
  let underWay = 0;

  async function plan({ file, position }: PreparedSession, quality: Planned): Promise<void> {
    const { index } = file;
    if (index === null) return;
    const { track } = quality;
    const wanted = { track, n: segmentAt(plannedCuts(file), position), keyframeOnly: false };
    await Promise.all([plans.init(file, index, track), plans.segment(file, index, wanted)]);
  }

  /** The process of a segment makes the init segment as well. */
  async function convert(
    session: PreparedSession,
    track: SessionTrack,
    quality: Converted,
    isThere: () => boolean,
  ): Promise<void> {
    const n = segmentAt(cutsOf(session, quality), session.position);
    const made = conversions.segment(workOf(session, track, quality), n);
    try {
      (await made).body.destroy();
    } finally {
      // The process may have begun after the session had ended.
      if (!isThere()) conversions.told(session.id, 'ended');
    }
  }

  return (session, isThere) => {
    if (session.decided.mode === 'direct' || underWay >= mostAtOnce) return;
    if (buckets.take(session.userId) > 0) return;
    underWay += 1;
    const all = chosenTracks(session).map(({ track, quality }) =>
      'track' in quality ? plan(session, quality) : convert(session, track, quality, isThere),
    );
    void Promise.allSettled(all).then(() => (underWay -= 1));
  };
}

type Planned = Extract<Quality, { track: unknown }>;
type Converted = Exclude<Quality, { track: unknown }>;
