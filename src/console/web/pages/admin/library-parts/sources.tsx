import { call, type Resources } from '../../../core/api.ts';
import { t } from '../../../core/messages.ts';
import { invalidate, useResource } from '../../../core/resource.ts';
import { moved, OrderedList } from '../../../ui/ordered-list.tsx';
import { Ready } from '../../../ui/states.tsx';
import { attempt } from '../../../ui/toast.tsx';

type Sources = Resources['LibrarySources'];

/** Which catalogue of the internet wins where several know a title. */
export function LibrarySources({ id }: { readonly id: string }) {
  const topic = `sources:${id}`;
  const data = useResource(`admin:sources:${id}`, [topic, 'plugin'], () =>
    call('get', '/api/libraries/{id}/sources', { path: { id } }),
  );
  const save = (body: Omit<Sources, 'sources'>): Promise<unknown> =>
    attempt(async () => {
      await call('put', '/api/libraries/{id}/sources', { path: { id }, body });
      invalidate((touched) => touched === topic);
    }, t('state.saved'));
  return (
    <section>
      <h2>{t('sources.title')}</h2>
      <Ready of={data}>
        {({ sources, order, fields, languages }) =>
          sources.length === 0 ? (
            <p class="fine">
              {t('sources.none')} <a href="/admin/plugins">{t('admin.plugins')}</a>
            </p>
          ) : (
            <>
              <p class="fine">{t('sources.hint')}</p>
              <OrderedList
                label={t('sources.title')}
                lines={sources.map(({ pluginId, pluginName }) => ({
                  key: pluginId,
                  name: pluginName,
                  content: <bdi>{pluginName}</bdi>,
                }))}
                onMove={(from, to) => {
                  const chosen = moved(sources, from, to).map(({ pluginId }) => pluginId);
                  // Plugins that do not run now keep their place behind these.
                  const others = order.filter((one) => !chosen.includes(one));
                  void save({ order: [...chosen, ...others], fields, languages });
                }}
              />
            </>
          )
        }
      </Ready>
    </section>
  );
}
