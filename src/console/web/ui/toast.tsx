/** Short messages about what was just done, shown and read aloud. */
import { signal } from '@preact/signals';
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

/** The place of the messages. */
export const Toasts = () => (
  <div class="toasts" role="status" aria-live="polite">
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
