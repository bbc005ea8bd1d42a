import { call, type Resources } from '../../core/api.ts';
import { findMessage, t } from '../../core/messages.ts';
import { invalidate, preload, useResource } from '../../core/resource.ts';
import type { PageProps } from '../../core/router.ts';
import { Icon } from '../../ui/icon.tsx';
import { Ready } from '../../ui/states.tsx';
import { entityPath } from '../../ui/tile.tsx';
import { metadataFields, type EditField } from './edit-fields.ts';
import { EntityPictures } from './entity-pictures.tsx';
import { EntityMerge, EntitySplit } from './entity-union.tsx';
import { EditFields } from './field-list.tsx';
import { AdminPage } from './frame.tsx';

type Entity = Resources['EntityDetail'];

const keyOf = (id: string): string => `admin:entity:${id}`;
const topicsOf = (id: string): readonly string[] => [`entity:${id}`];
/** Items of the entity that can be split off, and whose pictures can be chosen. */
const mostItems = 200;
const loadOf = (id: string) => async () => {
  const path = { id };
  const [{ entity }, items, below, { plugins }] = await Promise.all([
    call('get', '/api/entities/{id}', { path, query: { texts: 'stored' } }),
    call('get', '/api/entities/{id}/items', { path, query: { fields: 'tile', limit: mostItems } }),
    call('get', '/api/entities/{id}/children', { path, query: { limit: 1 } }),
    call('get', '/api/plugins'),
  ]);
  return {
    entity,
    tiles: items.items as readonly Resources['Tile'][],
    hasParts: below.entities.length > 0,
    names: new Map(plugins.map((plugin) => [plugin.id, plugin.name])),
  };
};

/** Reads the entity before its page is shown. */
export const prepare = ({ parameters: { id = '' } }: PageProps): Promise<void> =>
  preload(keyOf(id), topicsOf(id), loadOf(id));

/** What an admin changes of a person, a show, an album or a genre. */
export default function AdminEntityPage({ parameters: { id = '' } }: PageProps) {
  const data = useResource(keyOf(id), topicsOf(id), loadOf(id));
  return (
    <AdminPage title={data.value.value?.entity.name ?? t('item.edit')}>
      <Ready of={data}>
        {({ entity, tiles, hasParts, names }) => (
          <>
            <p class="facts">
              {[
                findMessage(`entity.type.${entity.type}`),
                t('count.items', { count: entity.itemCount }),
              ]
                .filter((fact) => fact !== undefined)
                .join(' · ')}
            </p>
            <p class="buttons">
              <a class="button" href={entityPath(entity.type, entity.id)}>
                <Icon name="eye" size={16} />
                {t('admin.item.show')}
              </a>
            </p>
            <Fields key={entity.updatedAt} entity={entity} names={names} />
            <EntityPictures entity={entity} tiles={tiles} />
            <EntityMerge entity={entity} />
            {/* The titles of a show or an artist belong to its seasons or albums. */}
            {!hasParts && <EntitySplit entity={entity} tiles={tiles} />}
          </>
        )}
      </Ready>
    </AdminPage>
  );
}

const fieldsOf = ({ name, searchTerms, metadata }: Entity): readonly EditField[] => [
  { name: 'name', input: 'text', value: name },
  { name: 'searchTerms', input: 'text', value: searchTerms ?? '' },
  ...metadataFields(metadata, []).filter((field) => !field.name.includes('.locked')),
];

function Fields({
  entity,
  names,
}: {
  readonly entity: Entity;
  readonly names: ReadonlyMap<string, string>;
}) {
  const { id, hidden } = entity;
  const isHidden = (form: HTMLFormElement): boolean => new FormData(form).has('hidden');
  return (
    <EditFields
      fields={fieldsOf(entity)}
      of={entity}
      names={names}
      isElseChanged={(form) => isHidden(form) !== hidden}
      save={async (changed, form) => {
        const body = { ...changed, ...(isHidden(form) !== hidden && { hidden: !hidden }) };
        await call('patch', '/api/entities/{id}', { path: { id }, body });
        invalidate((topic) => topic === `entity:${id}`);
      }}
    >
      <label class="check">
        <input type="checkbox" name="hidden" defaultChecked={hidden} />
        <span>
          {t('admin.entity.hide')}
          <small>{t('admin.entity.hideHint')}</small>
        </span>
      </label>
    </EditFields>
  );
}
