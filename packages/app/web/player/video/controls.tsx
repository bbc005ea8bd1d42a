import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';
import { t } from '../../core/messages.ts';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { clockOf } from '../../ui/words.ts';
import type { MenuName, VideoFace } from './face.ts';
import { SeekBar } from '../seek-bar.tsx';
import { subtitlesOf } from '../tracks.ts';
import { isMuted, setVolume, volume } from '../volume.ts';

/** A round button of a player. */
export const ControlButton = ({
  icon,
  label,
  press,
  isPressed,
  id,
}: {
  readonly icon: IconName;
  readonly label: string;
  readonly press: () => void;
  readonly isPressed?: boolean | undefined;
  readonly id?: string;
}) => (
  <button
    type="button"
    class="control"
    id={id}
    aria-label={label}
    title={label}
    aria-pressed={isPressed}
    onClick={press}
  >
    <Icon name={icon} size={24} />
  </button>
);

/** Mutes, and sets the volume. */
export const Volume = () => (
  <span class="volume">
    <ControlButton
      icon={isMuted.value || volume.value === 0 ? 'mute' : 'volume'}
      label={isMuted.value ? t('player.unmute') : t('player.mute')}
      press={() => (isMuted.value = !isMuted.value)}
    />
    <input
      type="range"
      min={0}
      max={100}
      step={1}
      value={isMuted.value ? 0 : Math.round(volume.value * 100)}
      aria-label={t('player.volume')}
      onInput={({ currentTarget }) => setVolume(Number(currentTarget.value) / 100)}
    />
  </span>
);

/** Shows the video in a small window over others, where the browser can. */
export function togglePip(video: HTMLVideoElement | null): void {
  if (document.pictureInPictureElement !== null) void document.exitPictureInPicture();
  else video?.requestPictureInPicture().catch(() => {});
}

/** Fills the screen, or stops that. */
export function toggleFullscreen(video: HTMLVideoElement | null): void {
  if (document.fullscreenElement !== null) return void document.exitFullscreen();
  const root = document.documentElement;
  if ('requestFullscreen' in root) return void root.requestFullscreen().catch(() => {});
  // Telephones of Apple show only the video itself.
  (video as { webkitEnterFullscreen?: () => void } | null)?.webkitEnterFullscreen?.();
}

/** Offers another screen where the browser finds one. */
function Remote({ video }: { readonly video: HTMLVideoElement }) {
  const isThere = useSignal(false);
  useEffect(() => {
    if (!('remote' in video)) return;
    const watching = video.remote
      .watchAvailability((found) => (isThere.value = found))
      .catch(() => undefined);
    return () =>
      void watching.then((id) => {
        if (id !== undefined) void video.remote.cancelWatchAvailability(id);
      });
  }, [video]);
  if (!isThere.value) return null;
  return (
    <ControlButton
      icon="cast"
      label={t('player.cast')}
      press={() => void video.remote.prompt().catch(() => {})}
    />
  );
}

/** The bar below a video. */
export function Controls({
  face,
  video,
}: {
  readonly face: VideoFace;
  readonly video: RefObject<HTMLVideoElement | null>;
}) {
  const { player, menu, chapters, next } = face;
  const isFull = useSignal(document.fullscreenElement !== null);
  useEffect(() => {
    const look = (): void => void (isFull.value = document.fullscreenElement !== null);
    document.addEventListener('fullscreenchange', look);
    return () => document.removeEventListener('fullscreenchange', look);
  }, []);
  const tracks = player.session.value?.tracks ?? [];
  const menuButton = (name: MenuName, icon: IconName, label: string) => (
    <ControlButton
      icon={icon}
      label={label}
      isPressed={menu.value === name}
      press={() => face.openMenu(name)}
    />
  );
  const skip = (by: number) => (): void => player.seek(player.position.peek() + by);
  return (
    <div class="controls" dir="ltr">
      <SeekBar player={player} chapters={chapters.value} />
      <div class="control-line">
        <ControlButton
          id="toggle"
          icon={player.isPlaying.value ? 'pause' : 'play'}
          label={player.isPlaying.value ? t('player.pause') : t('action.play')}
          press={player.toggle}
        />
        <ControlButton icon="back10" label={t('player.back10')} press={skip(-10)} />
        <ControlButton icon="forward10" label={t('player.forward10')} press={skip(10)} />
        {next.value !== undefined && (
          <ControlButton icon="next" label={t('player.nextEpisode')} press={face.playNext} />
        )}
        <Volume />
        <span class="times">
          {clockOf(player.position.value)} / {clockOf(player.duration.value)}
        </span>
        <span class="control-space" />
        {chapters.value.length > 1 && menuButton('chapters', 'chapters', t('player.chapters'))}
        {subtitlesOf(tracks).length > 0 &&
          menuButton('subtitles', 'subtitles', t('player.subtitles'))}
        {tracks.filter(({ kind }) => kind === 'audio').length > 1 &&
          menuButton('sound', 'audio', t('player.sound'))}
        {menuButton('speed', 'speed', t('player.speed'))}
        {menuButton('quality', 'quality', t('player.quality'))}
        {video.current !== null && <Remote video={video.current} />}
        {document.pictureInPictureEnabled && (
          <ControlButton
            icon="pip"
            label={t('player.pip')}
            press={() => togglePip(video.current)}
          />
        )}
        <ControlButton
          icon={isFull.value ? 'exitFullscreen' : 'fullscreen'}
          label={isFull.value ? t('player.exitFullscreen') : t('player.fullscreen')}
          press={() => toggleFullscreen(video.current)}
        />
      </div>
    </div>
  );
}
