import { useSignal } from '@preact/signals';
import { call, type Resources } from '../core/api.ts';
import { findMessage, locale, t } from '../core/messages.ts';
import { invalidate, useResource } from '../core/resource.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { attempt } from '../ui/toast.tsx';

type Offered = Resources['PresetPlugin'];

const load = () => call('get', '/api/plugins/presets/metadata');

/** The catalogues; empty until they were read. */
export const useCatalogues = (): readonly Offered[] =>
  useResource('metadata-preset', ['plugin'], load).value.value?.plugins ?? [];

/**
 * One choice for all catalogues of the internet that need no key, with their hosts. Those with a key
 * lead to their own page. `isShort`: nothing is shown where only these are left.
 */
export function InternetChoice({ isShort = false }: { readonly isShort?: boolean }) {
  const plugins = useCatalogues();
  const isBusy = useSignal(false);
  const open = plugins.filter(({ granted }) => !granted);
  const free = open.filter(({ needsKey }) => !needsKey);
  if (open.length === 0 || (isShort && free.length === 0)) return null;
  async function allow(): Promise<void> {
    isBusy.value = true;
    await attempt(async () => {
      const body = { plugins: free.map(({ id }) => id), granted: true } as const;
      await call('post', '/api/plugins/presets/metadata', { body });
      invalidate((topic) => topic === 'plugin');
    }, t('internet.allowed'));
    isBusy.value = false;
  }
  return (
    <section class="internet">
      <h2>
        <Icon name="search" /> {t('internet.title')}
      </h2>
      <p>{t('internet.what')}</p>
      <ul class="lines">
        {plugins.map((plugin) => (
          <Source key={plugin.id} plugin={plugin} />
        ))}
      </ul>
      {free.length > 0 && (
        <p class="buttons">
          <Button kind="primary" disabled={isBusy.value} act={allow}>
            {t('internet.allow', { names: listOf(free) })}
          </Button>
        </p>
      )}
    </section>
  );
}

const listOf = (plugins: readonly Offered[]): string =>
  new Intl.ListFormat(locale.value).format(plugins.map(({ name }) => name));

function Source({ plugin }: { readonly plugin: Offered }) {
  const { id, name, mediaTypes, hosts, needsKey, granted } = plugin;
  const kinds = mediaTypes.map((type) => findMessage(`library.type.${type}`) ?? type).join(', ');
  return (
    <li>
      <span>
        <a href={`/admin/plugins/${id}`}>
          <bdi class="title">{name}</bdi>
        </a>
        <small>{kinds}</small>
        <small class="fine">
          <bdi>{hosts.join(', ')}</bdi>
        </small>
      </span>
      {granted && (
        <span class="fine">
          <Icon name="check" size={16} /> {t('internet.isAllowed')}
        </span>
      )}
      {!granted && needsKey && (
        <a class="button" href={`/admin/plugins/${id}`}>
          <Icon name="key" size={16} />
          {t('internet.needsKey')}
        </a>
      )}
    </li>
  );
}
