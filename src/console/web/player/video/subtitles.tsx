import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { delayFor } from './caption-delay.ts';
import { Captions } from './captions.tsx';
import type { VideoFace } from './face.ts';
import { PictureCaptions } from './picture-captions.tsx';
import { StyledCaptions } from './styled-captions.tsx';

/** The subtitles that were chosen: with the styles of their script, as pictures, or as plain text. */
export function Subtitles({
  face,
  video,
}: {
  readonly face: VideoFace;
  readonly video: HTMLVideoElement | null;
}) {
  const failed = useSignal<string | null>(null);
  const track = face.text.value;
  const url = track?.assUrl ?? null;
  const fileId = face.player.file.value?.id;
  useEffect(() => delayFor(fileId), [fileId]);
  const isStyled = url !== null && failed.value !== url && face.isStyled.value;
  if (isStyled && video !== null && fileId !== undefined)
    return (
      <StyledCaptions
        {...{ video, url, fileId }}
        failed={() => {
          failed.value = url;
        }}
      />
    );
  const pictures = track?.supUrl ?? null;
  if (pictures !== null && failed.value !== pictures && video !== null)
    return (
      <PictureCaptions
        {...{ video, url: pictures }}
        failed={() => {
          failed.value = pictures;
        }}
      />
    );
  return <Captions video={video} url={track?.url ?? undefined} size={face.captionSize} />;
}
