/** Keys of the page of a video. */
import type { VideoFace } from './face.ts';
import { isBehindWindow } from '../../ui/dialog.tsx';
import { actionOf, type Focus, type KeyAction } from './keys.ts';
import { isMuted, setVolume, volume } from '../volume.ts';
import { toggleFullscreen, togglePip } from './controls.tsx';
import { speeds } from '../speeds.ts';

function focusOf(root: Element): Focus {
  const now = document.activeElement;
  if (now === null || now === document.body || now === root || now.tagName === 'MAIN')
    return 'picture';
  if (now instanceof HTMLInputElement) return now.closest('.seek') === null ? 'field' : 'seek';
  return 'control';
}

const frameSeconds = 1 / 24;

function act(action: KeyAction, face: VideoFace, parts: KeyParts): void {
  const { player } = face;
  const skip = (by: number): void => player.seek(player.position.peek() + by);
  switch (action.kind) {
    case 'toggle':
      player.toggle();
      break;
    case 'press':
      player.toggle();
      document.getElementById('toggle')?.focus();
      break;
    case 'skip':
      skip(action.by);
      break;
    case 'share':
      player.seek(player.duration.peek() * action.of);
      break;
    case 'frame':
      player.pause();
      skip(action.by * frameSeconds);
      break;
    case 'volume':
      setVolume(volume.peek() + action.by);
      break;
    case 'speed':
      player.setRate(Math.min(3, Math.max(speeds[0], player.rate.peek() + action.by)));
      break;
    case 'mute':
      isMuted.value = !isMuted.peek();
      break;
    case 'fullscreen':
      toggleFullscreen(parts.video());
      break;
    case 'pip':
      togglePip(parts.video());
      break;
    case 'subtitles':
      face.toggleText();
      break;
    case 'repeat':
      face.repeatPart();
      break;
    case 'next':
      face.playNext();
      break;
    case 'help':
      face.helps.value = true;
      break;
    case 'close':
      close(face, parts);
  }
}

/** Closes the menu, else ends the full screen, else leaves the page. */
function close(face: VideoFace, parts: KeyParts): void {
  if (face.menu.peek() !== null) face.closeMenu();
  else if (document.fullscreenElement !== null) void document.exitFullscreen();
  else parts.leave();
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
    if (isBehindWindow()) return;
    const action = actionOf(event, focusOf(root));
    if (action === undefined) return;
    event.preventDefault();
    act(action, face, parts);
  };
  addEventListener('keydown', hear, { capture: true });
  return () => removeEventListener('keydown', hear, { capture: true });
}
