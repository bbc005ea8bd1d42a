import { useSignal, type ReadonlySignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { t } from '../../core/messages.ts';
import { say } from '../../ui/toast.tsx';
import { pathOf } from '../requests.ts';
import type { CaptionLook } from './caption-look.ts';
import { captionDelay } from './caption-delay.ts';

/** Reads the cues of a text track by the browser; it does not draw them. A person is told of a failure. */
function readCues(video: HTMLVideoElement, url: string, show: (cues: VTTCue[]) => void) {
  const track = document.createElement('track');
  track.kind = 'subtitles';
  track.src = pathOf(url);
  track.addEventListener('load', () => {
    const cues = [...(track.track.cues ?? [])];
    show(cues.filter((cue) => cue instanceof VTTCue));
  });
  track.addEventListener('error', () => say(t('player.noText')));
  video.append(track);
  track.track.mode = 'hidden';
  return () => track.remove();
}

const shownAt = (cues: readonly VTTCue[], time: number): readonly VTTCue[] =>
  cues.filter(({ startTime, endTime }) => startTime <= time && time < endTime);

const isAbove = ({ line, snapToLines }: VTTCue): boolean =>
  typeof line === 'number' && (snapToLines ? line >= 0 && line < 8 : line < 50);

/** The cues of a text that are shown now. */
function useCues(video: HTMLVideoElement, url: string | undefined): readonly VTTCue[] {
  const shown = useSignal<readonly VTTCue[]>([]);
  useEffect(() => {
    if (url === undefined) return;
    let cues: readonly VTTCue[] = [];
    const forget = readCues(video, url, (found) => (cues = found));
    let frame = 0;
    const look = (): void => {
      const now = shownAt(cues, video.currentTime - captionDelay.peek());
      const before = shown.peek();
      if (now.length !== before.length || now.some((cue, at) => cue !== before[at]))
        shown.value = now;
      frame = requestAnimationFrame(look);
    };
    look();
    return () => {
      cancelAnimationFrame(frame);
      forget();
      shown.value = [];
    };
  }, [video, url]);
  return shown.value;
}

interface CaptionsProps {
  readonly video: HTMLVideoElement;
  readonly url: string | undefined;
  /** A second text of the same look, on the side of the first one that is away from the edge. */
  readonly second?: string | undefined;
  readonly look: ReadonlySignal<CaptionLook>;
  /** Whether the edge is taken by a subtitle that is no text: these are at the other one. */
  readonly isOpposite?: boolean;
}

/** The subtitles of a video over its picture: one below the other, so that none covers another. */
export function Captions({ video, url, second, look, isOpposite = false }: CaptionsProps) {
  const [first, other] = [useCues(video, url), useCues(video, second)];
  if (first.length === 0 && other.length === 0) return null;
  const { size, colour, position } = look.value;
  const side = isOpposite ? (position === 'top' ? 'bottom' : 'top') : position;
  const lines = [
    ...other.map((cue) => ({ cue, isSecond: true })),
    ...first.map((cue) => ({ cue, isSecond: false })),
  ];
  if (side === 'top') lines.sort((a, b) => Number(a.isSecond) - Number(b.isSecond));
  return (
    <div class={`captions ${side} ${colour}`} style={{ '--caption-size': size }} aria-live="off">
      {lines.map(({ cue, isSecond }) => (
        <p
          key={`${isSecond}-${cue.startTime}-${cue.text}`}
          class={isAbove(cue) ? 'above' : undefined}
        >
          <span dir="auto" ref={(place) => place?.replaceChildren(cue.getCueAsHTML())} />
        </p>
      ))}
    </div>
  );
}
