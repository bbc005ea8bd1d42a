import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
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
export const Subtitles = (props: SubtitlesProps) => (
  <>
    <FirstText {...props} />
    <SecondText {...props} />
  </>
);

function SecondText({ face, video }: SubtitlesProps) {
  const track = face.secondText.value;
  if (track === null || track.id === face.text.value?.id) return null;
  return <Captions {...{ video, url: track.url ?? undefined, look: face.captionLook }} isSecond />;
}

function FirstText({ face, video }: SubtitlesProps) {
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
  return <Captions video={video} url={track?.url ?? undefined} look={face.captionLook} />;
}
