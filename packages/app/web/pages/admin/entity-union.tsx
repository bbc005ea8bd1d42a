import { useSignal } from '@preact/signals';
import { call, type Resources } from '../../core/api.ts';
import { t } from '../../core/messages.ts';
import { invalidate } from '../../core/resource.ts';
import { go } from '../../core/router.ts';
import { Button } from '../../ui/button.tsx';
import { confirm } from '../../ui/dialog.tsx';
import { textOf } from '../../ui/form-text.ts';
import { Icon } from '../../ui/icon.tsx';
import { SendForm } from '../../ui/send-form.tsx';
import { attempt } from '../../ui/toast.tsx';

type Entity = Resources['EntityDetail'];
type Found = Resources['SearchResult']['entities'][number];

const changed = (): void =>
  invalidate((topic) => topic.startsWith('entity:') || topic.startsWith('item:'));

/** Merges another entity into this one: two that are the same. */
export function EntityMerge({ entity }: { readonly entity: Entity }) {
  const { id, name, type } = entity;
  const found = useSignal<readonly Found[] | null>(null);
  const search = (form: HTMLFormElement) =>
    attempt(async () => {
      const { entities } = await call('get', '/api/search', {
        query: { q: textOf(form, 'q'), fields: 'tile' },
      });
      found.value = entities.filter((one) => one.type === type && one.id !== id);
    });
  async function merge(other: Found): Promise<void> {
    const isWanted = await confirm({
      title: t('union.merge'),
      text: t('union.mergeQuestion', { from: other.name, to: name }),
      action: t('union.merge'),
    });
    if (!isWanted) return;
    await attempt(async () => {
      await call('post', '/api/entities/{id}/merge', { path: { id }, body: { ids: [other.id] } });
      found.value = null;
      changed();
    }, t('union.merged'));
  }
  return (
    <section>
      <h2>{t('union.mergeTitle')}</h2>
      <p class="fine">{t('union.mergeHint')}</p>
      <form
        class="filters"
        onSubmit={(event) => {
          event.preventDefault();
          void search(event.currentTarget);
        }}
      >
        <label>
          <span class="unseen">{t('union.mergeName')}</span>
          <input name="q" type="search" required maxLength={500} placeholder={t('library.name')} />
        </label>
        <button type="submit" class="button">
          <Icon name="search" size={16} />
          {t('match.search')}
        </button>
      </form>
      <div role="status">
        {found.value?.length === 0 && <p class="fine">{t('match.nothing')}</p>}
        <ul class="lines">
          {(found.value ?? []).map((other) => (
            <li key={other.id}>
              <bdi>{other.name}</bdi>
              <Button label={t('union.mergeOne', { name: other.name })} act={() => merge(other)}>
                {t('union.merge')}
              </Button>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

/** Splits titles off into a new entity: one that is two. */
export function EntitySplit({
  entity: { id, name },
  tiles,
}: {
  readonly entity: Entity;
  readonly tiles: readonly Resources['Tile'][];
}) {
  async function split(form: HTMLFormElement): Promise<void> {
    const itemIds = new FormData(form).getAll('item').map(String);
    const newName = textOf(form, 'name');
    await attempt(async () => {
      const { entity: made } = await call('post', '/api/entities/{id}/split', {
        path: { id },
        body: { itemIds, ...(newName !== '' && { name: newName }) },
      });
      changed();
      await go(`/admin/entities/${made.id}`);
    }, t('union.wasSplit'));
  }
  if (tiles.length < 2) return null;
  return (
    <section>
      <h2>{t('union.splitTitle')}</h2>
      <p class="fine">{t('union.splitHint')}</p>
      <details class="panel">
        <summary>{t('union.splitChoose')}</summary>
        <SendForm send={split} action={t('union.split')}>
          <fieldset class="group tall">
            <legend>{t('union.splitItems')}</legend>
            {tiles.map(({ id: itemId, title, subtitle }) => (
              <label key={itemId} class="check">
                <input type="checkbox" name="item" value={itemId} />
                <span>
                  <bdi>{title}</bdi>
                  {subtitle !== null && <small>{subtitle}</small>}
                </span>
              </label>
            ))}
          </fieldset>
          <label>
            {t('union.splitName')}
            <input name="name" maxLength={1000} autocomplete="off" placeholder={name} />
          </label>
        </SendForm>
      </details>
    </section>
  );
}
