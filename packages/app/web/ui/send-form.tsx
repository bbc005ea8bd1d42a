import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';

interface SendFormProps {
  /** Sends what was typed. It says its own failures: it does not reject. */
  readonly send: (form: HTMLFormElement) => Promise<unknown>;
  /** What its button says. */
  readonly action: string;
  readonly icon?: ComponentChildren;
  /** What its button says while it is sent; the same when absent. */
  readonly actionNow?: string;
  /** Its button does not stand out. */
  readonly isPlain?: boolean;
  /** Buttons beside its own. */
  readonly beside?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A form with one button, which cannot be pressed again until what was typed is sent. */
export function SendForm({
  send,
  action,
  icon,
  actionNow = action,
  isPlain = false,
  beside,
  children,
}: SendFormProps) {
  const isBusy = useSignal(false);
  async function submit(form: HTMLFormElement): Promise<void> {
    isBusy.value = true;
    await send(form);
    isBusy.value = false;
  }
  const button = (
    <button type="submit" class={isPlain ? 'button' : 'button primary'} disabled={isBusy.value}>
      {icon}
      {isBusy.value ? actionNow : action}
    </button>
  );
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        void submit(event.currentTarget);
      }}
    >
      {children}
      {beside === undefined ? (
        button
      ) : (
        <p class="buttons">
          {button}
          {beside}
        </p>
      )}
    </form>
  );
}
