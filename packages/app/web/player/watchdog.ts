/**
 * A browser that does not decode a picture or a sound says nothing. So it is looked at whether
 * anything was decoded, after two seconds of playing.
 */
import type { Media } from './media.ts';
import type { Session } from './requests.ts';

const afterSeconds = 2;
const lookEveryMs = 500;

/** Watches what is decoded of a session. */
export interface Watchdog {
  readonly start: (session: Session, position: () => number) => void;
  readonly stop: () => void;
}

/** Calls `missing` with what was expected and did not come, once for a session that is not converted. */
export function watchDecoding(
  media: Media,
  missing: (what: 'picture' | 'sound') => void,
): Watchdog {
  let timer: ReturnType<typeof setInterval> | undefined;
  const stop = (): void => clearInterval(timer);
  return {
    stop,
    start: (session, position) => {
      stop();
      if (session.mode === 'convert') return;
      const expects = (kind: 'video' | 'audio'): boolean =>
        session.tracks.some((track) => track.kind === kind && track.isSelected);
      let [last, played] = [position(), 0];
      timer = setInterval(() => {
        const step = position() - last;
        last += step;
        // A larger step is a seek.
        if (step > 0 && step < afterSeconds) played += step;
        if (played < afterSeconds) return;
        stop();
        const { picture, sound } = media.decoded();
        if (expects('video') && picture === false) missing('picture');
        else if (expects('audio') && sound === false) missing('sound');
      }, lookEveryMs);
    },
  };
}
