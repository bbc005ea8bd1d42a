import { effect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { loadPart } from '../../core/part.ts';
import { pathOf } from '../requests.ts';
import { captionDelay } from './caption-delay.ts';

/** Subtitles of ASS with their styles. `failed` is told when they cannot be drawn. */
export function StyledCaptions({
  video,
  url,
  fileId,
  failed,
}: {
  readonly video: HTMLVideoElement;
  readonly url: string;
  readonly fileId: string;
  readonly failed: () => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const given = new AbortController();
    const { signal } = given;
    let stop = (): void => given.abort();
    const draw = async (): Promise<void> => {
      const { showStyled } = await loadPart(() => import('../ass/styled.ts'));
      if (box.current === null || signal.aborted) return;
      const parts = { video, box: box.current, url: pathOf(url), fileId, signal };
      const drawn = await showStyled(parts);
      const unfollow = effect(() => drawn.setDelay(captionDelay.value));
      const close = (): void => {
        unfollow();
        drawn.close();
      };
      if (signal.aborted) close();
      else stop = close;
    };
    draw().catch(() => {
      if (!signal.aborted) failed();
    });
    return () => stop();
  }, [video, url, fileId]);
  return <div ref={box} class="styled-captions" aria-live="off" />;
}
