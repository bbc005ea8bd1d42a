/** Forms and buttons that show what went wrong beside them. */
import { el, fill, type Attributes, type Child } from './elements.ts';

export interface Field {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly attributes?: Attributes;
  /** A text area. */
  readonly isLong?: boolean;
  readonly value?: string;
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

/** The forms and buttons of one set of pages. */
export interface Forms {
  /** A form that shows errors next to its button, and cannot be sent twice at once. */
  readonly form: (parts: FormParts) => HTMLFormElement;
  /** A button with an action, which shows errors beside it. */
  readonly actionButton: (
    label: string,
    act: () => Promise<void>,
    attributes?: Attributes,
  ) => HTMLElement;
  /** Runs the action of a button, one at a time, and shows errors beside it. */
  readonly attempt: (
    button: HTMLButtonElement,
    problem: HTMLElement,
    act: () => Promise<void>,
  ) => Promise<void>;
  /** Shows an error as text. Throws one that has no words, since it is a bug of the page. */
  readonly show: (problem: HTMLElement, error: unknown) => void;
}

/** The words of errors for a person. */
export interface ErrorWords {
  /** `null` = the error is a bug of the page. */
  readonly of: (error: unknown) => string | null;
  /** What is shown of a bug of the page. */
  readonly ofBug: () => string;
}

export function createForms(words: ErrorWords): Forms {
  function show(problem: HTMLElement, error: unknown): void {
    const text = words.of(error);
    fill(problem, text ?? words.ofBug());
    problem.hidden = false;
    if (text === null) throw error;
  }

  async function attempt(
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

  return {
    show,
    attempt,
    form: ({ name, fields, submit, send, further = [] }) => {
      const problem = el('p', { class: 'problem', role: 'alert', hidden: true });
      const button = buttonOf(submit, { type: 'submit', class: 'primary' });
      const inputs = fields.map((field) => fieldOf(name, field));
      const element = el('form', { class: 'form' }, inputs, problem, button, further);
      element.addEventListener('submit', (event) => {
        event.preventDefault();
        const values = [...new FormData(element)].map(([key, value]) => [key, textOf(value)]);
        const sent = Object.fromEntries(values) as Record<string, string>;
        void attempt(button, problem, () => send(sent));
      });
      return element;
    },
    actionButton: (label, act, attributes = {}) => {
      const problem = el('span', { class: 'problem', role: 'alert', hidden: true });
      const button = buttonOf(label, attributes);
      button.addEventListener('click', () => void attempt(button, problem, act));
      return el('span', { class: 'action' }, button, problem);
    },
  };
}

/** A button; its classes come beside the one of the kit. */
export const buttonOf = (label: string, attributes: Attributes = {}): HTMLButtonElement =>
  el(
    'button',
    { type: 'button', ...attributes, class: `button ${String(attributes['class'] ?? '')}` },
    label,
  );

const textOf = (value: FormDataEntryValue): string => (typeof value === 'string' ? value : '');

function fieldOf(form: string, { name, label, hint, ...field }: Field): HTMLElement {
  const id = `${form}-${name}`;
  const about = hint === undefined ? {} : { 'aria-describedby': `${id}-hint` };
  return el(
    'div',
    { class: 'field' },
    el('label', { for: id }, label),
    inputOf(field, { id, name, ...about }),
    hint !== undefined && el('small', { id: `${id}-hint` }, hint),
  );
}

function inputOf(
  { attributes, isLong, value, options }: Omit<Field, 'name' | 'label' | 'hint'>,
  about: Attributes,
): HTMLElement {
  if (options !== undefined) {
    const choices = options.map(([one, label]) => el('option', { value: one }, label));
    return el('select', { ...about, ...attributes }, choices);
  }
  const all = { ...about, required: true, ...attributes };
  return isLong ? el('textarea', { rows: 3, ...all }, value) : el('input', { ...all, value });
}
