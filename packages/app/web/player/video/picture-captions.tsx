import { useEffect, useRef } from 'preact/hooks';
import { loadPart } from '../../core/part.ts';
import { pathOf } from '../requests.ts';
import { captionDelay } from './caption-delay.ts';

/** How long it waits before it tries again to load a part of the app. */
const pauseMs = 5000;

/** Subtitles that are pictures, over a video. `failed` is told when the server refuses them. */
export function PictureCaptions({
  video,
  url,
  failed,
}: {
  readonly video: HTMLVideoElement;
  readonly url: string;
  readonly failed: () => void;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    let [frame, timer, isClosed] = [0, 0, false];
    let close = (): void => {};
    const draw = async (): Promise<void> => {
      const { createPictureText } = await loadPart(() => import('../pgs/pictures.ts'));
      if (canvas.current === null || isClosed) return;
      const drawn = await createPictureText(canvas.current, pathOf(url), failed);
      const look = (): void => {
        drawn.show(video.currentTime - captionDelay.peek());
        frame = requestAnimationFrame(look);
      };
      close = () => {
        cancelAnimationFrame(frame);
        drawn.close();
      };
      if (isClosed) close();
      else look();
    };
    const begin = (): void => {
      draw().catch(() => {
        if (!isClosed) timer = window.setTimeout(begin, pauseMs);
      });
    };
    begin();
    return () => {
      isClosed = true;
      clearTimeout(timer);
      close();
    };
  }, [video, url]);
  // Another subtitle gets another canvas, which is empty.
  return <canvas key={url} ref={canvas} class="picture-captions" />;
}
