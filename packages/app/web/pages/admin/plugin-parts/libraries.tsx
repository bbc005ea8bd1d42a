import { call, type Resources } from '../../../core/api.ts';
import { t } from '../../../core/messages.ts';
import { useResource } from '../../../core/resource.ts';
import { IconButton } from '../../../ui/button.tsx';
import { Opener } from '../../../ui/opener.tsx';
import { FolderPicker } from '../../folder-picker.tsx';

type Reply = Resources['PluginPermissions'];

/** A library that a plugin reaches: all of it, or only these folders. */
interface PickedLibrary {
  readonly id: string;
  readonly folders?: string[];
}

/** The libraries of a grant. */
export type Picked = 'all' | PickedLibrary[];

/** What a plugin reaches now. */
export const pickedOf = (libraries: Reply['libraries']): Picked =>
  libraries === 'all'
    ? 'all'
    : libraries.map(({ id, folders }) => ({
        id,
        ...(folders !== undefined && { folders: [...folders] }),
      }));

/** Which libraries and folders the plugin reaches: all, later ones too, or only these. */
export function PickLibraries({
  picked,
  pick,
}: {
  readonly picked: Picked;
  readonly pick: (picked: Picked) => void;
}) {
  const libraries = useResource('libraries', ['library'], () => call('get', '/api/libraries'));
  const all = libraries.value.value?.libraries ?? [];
  const set = (id: string, now: PickedLibrary | null): void => {
    const others = (picked === 'all' ? [] : picked).filter((one) => one.id !== id);
    pick(now === null ? others : [...others, now]);
  };
  return (
    <fieldset>
      <legend>{t('consent.libraries')}</legend>
      <label class="check">
        <input
          type="checkbox"
          checked={picked === 'all'}
          onChange={({ currentTarget }) => pick(currentTarget.checked ? 'all' : [])}
        />
        {t('consent.allLibraries')}
      </label>
      {picked !== 'all' &&
        all.map(({ id, name, roots }) => {
          const now = picked.find((one) => one.id === id);
          return (
            <div key={id}>
              <label class="check">
                <input
                  type="checkbox"
                  checked={now !== undefined}
                  onChange={({ currentTarget }) => set(id, currentTarget.checked ? { id } : null)}
                />
                <bdi>{name}</bdi>
              </label>
              {now !== undefined && (
                <Folders
                  name={name}
                  from={roots?.[0] ?? '/'}
                  folders={now.folders ?? []}
                  set={(folders) => set(id, folders.length === 0 ? { id } : { id, folders })}
                />
              )}
            </div>
          );
        })}
    </fieldset>
  );
}

function Folders({
  name,
  from,
  folders,
  set,
}: {
  readonly name: string;
  readonly from: string;
  readonly folders: string[];
  readonly set: (folders: string[]) => void;
}) {
  const start = from.startsWith('file://') ? decodeURIComponent(from.slice(7)) : from;
  return (
    <div class="values">
      <ul class="lines">
        {folders.map((folder) => (
          <li key={folder}>
            <bdi>{folder.startsWith('file://') ? decodeURIComponent(folder.slice(7)) : folder}</bdi>
            <IconButton
              icon="close"
              label={t('action.removeName', { name: folder })}
              act={() => set(folders.filter((one) => one !== folder))}
            />
          </li>
        ))}
      </ul>
      <Opener
        icon="folder"
        action={t('consent.onlyFolder')}
        label={t('consent.onlyFolderOf', { name })}
      >
        {(close) => (
          <FolderPicker
            from={start}
            choose={(path) => set([...folders.filter((one) => one !== path), path])}
            close={close}
          />
        )}
      </Opener>
    </div>
  );
}
