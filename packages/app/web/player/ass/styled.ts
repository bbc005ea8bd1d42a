/**
 * Text of ASS over a video, with its styles, drawn by assjs. The script is written again before
 * (`safe-script.ts`), and what is drawn lies in a shadow tree in a box of its own. The policy of the
 * page allows no style element, so the styles of assjs become a sheet that is made here.
 */
import { loadFonts } from './fonts.ts';
import { safeScript } from './safe-script.ts';

/** What is drawn. */
export interface StyledText {
  /** Seconds by which text comes later. */
  readonly setDelay: (seconds: number) => void;
  readonly close: () => void;
}

/** Where and what. */
export interface StyledTextParts {
  readonly video: HTMLVideoElement;
  /** The box over the video, of its size. */
  readonly box: HTMLElement;
  /** The script. */
  readonly url: string;
  readonly fileId: string;
  readonly signal: AbortSignal;
}

/** Draws it; rejects if the text cannot be read or shows nothing. */
export async function showStyled(parts: StyledTextParts): Promise<StyledText> {
  const { video, box, url, fileId, signal } = parts;
  const [reply, { default: ASS }] = await Promise.all([fetch(url, { signal }), import('assjs')]);
  if (!reply.ok) throw new Error(`The subtitles answered ${reply.status}.`);
  const source = await reply.text();
  const named = new Set<string>();
  safeScript(source, (name) => {
    named.add(name);
    return 'Arial';
  });
  const fonts = await loadFonts(fileId, named, signal);
  try {
    const script = safeScript(source, fonts.fontOf);
    if (script === null) throw new Error('The subtitles show nothing.');
    signal.throwIfAborted();
    // Until it is in the page, the style element in it is not asked for.
    const host = document.createElement('div');
    const tree = host.attachShadow({ mode: 'open' });
    const container = document.createElement('div');
    tree.append(container);
    const drawn = new ASS(script, video, { container });
    const style = tree.querySelector('style');
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(style?.textContent ?? '');
    style?.remove();
    tree.adoptedStyleSheets = [sheet];
    box.append(host);
    const stop = followSpeed(video, tree);
    return {
      setDelay: (seconds) => (drawn.delay = seconds),
      close: () => {
        stop();
        drawn.destroy();
        host.remove();
        fonts.close();
      },
    };
  } catch (error) {
    fonts.close();
    throw error;
  }
}

/** Text that moves does so at the speed of the film. */
function followSpeed(video: HTMLVideoElement, tree: ShadowRoot): () => void {
  const follow = (): void => {
    const speed = video.playbackRate;
    for (const animation of tree.getAnimations())
      if (animation.playbackRate !== speed) animation.playbackRate = speed;
  };
  const added = new MutationObserver(follow);
  added.observe(tree, { childList: true, subtree: true });
  video.addEventListener('ratechange', follow);
  return () => {
    added.disconnect();
    video.removeEventListener('ratechange', follow);
  };
}
