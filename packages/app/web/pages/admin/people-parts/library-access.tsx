import type { Signal } from '@preact/signals';
import { t } from '../../../core/messages.ts';
import type { Resources } from '../../../core/api.ts';

type Access = Resources['LibraryAccess'];

/** What may be seen; `null` = everything. */
export type AccessLimit = readonly Access[] | null;

/** Libraries to choose, each with a limit of age if one wants. Names of fields begin with `library`. */
export const LibraryAccessFields = ({
  legend,
  hint,
  access,
  libraries,
  all,
}: {
  readonly legend: string;
  readonly hint: string;
  readonly access: AccessLimit;
  readonly libraries: readonly Resources['Library'][];
  /** Whether everything is chosen; absent where that is no choice. */
  readonly all?: Signal<boolean> | undefined;
}) => (
  <fieldset class="group">
    <legend>{legend}</legend>
    <small>{hint}</small>
    {all && (
      <label class="check">
        <input
          type="checkbox"
          checked={all.value}
          onChange={({ currentTarget }) => (all.value = currentTarget.checked)}
        />
        <span>{t('access.all')}</span>
      </label>
    )}
    {(all?.value === true ? [] : libraries).map(({ id, name }) => {
      const given = access?.find(({ libraryId }) => libraryId === id);
      return (
        <div key={id} class="access">
          <label class="check">
            <input type="checkbox" name={`library:${id}`} defaultChecked={given !== undefined} />
            <span>
              <bdi>{name}</bdi>
            </span>
          </label>
          <label>
            <span class="unseen">{t('access.limitOf', { name })}</span>
            <input
              name={`rating:${id}`}
              maxLength={100}
              autocomplete="off"
              placeholder={t('access.limit')}
              defaultValue={given?.maxRating ?? ''}
            />
          </label>
        </div>
      );
    })}
  </fieldset>
);

/** What was chosen in {@link LibraryAccessFields}. Libraries that are not shown stay as they are. */
export function accessOf(
  form: HTMLFormElement,
  {
    access,
    libraries,
  }: {
    readonly access: AccessLimit;
    readonly libraries: readonly Resources['Library'][];
  },
): Access[] {
  const given = new FormData(form);
  const others = (access ?? []).filter(
    ({ libraryId }) => !libraries.some(({ id }) => id === libraryId),
  );
  const chosen = libraries
    .filter(({ id }) => given.has(`library:${id}`))
    .map(({ id }) => {
      const limit = given.get(`rating:${id}`);
      const maxRating = typeof limit === 'string' ? limit.trim() : '';
      return { libraryId: id, maxRating: maxRating === '' ? null : maxRating };
    });
  return [...others, ...chosen];
}
