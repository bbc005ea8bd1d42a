import { call, type Resources } from '../../../core/api.ts';
import { t } from '../../../core/messages.ts';
import { invalidate, useResource } from '../../../core/resource.ts';
import { Button } from '../../../ui/button.tsx';
import { moved, OrderedList } from '../../../ui/ordered-list.tsx';
import { Ready } from '../../../ui/states.tsx';
import { attempt } from '../../../ui/toast.tsx';
import { LanguageList } from '../../language-list.tsx';
import { FieldOrders } from './field-orders.tsx';

type Sources = Resources['LibrarySources'];

/** As many as the server takes. */
const mostLanguages = 10;

/** Which catalogue of the internet wins where several know a title, and in which languages. */
export function LibrarySources({ id, type }: { readonly id: string; readonly type: string }) {
  const topic = `sources:${id}`;
  const data = useResource(`admin:sources:${id}`, [topic, 'plugin'], () =>
    call('get', '/api/libraries/{id}/sources', { path: { id } }),
  );
  return (
    <section>
      <h2>{t('sources.title')}</h2>
      <Ready of={data}>
        {(known) => {
          const save = (change: Partial<Omit<Sources, 'sources'>>): void => {
            const { order, fields, languages } = { ...known, ...change };
            void attempt(async () => {
              const body = { order, fields, languages };
              await call('put', '/api/libraries/{id}/sources', { path: { id }, body });
              invalidate((touched) => touched === topic);
            }, t('state.saved'));
          };
          return known.sources.length === 0 ? (
            <p class="fine">
              {t('sources.none')} <a href="/admin/plugins">{t('admin.plugins')}</a>
            </p>
          ) : (
            <>
              <CommonOrder known={known} save={save} />
              <div class="form">
                <FieldOrders type={type} known={known} save={(fields) => save({ fields })} />
                <LanguageList
                  label={t('sources.languages')}
                  tags={known.languages}
                  most={mostLanguages}
                  save={(languages) => save({ languages: [...languages] })}
                />
              </div>
              <p class="fine">{t('sources.languagesHint')}</p>
              <p class="buttons">
                <Button icon="refresh" act={() => lookUp(id)}>
                  {t('sources.lookUp')}
                </Button>
              </p>
            </>
          );
        }}
      </Ready>
    </section>
  );
}

function CommonOrder({
  known: { sources, order },
  save,
}: {
  readonly known: Sources;
  readonly save: (change: Pick<Sources, 'order'>) => void;
}) {
  return (
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
          save({ order: [...chosen, ...others] });
        }}
      />
    </>
  );
}

/** Identifies all titles of the library again; the files are not read. */
const lookUp = (libraryId: string): Promise<unknown> =>
  attempt(async () => {
    await call('post', '/api/jobs', { body: { type: 'identify', libraryId } });
    invalidate((topic) => topic === 'job');
  }, t('sources.lookingUp'));
