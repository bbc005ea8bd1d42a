import { useSignal } from '@preact/signals';
import type { Resources } from '../core/api.ts';
import { t } from '../core/messages.ts';
import { LabelledField } from './labelled-field.tsx';

type Field = Resources['ConfigField'];
type Values = Readonly<Record<string, unknown>>;

/** A form drawn from the fields of a plugin. The words are the plugin's, shown as text. */
export function ConfigForm({
  fields,
  known,
  save,
}: {
  readonly fields: readonly Field[];
  readonly known: Values;
  readonly save: (values: Record<string, unknown>) => void;
}) {
  const values = useSignal<Values>(known);
  const set = (key: string, value: unknown): void => {
    values.value = { ...values.value, [key]: value };
  };
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        save({ ...values.value });
      }}
    >
      {fields.map((field) => (
        <LabelledField key={field.key} field={field}>
          <Input
            field={field}
            value={values.value[field.key] ?? field.default}
            set={(value) => set(field.key, value)}
          />
        </LabelledField>
      ))}
      <button type="submit" class="button primary">
        {t('action.save')}
      </button>
    </form>
  );
}

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

const optionOf = (option: unknown): { readonly value: string; readonly label: string } => {
  if (typeof option !== 'object' || option === null)
    return { value: textOf(option), label: textOf(option) };
  const { value, label } = option as { readonly value?: unknown; readonly label?: unknown };
  return { value: textOf(value), label: textOf(label ?? value) };
};

function Input({
  field,
  value,
  set,
}: {
  readonly field: Field;
  readonly value: unknown;
  readonly set: (value: unknown) => void;
}) {
  const { input, required, min, max, options = [] } = field;
  const limits = { ...(min !== undefined && { min }), ...(max !== undefined && { max }) };
  switch (input) {
    case 'toggle':
      return (
        <input
          type="checkbox"
          checked={value === true}
          onChange={({ currentTarget }) => set(currentTarget.checked)}
        />
      );
    case 'number':
    case 'slider':
      return (
        <input
          type={input === 'slider' ? 'range' : 'number'}
          value={textOf(value)}
          required={required}
          step="any"
          {...limits}
          onInput={({ currentTarget }) =>
            set(currentTarget.value === '' ? undefined : currentTarget.valueAsNumber)
          }
        />
      );
    case 'select':
      return (
        <select
          value={textOf(value)}
          required={required}
          onChange={({ currentTarget }) => set(currentTarget.value)}
        >
          {options.map(optionOf).map(({ value: one, label }) => (
            <option key={one} value={one}>
              {label}
            </option>
          ))}
        </select>
      );
    case 'multi-select': {
      const chosen = Array.isArray(value) ? value.map(textOf) : [];
      return (
        <select
          multiple
          onChange={({ currentTarget }) =>
            set([...currentTarget.selectedOptions].map((option) => option.value))
          }
        >
          {options.map(optionOf).map(({ value: one, label }) => (
            <option key={one} value={one} selected={chosen.includes(one)}>
              {label}
            </option>
          ))}
        </select>
      );
    }
    case 'string-list':
      return (
        <textarea
          rows={4}
          value={Array.isArray(value) ? value.map(textOf).join('\n') : ''}
          onInput={({ currentTarget }) =>
            set(currentTarget.value.split('\n').filter((line) => line.trim() !== ''))
          }
        />
      );
    case 'secret':
      return (
        <input
          type="password"
          autocomplete="off"
          value={textOf(value)}
          required={required}
          onInput={({ currentTarget }) => set(currentTarget.value)}
        />
      );
    case 'color':
      return (
        <input
          type="color"
          value={textOf(value)}
          onInput={({ currentTarget }) => set(currentTarget.value)}
        />
      );
    case 'text':
    case 'file-path':
      return (
        <input
          type="text"
          value={textOf(value)}
          required={required}
          spellcheck={false}
          onInput={({ currentTarget }) => set(currentTarget.value)}
        />
      );
  }
}
