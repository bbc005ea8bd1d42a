import { Refusal } from './api.ts';
import { announce, el, fill, type Attributes, type Child } from '../../page-kit/index.ts';

/** One field of a form. */
export interface Field {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly attributes?: Attributes;
  /** Several lines instead of one. */
  readonly isLong?: boolean;
  readonly value?: string;
}

export interface FormParts {
  /** Tells the fields of this form from those of others on the page. */
  readonly name: string;
  readonly fields: readonly Field[];
  readonly submit: string;
  /** What is done with the values; a refusal is shown above the button. */
  readonly send: (values: Readonly<Record<string, string>>) => Promise<void>;
  readonly further?: readonly Child[];
}

/** A form that tells what went wrong where the eye is, and cannot be sent twice at once. */
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

/** Runs what a button does, once at a time, and shows what went wrong beside it. */
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

/** Shows what went wrong in words. */
export function show(problem: HTMLElement, error: unknown): void {
  const text = wordsFor(error);
  fill(problem, text ?? 'Something went wrong in this page. Reload it and try again.');
  problem.hidden = false;
  if (text === null) throw error;
}

/** What a browser says of passkeys is for programmers. */
const passkeyWords: Readonly<Record<string, string>> = {
  NotAllowedError:
    'No passkey was used: it was cancelled, it took too long, or your device could not check that it is you.',
  InvalidStateError: 'This device has a passkey for this account already.',
  SecurityError: 'Passkeys work only at the broker’s own address, over https.',
  NotSupportedError: 'This device cannot make a passkey that the broker understands.',
  AbortError: 'It was cancelled.',
};

const wordsFor = (error: unknown): string | null => {
  if (error instanceof Refusal) return error.message;
  return error instanceof DOMException ? (passkeyWords[error.name] ?? null) : null;
};

/** A button that does one thing and tells when that fails. */
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
  /** Names the thing for whoever hears the button alone. */
  readonly of: string;
  readonly question: string;
  readonly yes: string;
  readonly act: () => Promise<void>;
}

/** A button that asks once more before it does what cannot be undone. */
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
