/** Forms and buttons that say what failed beside them. */
import { useSignal, type Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { t } from '../core/messages.ts';
import { textOf } from '../ui/form-text.ts';
import { SendForm } from '../ui/send-form.tsx';
import { errorText } from '../ui/words.ts';

/** The name and the password as they were typed. */
export interface Person {
  readonly name: string;
  readonly password: string;
}

/** What failed; empty = nothing did. */
export const Failure = ({ text }: { readonly text: string }) =>
  text === '' ? null : (
    <p class="problem" role="alert">
      {text}
    </p>
  );

/** Runs what was asked for, and keeps what failed as text. */
async function attempt(failure: Signal<string>, act: () => Promise<void>): Promise<void> {
  failure.value = '';
  try {
    await act();
  } catch (error) {
    failure.value = errorText(error);
  }
}

/** Asks for a name and a password: those of the person, or new ones. */
export function PersonForm({
  action,
  isNew = false,
  send,
}: {
  readonly action: string;
  readonly isNew?: boolean;
  readonly send: (person: Person) => Promise<void>;
}) {
  const failure = useSignal('');
  const sendTyped = (form: HTMLFormElement): Promise<void> => {
    const person = { name: textOf(form, 'name'), password: textOf(form, 'password') };
    return attempt(failure, () => send(person));
  };
  return (
    <SendForm send={sendTyped} action={action}>
      <label>
        {t('field.name')}
        <input
          name="name"
          required
          autofocus
          maxLength={100}
          autocomplete={isNew ? 'username' : 'username webauthn'}
        />
      </label>
      <label>
        {t('field.password')}
        <input
          name="password"
          type="password"
          required
          maxLength={1000}
          minLength={isNew ? 10 : undefined}
          autocomplete={isNew ? 'new-password' : 'current-password'}
        />
        {isNew && <small>{t('field.passwordHint')}</small>}
      </label>
      <Failure text={failure.value} />
    </SendForm>
  );
}

interface ActionButtonProps {
  readonly act: () => Promise<void>;
  readonly children: ComponentChildren;
  /** The only way on: it stands out, and has the focus. */
  readonly isPrimary?: boolean;
}

export function ActionButton({ act, children, isPrimary = false }: ActionButtonProps) {
  const isBusy = useSignal(false);
  const failure = useSignal('');
  async function run(): Promise<void> {
    isBusy.value = true;
    await attempt(failure, act);
    isBusy.value = false;
  }
  return (
    <>
      <button
        type="button"
        class={isPrimary ? 'button primary' : 'button'}
        disabled={isBusy.value}
        autofocus={isPrimary}
        onClick={() => void run()}
      >
        {children}
      </button>
      <Failure text={failure.value} />
    </>
  );
}
