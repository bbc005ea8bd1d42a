import { call, type Resources } from '../../core/api.ts';
import { t } from '../../core/messages.ts';
import { invalidate } from '../../core/resource.ts';
import { attempt } from '../../ui/toast.tsx';
import { genresField, metadataFields, type EditField } from './edit-fields.ts';
import { EditFields } from './field-list.tsx';

type Item = Resources['ItemDetail'];

const always = ['sortTitle', 'year', 'releaseDate', 'rating', 'tagline'] as const;

const fieldsOf = ({
  title,
  certification,
  metadata,
  linkedEntities,
}: Item): readonly EditField[] => [
  { name: 'title', input: 'text', value: title },
  ...metadataFields(metadata, always),
  genresField(linkedEntities.flatMap(({ role, name }) => (role === 'genre' ? name : []))),
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
  const { id } = item;
  const changed = (): void => invalidate((topic) => topic === `item:${id}`);
  async function save(body: Resources['ItemChanges']): Promise<void> {
    await call('patch', '/api/items/{id}', { path: { id }, body });
    changed();
  }
  const unlock = (name: string): void =>
    void attempt(async () => {
      await call('patch', '/api/items/{id}', { path: { id }, body: { unlock: [name] } });
      await call('post', '/api/items/{id}/refresh', { path: { id } });
      changed();
    }, t('field.unlocked'));
  return <EditFields fields={fieldsOf(item)} of={item} {...{ names, save, unlock }} />;
}
