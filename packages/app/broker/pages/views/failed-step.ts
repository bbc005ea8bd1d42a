import { buttonOf, el, fill } from '../../../../lib/page-kit/index.ts';
import { show } from '../form.ts';

export interface FailedStep {
  /** A passkey that was created on the device and is not registered with the broker. */
  readonly credentialId?: string;
  readonly again: () => void;
}

/** Reports that a series of steps failed, and removes an unregistered passkey from the device. */
export function failedStep(
  place: HTMLElement,
  error: unknown,
  { credentialId, again }: FailedStep,
): void {
  const problem = el('p', { class: 'problem', role: 'alert' });
  const button = buttonOf('Go back', { class: 'primary' });
  button.addEventListener('click', again);
  fill(
    place,
    el('h1', { tabindex: -1 }, 'That did not work'),
    problem,
    el('p', {}, 'Nothing was changed.'),
    credentialId !== undefined &&
      el(
        'p',
        {},
        'If your device later offers a passkey that does not work, it is from this attempt.',
      ),
    button,
  );
  if (credentialId !== undefined) forget(credentialId);
  show(problem, error);
}

/** Newer browsers can remove a passkey that its site does not know. */
function forget(credentialId: string): void {
  if (!('signalUnknownCredential' in PublicKeyCredential)) return;
  const signal: unknown = PublicKeyCredential.signalUnknownCredential;
  if (typeof signal !== 'function') return;
  const gone: unknown = Reflect.apply(signal, PublicKeyCredential, [
    { rpId: location.hostname, credentialId },
  ]);
  if (gone instanceof Promise) gone.catch(() => undefined);
}
