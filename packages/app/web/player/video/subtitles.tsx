import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { t } from '../../core/messages.ts';
import { say } from '../../ui/toast.tsx';
import { delayFor } from './caption-delay.ts';
import { Captions } from './captions.tsx';
import type { VideoFace } from './face.ts';
import { PictureCaptions } from './picture-captions.tsx';
import { StyledCaptions } from './styled-captions.tsx';

interface SubtitlesProps {
  readonly face: VideoFace;
  readonly video: HTMLVideoElement | null;
}

/** The subtitles that were chosen: with the styles of their script, as pictures, or as plain text. */
export function Subtitles({ face, video }: SubtitlesProps) {
  const failed = useSignal<string | null>(null);
  const track = face.text.value;
  const other = face.secondText.value;
  const second = other === null || other.id === track?.id ? undefined : (other.url ?? undefined);
  const ass = track?.assUrl ?? null;
  const pictures = track?.supUrl ?? null;
  const look = face.captionLook;
  const fileId = face.player.file.value?.id;
  useEffect(() => delayFor(fileId), [fileId]);
  if (video === null) return null;
  const drawn = (url: string) => ({
    video,
    url,
    failed: () => {
      failed.value = url;
      // Styled text is shown without its styles then; of pictures nothing is left.
      if (url === pictures) say(t('player.noText'));
    },
  });
  const isStyled = ass !== null && failed.value !== ass && face.isStyled.value;
  if (isStyled && fileId !== undefined)
    return (
      <>
        <StyledCaptions {...drawn(ass)} fileId={fileId} />
        <Captions {...{ video, url: second, look }} isOpposite />
      </>
    );
  if (pictures !== null && failed.value !== pictures)
    return (
      <>
        <PictureCaptions {...drawn(pictures)} />
        <Captions {...{ video, url: second, look }} isOpposite />
      </>
    );
  return <Captions {...{ video, url: track?.url ?? undefined, second, look }} />;
}
