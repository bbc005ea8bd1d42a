import { useEffect, useRef } from 'preact/hooks';
import { t, type MessageKey } from '../../core/messages.ts';
import { Button } from '../../ui/button.tsx';
import { openWindow } from '../../ui/open-windows.ts';
import type { VideoFace } from './face.ts';

const keys: readonly (readonly [string, MessageKey])[] = [
  ['K, Space', 'keys.toggle'],
  ['J, L', 'keys.skip'],
  ['← →', 'keys.arrows'],
  ['↑ ↓', 'keys.volume'],
  ['0 – 9', 'keys.share'],
  [', .', 'keys.frame'],
  ['< >', 'keys.speed'],
  ['C', 'keys.subtitles'],
  ['F', 'keys.fullscreen'],
  ['I', 'keys.pip'],
  ['M', 'keys.mute'],
  ['R', 'keys.repeat'],
  ['Shift N', 'keys.next'],
  ['Esc', 'keys.close'],
];

/** A key as it is named on keyboards of the reader's language. */
const keyText = (key: string): string =>
  key.replace('Space', t('key.space')).replace('Shift', t('key.shift'));

/** The keys of the player. */
export function KeyHelp({ face }: { readonly face: VideoFace }) {
  const place = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const opener = document.activeElement;
    const close = place.current && openWindow(place.current);
    return () => {
      close?.();
      // The browser cannot give the focus back to a control that is hidden when it closes.
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);
  return (
    <dialog ref={place} aria-label={t('keys.title')} onClose={() => (face.helps.value = false)}>
      <h2>{t('keys.title')}</h2>
      <dl class="keys">
        {keys.map(([key, meaning]) => (
          <div key={key}>
            <dt>
              <kbd dir="ltr">{keyText(key)}</kbd>
            </dt>
            <dd>{t(meaning)}</dd>
          </div>
        ))}
      </dl>
      <Button act={() => place.current?.close()}>{t('action.close')}</Button>
    </dialog>
  );
}
