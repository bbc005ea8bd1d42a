/** Keys of the page of a video. */
import type { VideoFace } from './face.ts';
import { actionOf, type Focus, type KeyAction } from './keys.ts';
import { isMuted, setVolume, volume } from './volume.ts';
import { toggleFullscreen, togglePip } from './controls.tsx';
import { speeds } from './menus.tsx';

function focusOf(root: Element): Focus {
  const now = document.activeElement;
  if (now === null || now === document.body || now === root || now.tagName === 'MAIN')
    return 'picture';
  if (now instanceof HTMLInputElement)
    return now.closest('.seek') === null ? 'field' : 'seek';
  return 'control';
}

const frameSeconds = 1 / 24;

function act(action: KeyAction, face: VideoFace, parts: KeyParts): void {
  const { player } = face;
  const { video } = parts;
  switch (action.kind) {
    case 'toggle':
      return player.toggle();
    case 'press':
      player.toggle();
      return document.getElementById('toggle')?.focus();
    case 'skip':
      return player.seek(player.position.peek() + action.by);
    case 'share':
      return player.seek(player.duration.peek() * action.of);
    case 'frame':
      player.pause();
      return player.seek(player.position.peek() + action.by * frameSeconds);
    case 'volume':
      return setVolume(volume.peek() + action.by);
    case 'speed': {
      const [slowest, fastest] = [speeds[0], 3];
      return player.setRate(
        Math.min(fastest, Math.max(slowest, player.rate.peek() + action.by)),
      );
    }
    case 'mute':
      return void (isMuted.value = !isMuted.peek());
    case 'fullscreen':
      return toggleFullscreen(video());
    case 'pip':
      return togglePip(video());
    case 'subtitles':
      return face.toggleText();
    case 'next':
      return face.playNext();
    case 'help':
      return void (face.helps.value = true);
    case 'close':
      if (face.menu.peek() !== null) return face.closeMenu();
      if (document.fullscreenElement !== null) return void document.exitFullscreen();
      return parts.leave();
  }
}

interface KeyParts {
  readonly root: () => Element | null;
  readonly video: () => HTMLVideoElement | null;
  readonly leave: () => void;
  /** Something was pressed: the controls are shown. */
  readonly pressed: () => void;
}

/** Follows the keys until it is stopped. It hears them before the arrow keys of all pages do. */
export function followKeys(face: VideoFace, parts: KeyParts): () => void {
  const hear = (event: KeyboardEvent): void => {
    const root = parts.root();
    if (root === null || event.ctrlKey || event.metaKey || event.altKey) return;
    parts.pressed();
    if (face.helps.peek()) return;
    const action = actionOf(event, focusOf(root));
    if (action === undefined) return;
    event.preventDefault();
    act(action, face, parts);
  };
  addEventListener('keydown', hear, { capture: true });
  return () => removeEventListener('keydown', hear, { capture: true });
}
