import { useSignal, type ReadonlySignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { pathOf } from '../requests.ts';
import type { CaptionLook } from './caption-look.ts';
import { captionDelay } from './caption-delay.ts';

/** Reads the cues of a text track by the browser; it does not draw them. */
function readCues(video: HTMLVideoElement, url: string, show: (cues: VTTCue[]) => void) {
  const track = document.createElement('track');
  track.kind = 'subtitles';
  track.src = pathOf(url);
  track.addEventListener('load', () => {
    const cues = [...(track.track.cues ?? [])];
    show(cues.filter((cue) => cue instanceof VTTCue));
  });
  video.append(track);
  track.track.mode = 'hidden';
  return () => track.remove();
}

const shownAt = (cues: readonly VTTCue[], time: number): readonly VTTCue[] =>
  cues.filter(({ startTime, endTime }) => startTime <= time && time < endTime);

const isAbove = ({ line, snapToLines }: VTTCue): boolean =>
  typeof line === 'number' && (snapToLines ? line >= 0 && line < 8 : line < 50);

/** The subtitles of a video over its picture. */
export function Captions({
  video,
  url,
  look,
  isSecond = false,
}: {
  readonly video: HTMLVideoElement | null;
  readonly url: string | undefined;
  readonly look: ReadonlySignal<CaptionLook>;
  /** Whether another subtitle is shown too: this one is at the other side of the picture. */
  readonly isSecond?: boolean;
}) {
  const shown = useSignal<readonly VTTCue[]>([]);
  useEffect(() => {
    if (video === null || url === undefined) return;
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
  if (shown.value.length === 0) return null;
  const { size, colour, position } = look.value;
  const side = isSecond ? (position === 'top' ? 'bottom' : 'top') : position;
  return (
    <div class={`captions ${side} ${colour}`} style={{ '--caption-size': size }} aria-live="off">
      {shown.value.map((cue) => (
        <p key={`${cue.startTime}-${cue.text}`} class={isAbove(cue) ? 'above' : undefined}>
          <span dir="auto" ref={(place) => place?.replaceChildren(cue.getCueAsHTML())} />
        </p>
      ))}
    </div>
  );
}
