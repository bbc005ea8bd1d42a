/** Windows over the page, and the question before something is removed. */
import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { t } from '../core/messages.ts';
import { Button, IconButton } from './button.tsx';
import { openWindow } from './open-windows.ts';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A window over the page. Escape and its button close it; the focus returns to where it was. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const before = document.activeElement;
    const close = element.current && openWindow(element.current);
    return () => {
      close?.();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog ref={element} aria-labelledby={id} onClose={onClose}>
      <header class="dialog-header">
        <h2 id={id}>{title}</h2>
        <IconButton icon="close" label={t('action.close')} act={() => element.current?.close()} />
      </header>
      {children}
    </dialog>
  );
}

/** Whether a window lies over the page: keys are for that window then. */
export const isBehindWindow = (): boolean => document.querySelector('dialog:modal') !== null;

interface Question {
  readonly title: string;
  readonly text: string;
  /** What the button says that does it. */
  readonly action: string;
  readonly isDangerous?: boolean;
}

const asked = signal<(Question & { readonly answer: (yes: boolean) => void }) | null>(null);

/** Asks before something is done; `false` = the person does not want it. */
export const confirm = (question: Question): Promise<boolean> =>
  new Promise((resolve) => {
    asked.peek()?.answer(false);
    asked.value = { ...question, answer: resolve };
  });

/** The place of the question. */
export function Questions() {
  const question = asked.value;
  if (question === null) return null;
  const { title, text, action, isDangerous = true } = question;
  const close = (yes: boolean): void => {
    question.answer(yes);
    if (asked.peek() === question) asked.value = null;
  };
  return (
    <Dialog title={title} onClose={() => close(false)}>
      <p>
        <bdi>{text}</bdi>
      </p>
      <p class="buttons dialog-buttons">
        <Button act={() => close(false)}>{t('action.cancel')}</Button>
        <button
          type="button"
          class={`button ${isDangerous ? 'danger' : 'primary'}`}
          onClick={() => close(true)}
        >
          {action}
        </button>
      </p>
    </Dialog>
  );
}
