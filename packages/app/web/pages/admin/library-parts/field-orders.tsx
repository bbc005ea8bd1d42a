import type { Resources } from '../../../core/api.ts';
import { findMessage, t } from '../../../core/messages.ts';
import { IconButton } from '../../../ui/button.tsx';
import { moved, OrderedList } from '../../../ui/ordered-list.tsx';

type Sources = Resources['LibrarySources'];
type Fields = Sources['fields'];

const ofEach = ['title', 'originalTitle', 'overview', 'rating', 'year', 'genre'] as const;

/** Fields in which catalogues differ, by type of library. */
const offered: Readonly<Record<string, readonly string[]>> = {
  movies: [...ofEach, 'tagline', 'certification', 'actor', 'poster', 'backdrop', 'logo'],
  tv: [...ofEach, 'airDate', 'certification', 'actor', 'poster', 'thumbnail'],
  music: ['title', 'year', 'genre', 'artist', 'album', 'cover'],
  books: [...ofEach, 'author', 'cover'],
  audiobooks: [...ofEach, 'author', 'cover'],
};

interface FieldOrdersProps {
  readonly type: string;
  readonly known: Sources;
  readonly save: (fields: Fields) => void;
}

/** The order of the catalogues for single fields, such as posters. */
export function FieldOrders({ type, known: { sources, fields }, save }: FieldOrdersProps) {
  const free = (offered[type] ?? ofEach)
    .filter((field) => fields[field] === undefined)
    .map((field) => [field, nameOf(field)] as const);
  const hasChoice = sources.length > 1;
  if (!hasChoice && Object.keys(fields).length === 0) return null;
  return (
    <fieldset class="languages">
      <legend>{t('sources.fields')}</legend>
      <p class="fine">{t('sources.fieldsHint')}</p>
      {Object.entries(fields).map(([field, order]) => (
        <FieldOrder
          key={field}
          name={nameOf(field)}
          sources={ordered(sources, order)}
          onMove={(chosen) => save({ ...fields, [field]: withGone(chosen, order) })}
          onRemove={() => save(without(fields, field))}
        />
      ))}
      {hasChoice && free.length > 0 && (
        <select
          aria-label={t('sources.addField')}
          value=""
          onChange={({ currentTarget }) => {
            const { value } = currentTarget;
            currentTarget.value = '';
            const order = sources.map(({ pluginId }) => pluginId);
            if (value !== '') save({ ...fields, [value]: order });
          }}
        >
          <option value="">{t('sources.addField')}</option>
          {free.map(([field, name]) => (
            <option key={field} value={field}>
              {name}
            </option>
          ))}
        </select>
      )}
    </fieldset>
  );
}

interface FieldOrderProps {
  readonly name: string;
  readonly sources: Sources['sources'];
  readonly onMove: (order: readonly string[]) => void;
  readonly onRemove: () => void;
}

function FieldOrder({ name, sources, onMove, onRemove }: FieldOrderProps) {
  return (
    <div class="field-order">
      <div class="field-order-head">
        <strong>{name}</strong>
        <IconButton
          icon="close"
          label={t('sources.removeField', { field: name })}
          onClick={onRemove}
        />
      </div>
      <OrderedList
        label={t('sources.ofField', { field: name })}
        lines={sources.map(({ pluginId, pluginName }) => ({
          key: pluginId,
          name: t('sources.forField', { source: pluginName, field: name }),
          content: <bdi>{pluginName}</bdi>,
        }))}
        onMove={(from, to) => onMove(moved(sources, from, to).map(({ pluginId }) => pluginId))}
      />
    </div>
  );
}

/** Those that the order names come first. */
function ordered(sources: Sources['sources'], order: readonly string[]): Sources['sources'] {
  const placeOf = (id: string): number => {
    const at = order.indexOf(id);
    return at < 0 ? order.length : at;
  };
  return sources.toSorted((one, other) => placeOf(one.pluginId) - placeOf(other.pluginId));
}

/** Plugins that do not run now keep their place behind the others. */
const withGone = (chosen: readonly string[], before: readonly string[]): string[] => [
  ...chosen,
  ...before.filter((one) => !chosen.includes(one)),
];

const without = (fields: Fields, field: string): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([known]) => known !== field));

/** What a field is called; an unknown one has its own name. */
const nameOf = (field: string): string =>
  findMessage(`sources.field.${field}`) ??
  findMessage(`picture.${field}`) ??
  findMessage(`role.${field}`) ??
  findMessage(`field.${field}`) ??
  field;
