import { Refusal } from './api.ts';
import { announce, el, fill, type Attributes, type Child } from '../../page-kit/index.ts';

/** One field of a form. */
export interface Field {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly attributes?: Attributes;
  /** A text area. */
  readonly isLong?: boolean;
  readonly value?: string;
}

export interface FormParts {
  /** Distinguishes the fields of this form from those of others on the page. */
  readonly name: string;
  readonly fields: readonly Field[];
  readonly submit: string;
  /** Sends the values; a refusal is shown above the button. */
  readonly send: (values: Readonly<Record<string, string>>) => Promise<void>;
  readonly further?: readonly Child[];
}

/** A form that shows errors next to its button, and cannot be sent twice at once. */
export function form({ name, fields, submit, send, further = [] }: FormParts): HTMLFormElement {
  const problem = el('p', { class: 'problem', role: 'alert', hidden: true });
  const button = el('button', { type: 'submit', class: 'primary' }, submit);
  const element = el(
    'form',
    {},
    fields.map((field) => fieldOf(name, field)),
    problem,
    button,
    further,
  );
  element.addEventListener('submit', (event) => {
    event.preventDefault();
    const values = [...new FormData(element)].map(([key, value]) => [key, textOf(value)]);
    void attempt(button, problem, () => send(Object.fromEntries(values) as Record<string, string>));
  });
  return element;
}

const textOf = (value: FormDataEntryValue): string => (typeof value === 'string' ? value : '');

function fieldOf(
  form: string,
  { name, label, hint, attributes, isLong, value }: Field,
): HTMLElement {
  const id = `${form}-${name}`;
  const about = hint === undefined ? {} : { 'aria-describedby': `${id}-hint` };
  const all = { id, name, required: true, ...about, ...attributes };
  const input = isLong
    ? el('textarea', { rows: 3, ...all }, value)
    : el('input', { ...all, value });
  return el(
    'div',
    { class: 'field' },
    el('label', { for: id }, label),
    input,
    hint !== undefined && el('small', { id: `${id}-hint` }, hint),
  );
}

/** Runs the action of a button, one at a time, and shows errors beside it. */
export async function attempt(
  button: HTMLButtonElement,
  problem: HTMLElement,
  act: () => Promise<void>,
): Promise<void> {
  button.disabled = true;
  problem.hidden = true;
  try {
    await act();
  } catch (error) {
    show(problem, error);
  } finally {
    button.disabled = false;
  }
}

/** Shows an error as text. */
export function show(problem: HTMLElement, error: unknown): void {
  const text = wordsFor(error);
  fill(problem, text ?? 'This page failed. Reload it and try again.');
  problem.hidden = false;
  if (text === null) throw error;
}

/** Messages for the errors of browsers, which are written for programmers. */
const passkeyWords: Readonly<Record<string, string>> = {
  NotAllowedError:
    'No passkey was used: the request was cancelled, took too long, or your device could not verify you.',
  InvalidStateError: 'This device has a passkey for this account already.',
  SecurityError: 'Passkeys work only at the broker’s own address, over https.',
  NotSupportedError: 'This device cannot create a passkey of a supported kind.',
  AbortError: 'It was cancelled.',
};

const wordsFor = (error: unknown): string | null => {
  if (error instanceof Refusal) return error.message;
  return error instanceof DOMException ? (passkeyWords[error.name] ?? null) : null;
};

/** A button with an action, which shows errors beside it. */
export function actionButton(
  label: string,
  act: () => Promise<void>,
  attributes: Attributes = {},
): HTMLElement {
  const problem = el('span', { class: 'problem', role: 'alert', hidden: true });
  const button = el('button', { type: 'button', ...attributes }, label);
  button.addEventListener('click', () => void attempt(button, problem, act));
  return el('span', { class: 'action' }, button, problem);
}

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
  const ask = el(
    'button',
    { type: 'button', class: 'danger', 'aria-label': `${label}: ${of}` },
    label,
  );
  const sure = actionButton(yes, act, { class: 'danger solid', 'aria-label': `${yes}: ${of}` });
  const no = el('button', { type: 'button' }, 'Keep');
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
