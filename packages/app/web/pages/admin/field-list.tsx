import type { ComponentChildren } from 'preact';
import { findMessage, t } from '../../core/messages.ts';
import { Button } from '../../ui/button.tsx';
import { textOf } from '../../ui/form-text.ts';
import { Icon } from '../../ui/icon.tsx';
import { SendForm } from '../../ui/send-form.tsx';
import { attempt, say } from '../../ui/toast.tsx';
import { changesOf, writerOf, type Changes, type EditField } from './edit-fields.ts';

interface FieldListProps {
  readonly fields: readonly EditField[];
  /** The item or the entity that has them. */
  readonly of: {
    readonly lockedFields: readonly string[];
    readonly provenance: readonly Readonly<Record<string, unknown>>[];
  };
  /** The names of plugins by their ids. */
  readonly names: ReadonlyMap<string, string>;
  /** Gives a field back to the plugins; absent where that is not possible. */
  readonly unlock?: (name: string) => void;
}

interface EditFieldsProps extends FieldListProps {
  /** Sends what was changed, as the server takes it. */
  readonly save: (changed: Changed, form: HTMLFormElement) => Promise<unknown>;
  /** Whether something beside the fields was changed; nothing is sent without a change. */
  readonly isElseChanged?: (form: HTMLFormElement) => boolean;
  readonly children?: ComponentChildren;
}

type Changed = ReturnType<typeof changedOf>;
const changedOf = (changes: Changes | null) => ({
  ...changes?.own,
  ...(changes !== null &&
    Object.keys(changes.metadata).length > 0 && { metadata: { ...changes.metadata } }),
});

/** The form of the fields of an item or an entity. */
export function EditFields({ save, isElseChanged, children, ...list }: EditFieldsProps) {
  async function send(form: HTMLFormElement): Promise<void> {
    const changes = changesOf(list.fields, (name) => textOf(form, name));
    if (changes === null && isElseChanged?.(form) !== true) say(t('admin.item.unchanged'));
    else await attempt(() => save(changedOf(changes), form), t('admin.item.saved'));
  }
  return (
    <section>
      <h2>{t('admin.item.fields')}</h2>
      <SendForm send={send} action={t('action.save')}>
        <FieldList {...list} />
        {children}
      </SendForm>
    </section>
  );
}

/** The fields of a form, each with the plugin that wrote it, or the lock of a person's edit. */
const FieldList = ({ fields, of, names, unlock }: FieldListProps) => (
  <>
    {fields.map((field) => {
      const label = labelOf(field.name);
      const isLocked = of.lockedFields.includes(field.name);
      const writer = writerOf(of.provenance, field.name);
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
            <Button label={t('field.unlockName', { field: label })} act={() => unlock(field.name)}>
              {t('field.unlock')}
            </Button>
          )}
        </div>
      );
    })}
  </>
);

/** A field that a plugin named has the words of that name: `tmdbUrl` is `Tmdb url`. */
const labelOf = (name: string): string => {
  const short = name.replace(/^metadata\./, '');
  const words = short.replaceAll(/(?<=[a-z0-9])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return (
    findMessage(`field.${short}`) ??
    words.replaceAll('_', ' ').replace(/^./, (first) => first.toUpperCase())
  );
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
