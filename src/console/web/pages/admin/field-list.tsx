import { findMessage, t } from '../../core/messages.ts';
import { Icon } from '../../ui/icon.tsx';
import { writerOf, type EditField } from './edit-fields.ts';

interface FieldListProps {
  readonly fields: readonly EditField[];
  readonly lockedFields: readonly string[];
  readonly provenance: readonly Readonly<Record<string, unknown>>[];
  /** The names of plugins by their ids. */
  readonly names: ReadonlyMap<string, string>;
  /** Gives a field back to the plugins; absent where that is not possible. */
  readonly unlock?: (name: string) => void;
}

/** The fields of a form, each with the plugin that wrote it, or the lock of a person's edit. */
export const FieldList = ({ fields, lockedFields, provenance, names, unlock }: FieldListProps) => (
  <>
    {fields.map((field) => {
      const label = labelOf(field.name);
      const isLocked = lockedFields.includes(field.name);
      const writer = writerOf(provenance, field.name);
      return (
        <div key={field.name} class="with-button">
          <label>
            {label}
            <Input field={field} />
            <small>
              {isLocked ? (
                <span class="locked">
                  <Icon name="lock" size={14} /> {t('field.locked')}
                </span>
              ) : (
                writer !== null &&
                field.value !== '' &&
                t('field.from', { plugin: names.get(writer) ?? writer })
              )}
            </small>
          </label>
          {isLocked && unlock !== undefined && (
            <button
              type="button"
              class="button"
              aria-label={t('field.unlockName', { field: label })}
              onClick={() => unlock(field.name)}
            >
              {t('field.unlock')}
            </button>
          )}
        </div>
      );
    })}
  </>
);

const labelOf = (name: string): string => {
  const short = name.replace(/^metadata\./, '');
  return findMessage(`field.${short}`) ?? short;
};

function Input({ field: { name, input, value } }: { readonly field: EditField }) {
  if (input === 'long')
    return <textarea name={name} rows={5} maxLength={20_000} defaultValue={value} />;
  const given = {
    name,
    autocomplete: 'off',
    maxLength: 1000,
    required: name === 'title' || name === 'name',
    defaultValue: value,
  } as const;
  if (input === 'number') return <input type="number" step="any" {...given} />;
  if (input === 'date') return <input type="date" {...given} />;
  return <input type="text" {...given} />;
}
