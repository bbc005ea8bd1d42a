/** Short messages about what was just done, shown and read aloud. */
import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { t } from '../core/messages.ts';
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

/** The place of the messages. Each new message comes over the windows that were open before it. */
export function Toasts() {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (toasts.value.length === 0) return;
    place.current?.hidePopover?.();
    place.current?.showPopover?.();
  }, [toasts.value]);
  return (
    <div class="toasts" popover="manual" role="status" aria-live="polite" ref={place}>
      {toasts.value.map(({ id, text, undo }) => (
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
      ))}
    </div>
  );
}
