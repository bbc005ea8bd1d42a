import { useSignal } from '@preact/signals';
import { call, type Resources } from '../../core/api.ts';
import { t } from '../../core/messages.ts';
import { invalidate } from '../../core/resource.ts';
import { attempt, say } from '../../ui/toast.tsx';
import { textOf } from '../../ui/form-text.ts';
import { changesOf, metadataFields, type EditField } from './edit-fields.ts';
import { FieldList } from './field-list.tsx';

type Item = Resources['ItemDetail'];

const always = ['sortTitle', 'year', 'releaseDate', 'rating', 'tagline'] as const;

const fieldsOf = ({ title, certification, metadata }: Item): readonly EditField[] => [
  { name: 'title', input: 'text', value: title },
  ...metadataFields(metadata, always),
  { name: 'certification', input: 'text', value: certification ?? '' },
];

/** The fields of an item. What a person edits is locked: scans do not change it. */
export function ItemFields({
  item,
  names,
}: {
  readonly item: Item;
  readonly names: ReadonlyMap<string, string>;
}) {
  const { id, lockedFields, provenance } = item;
  const fields = fieldsOf(item);
  const isBusy = useSignal(false);
  async function save(form: HTMLFormElement): Promise<void> {
    const changes = changesOf(fields, (name) => textOf(form, name));
    if (changes === null) {
      say(t('admin.item.unchanged'));
      return;
    }
    const { own, metadata } = changes;
    isBusy.value = true;
    await attempt(async () => {
      const body = {
        ...own,
        ...(Object.keys(metadata).length > 0 && { metadata: { ...metadata } }),
      };
      await call('patch', '/api/items/{id}', { path: { id }, body });
      invalidate((topic) => topic === `item:${id}`);
    }, t('admin.item.saved'));
    isBusy.value = false;
  }
  const unlock = (name: string): void =>
    void attempt(async () => {
      await call('patch', '/api/items/{id}', { path: { id }, body: { unlock: [name] } });
      await call('post', '/api/items/{id}/refresh', { path: { id } });
      invalidate((topic) => topic === `item:${id}`);
    }, t('field.unlocked'));
  return (
    <section>
      <h2>{t('admin.item.fields')}</h2>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void save(event.currentTarget);
        }}
      >
        <FieldList
          fields={fields}
          lockedFields={lockedFields}
          provenance={provenance}
          names={names}
          unlock={unlock}
        />
        <button type="submit" class="button primary" disabled={isBusy.value}>
          {t('action.save')}
        </button>
      </form>
    </section>
  );
}
