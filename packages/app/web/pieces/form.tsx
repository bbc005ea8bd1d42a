import { useSignal } from '@preact/signals';
import { LabelledField } from '../ui/labelled-field.tsx';
import type { FormPiece, PieceField } from './piece.ts';
import { runAction, type ViewPlace } from './run-action.ts';

const texts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.map(String) : [];
const text = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : '';

/** The control of a field, by the kind of its value. */
function Control({ field }: { readonly field: PieceField }) {
  const { key: name, input, isRequired: required, initial, options, min, max } = field;
  switch (input) {
    case 'text':
      return (
        <input name={name} required={required} maxLength={2000} defaultValue={text(initial)} />
      );
    case 'number':
    case 'slider': {
      const type =
        input === 'slider' && min !== undefined && max !== undefined ? 'range' : 'number';
      const given = { name, required, min, max, step: 'any', defaultValue: text(initial) };
      return <input type={type} {...given} />;
    }
    case 'toggle':
      return <input type="checkbox" name={name} defaultChecked={initial === true} />;
    case 'select':
    case 'multi-select': {
      const chosen = input === 'select' ? [text(initial)] : texts(initial);
      return (
        <select name={name} required={required} multiple={input === 'multi-select'}>
          {input === 'select' && !required && <option value="" />}
          {options.map((option, at) => (
            <option key={at} value={String(at)} selected={chosen.includes(String(option))}>
              {String(option)}
            </option>
          ))}
        </select>
      );
    }
    case 'string-list':
      return (
        <textarea
          name={name}
          required={required}
          rows={3}
          maxLength={10_000}
          defaultValue={texts(initial).join('\n')}
        />
      );
    case 'color':
      return <input type="color" name={name} defaultValue={text(initial) || '#000000'} />;
  }
}

/** The value of a field as the plugin gets it; `undefined` = nothing was entered. */
function valueOf({ key, input, options }: PieceField, data: FormData): unknown {
  const given = data.getAll(key).map(String);
  const [first = ''] = given;
  switch (input) {
    case 'text':
    case 'color':
      return first === '' ? undefined : first;
    case 'number':
    case 'slider':
      return first === '' ? undefined : Number(first);
    case 'toggle':
      return given.length > 0;
    case 'select':
      return first === '' ? undefined : options[Number(first)];
    case 'multi-select':
      return given.map((at) => options[Number(at)]);
    case 'string-list':
      return first
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== '');
  }
}

interface PieceFormProps extends ViewPlace {
  readonly piece: FormPiece;
  readonly pluginName: string;
}

/** The form of a plugin. Without an action it only shows its values. */
export function PieceForm({ piece, pluginName, view, context }: PieceFormProps) {
  const isBusy = useSignal(false);
  const { pluginId, fields, submit } = piece;
  async function send(form: HTMLFormElement): Promise<void> {
    if (submit === undefined) return;
    const data = new FormData(form);
    const entries = fields.map((field) => [field.key, valueOf(field, data)] as const);
    const values = Object.fromEntries(entries.filter(([, value]) => value !== undefined));
    isBusy.value = true;
    await runAction({ pluginId, pluginName, rpcMethod: submit.rpcMethod, view, context, values });
    isBusy.value = false;
  }
  return (
    <form
      class="form"
      autocomplete="off"
      onSubmit={(event) => {
        event.preventDefault();
        void send(event.currentTarget);
      }}
    >
      <fieldset class="plain" disabled={submit === undefined}>
        {fields.map((field) => (
          <LabelledField key={field.key} field={field}>
            <Control field={field} />
          </LabelledField>
        ))}
      </fieldset>
      {submit !== undefined && (
        <button type="submit" class="button primary" disabled={isBusy.value}>
          <bdi>{submit.label}</bdi>
        </button>
      )}
    </form>
  );
}
