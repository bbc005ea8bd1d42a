import { Refusal } from './api.ts';
import { t } from './words.ts';
import {
  announce,
  el,
  fill,
  type Attributes,
  type Child,
} from '../../../packages/page-kit/index.ts';

/** One field of a form. */
export interface Field {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly attributes?: Attributes;
  /** A choice of values with their labels, in place of a text. */
  readonly options?: readonly (readonly [value: string, label: string])[];
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
    { novalidate: false },
    fields.map((field) => fieldOf(name, field)),
    problem,
    button,
    further,
  );
  element.addEventListener('submit', (event) => {
    event.preventDefault();
    void run();
  });

  async function run(): Promise<void> {
    button.disabled = true;
    problem.hidden = true;
    try {
      const values = [...new FormData(element)].map(([key, value]) => [key, textOf(value)]);
      await send(Object.fromEntries(values) as Record<string, string>);
    } catch (error) {
      show(problem, error);
    } finally {
      button.disabled = false;
    }
  }
  return element;
}

const textOf = (value: FormDataEntryValue): string => (typeof value === 'string' ? value : '');

function fieldOf(
  form: string,
  { name, label, hint, attributes = {}, options }: Field,
): HTMLElement {
  const id = `${form}-${name}`;
  const about = hint === undefined ? {} : { 'aria-describedby': `${id}-hint` };
  const input = options
    ? el(
        'select',
        { id, name, ...about, ...attributes },
        options.map(([value, text]) => el('option', { value }, text)),
      )
    : el('input', { id, name, required: true, ...about, ...attributes });
  return el(
    'div',
    { class: 'field' },
    el('label', { for: id }, label),
    input,
    hint !== undefined && el('small', { id: `${id}-hint` }, hint),
  );
}

/** Shows an error as text. */
export function show(problem: HTMLElement, error: unknown): void {
  const text = error instanceof Refusal || error instanceof DOMException ? error.message : null;
  fill(problem, text ?? t('error.page'));
  problem.hidden = false;
  announce(problem.textContent);
  if (text === null) throw error;
}

/** A button with an action, which shows errors beside it. */
export function actionButton(
  label: string,
  act: () => Promise<void>,
  attributes: Attributes = {},
): HTMLElement {
  const problem = el('span', { class: 'problem', role: 'alert', hidden: true });
  const button = el('button', { type: 'button', ...attributes }, label);
  button.addEventListener('click', () => {
    button.disabled = true;
    problem.hidden = true;
    act()
      .catch((error: unknown) => show(problem, error))
      .finally(() => (button.disabled = false));
  });
  return el('span', { class: 'action' }, button, problem);
}
