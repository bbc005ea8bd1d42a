import { Refusal } from './api.ts';
import { announce, buttonOf, createForms, el, fill } from '../../../lib/page-kit/index.ts';

/** Messages for the errors of browsers, which are written for programmers. */
const passkeyWords: Readonly<Record<string, string>> = {
  NotAllowedError:
    'No passkey was used: the request was cancelled, took too long, or your device could not verify you.',
  InvalidStateError: 'This device has a passkey for this account already.',
  SecurityError: 'Passkeys work only at the broker’s own address, over https.',
  NotSupportedError: 'This device cannot create a passkey of a supported kind.',
  AbortError: 'It was cancelled.',
};

export const { form, actionButton, attempt, show } = createForms({
  of: (error) => {
    if (error instanceof Refusal) return error.message;
    return error instanceof DOMException ? (passkeyWords[error.name] ?? null) : null;
  },
  ofBug: () => 'This page failed. Reload it and try again.',
});

export interface ConfirmParts {
  readonly label: string;
  /** Names the object of the action for screen readers. */
  readonly of: string;
  readonly question: string;
  readonly yes: string;
  readonly act: () => Promise<void>;
}

/** A button that asks for confirmation before an action that cannot be undone. */
export function confirmButton({ label, of, question, yes, act }: ConfirmParts): HTMLElement {
  const place = el('span', { class: 'action' });
  const ask = buttonOf(label, { class: 'danger', 'aria-label': `${label}: ${of}` });
  const sure = actionButton(yes, act, { class: 'danger solid', 'aria-label': `${yes}: ${of}` });
  const no = buttonOf('Keep');
  const asked = el('span', { class: 'confirm', role: 'group' }, el('span', {}, question), sure, no);
  ask.addEventListener('click', () => {
    fill(place, asked);
    no.focus();
    announce(question);
  });
  no.addEventListener('click', () => {
    fill(place, ask);
    ask.focus();
  });
  fill(place, ask);
  return place;
}
