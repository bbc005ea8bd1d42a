/** Short messages about what was just done, shown and read aloud. */
import { effect, signal } from '@preact/signals';
import { render } from 'preact';
import { useEffect } from 'preact/hooks';
import { t } from '../core/messages.ts';
import { openWindows } from './open-windows.ts';
import { errorText } from './words.ts';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly undo: (() => void) | undefined;
}

const toasts = signal<readonly Toast[]>([]);
const shownMs = 6000;
let last = 0;

/** Shows a message for a few seconds, with an undo if it has one. */
export function say(text: string, undo?: () => void): void {
  const id = ++last;
  toasts.value = [...toasts.value.slice(-2), { id, text, undo }];
  setTimeout(() => dismiss(id), shownMs);
}

/** Runs what a person asked for; a failure is said in words. */
export async function attempt(work: () => Promise<unknown>, done?: string): Promise<boolean> {
  try {
    await work();
    if (done !== undefined) say(done);
    return true;
  } catch (error) {
    say(errorText(error));
    return false;
  }
}

function dismiss(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
}

const Messages = () =>
  toasts.value.map(({ id, text, undo }) => (
    <p key={id}>
      <bdi>{text}</bdi>
      {undo !== undefined && (
        <button
          type="button"
          onClick={() => {
            undo();
            dismiss(id);
          }}
        >
          {t('action.undo')}
        </button>
      )}
    </p>
  ));

/** The place of the messages: over the page, and in the topmost window, if there is one. */
export function Toasts() {
  useEffect(() => {
    const place = document.createElement('div');
    place.className = 'toasts';
    place.popover = 'manual';
    place.role = 'status';
    place.ariaLive = 'polite';
    render(<Messages />, place);
    const stop = effect(() => {
      // A window that has left the page cannot show a message.
      const home = openWindows.value.findLast(({ isConnected }) => isConnected) ?? document.body;
      if (place.parentNode !== home) home.append(place);
      if (toasts.value.length === 0) return;
      // Opened again, it comes over what was opened since.
      place.hidePopover?.();
      place.showPopover?.();
    });
    return () => {
      stop();
      render(null, place);
      place.remove();
    };
  }, []);
  return null;
}
