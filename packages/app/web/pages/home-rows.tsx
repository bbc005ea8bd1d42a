import { call } from '../core/api.ts';
import { rowChoices, rowPreference, type RowChoice } from '../core/home-rows.ts';
import { t, type MessageKey } from '../core/messages.ts';
import { invalidate, useResource } from '../core/resource.ts';
import { preferences } from '../core/session.ts';
import { IconButton } from '../ui/button.tsx';
import { moved, OrderedList } from '../ui/ordered-list.tsx';
import { Ready } from '../ui/states.tsx';

const fixed: Readonly<Record<string, MessageKey>> = {
  continue: 'home.continue',
  nextUp: 'home.nextUp',
  favourites: 'home.favourites',
  collections: 'home.collections',
};

/** The names of all rows that the first page may have, by their ids. */
async function readRows(): Promise<ReadonlyMap<string, string>> {
  const [{ libraries }, { rows }] = await Promise.all([
    call('get', '/api/libraries'),
    call('get', '/api/home'),
  ]);
  const [begin, end] = [
    ['continue', 'nextUp'],
    ['favourites', 'collections'],
  ].map((ids) => ids.map((id) => [id, t(fixed[id] ?? 'home.continue')] as const));
  return new Map([
    ...(begin ?? []),
    ...libraries.map(({ id, name }) => [`new:${id}`, t('home.new', { library: name })] as const),
    ...(end ?? []),
    ...rows
      .filter(({ kind }) => kind === 'plugin')
      .map(({ id, title }) => [id, title ?? id] as const),
  ]);
}

/** The rows of the first page: their order, and which ones are shown. */
export function HomeRows({
  save,
}: {
  readonly save: (changes: Readonly<Record<string, unknown>>) => void;
}) {
  const names = useResource('home-rows', ['library', 'plugin'], readRows);
  const preferred = preferences.value['homeRows'] ?? [];
  const keep = (rows: readonly RowChoice[]): void => {
    save({ homeRows: rowPreference(rows) });
    invalidate((topic) => topic === 'profile');
  };
  return (
    <Ready of={names}>
      {(all) => {
        const rows = rowChoices([...all.keys()], preferred);
        return (
          <OrderedList
            label={t('me.home')}
            onMove={(from, to) => keep(moved(rows, from, to))}
            lines={rows.map(({ id, isShown }) => {
              const name = all.get(id) ?? id;
              return {
                key: id,
                name,
                content: <bdi class={isShown ? undefined : 'off'}>{name}</bdi>,
                buttons: (
                  <IconButton
                    icon={isShown ? 'eye' : 'eyeOff'}
                    label={t('me.showRow', { name })}
                    aria-pressed={isShown}
                    act={() =>
                      keep(rows.map((row) => (row.id === id ? { id, isShown: !isShown } : row)))
                    }
                  />
                ),
              };
            })}
          />
        );
      }}
    </Ready>
  );
}
