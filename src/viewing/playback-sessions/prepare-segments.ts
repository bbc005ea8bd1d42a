/**
 * Plans what a player asks for first, while it still reads the playlists: the init segments and the
 * segments at the position of the session. What fails here fails again when it is asked for, and is
 * said then.
 */
import type { Plans } from '../transcoding/index.ts';
import type { Session } from './session.ts';

/** Begins to plan, and waits for nothing. */
export type PrepareSegments = (
  session: Pick<Session, 'file' | 'decided' | 'selection' | 'position'>,
) => void;

/** Creates it. */
export const createPrepareSegments =
  (plans: Pick<Plans, 'init' | 'segment'>): PrepareSegments =>
  ({ file, decided, selection, position }) => {
    const { index } = file;
    if (index === null || decided.mode === 'direct') return;
    const at = position * index.timescale;
    const n = Math.max(
      0,
      index.cuts.findLastIndex((cut) => cut <= at),
    );
    for (const { track, qualities } of decided.tracks) {
      const [best] = qualities;
      const isChosen = track.id === selection.video || track.id === selection.audio;
      if (!isChosen || best === undefined || !('track' in best)) continue;
      const wanted = { track: best.track, n, keyframeOnly: false };
      const planned = [plans.init(file, index, best.track), plans.segment(file, index, wanted)];
      void Promise.allSettled(planned);
    }
  };
