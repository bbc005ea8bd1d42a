import { call, type Resources } from '../../core/api.ts';
import { t } from '../../core/messages.ts';
import { invalidate, preload, useResource } from '../../core/resource.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Ready } from '../../ui/states.tsx';
import { attempt } from '../../ui/toast.tsx';
import { InternetChoice, useCatalogues } from '../internet-choice.tsx';
import { AdminPage } from './frame.tsx';
import { Providers } from './plugin-parts/providers.tsx';
import { UploadPlugin } from './plugin-parts/upload.tsx';

const [key, topics] = ['admin:plugins', ['plugin']];
const load = () => call('get', '/api/plugins');

/** Reads the plugins before the page is shown. */
export const prepare = (): Promise<void> => preload(key, topics, load);

/** All plugins, those that wait for consent first. */
export default function PluginsPage() {
  const plugins = useResource(key, topics, load);
  const catalogues = new Set(useCatalogues().map(({ id }) => id));
  return (
    <AdminPage title={t('admin.plugins')}>
      <p class="buttons">
        <Button
          icon="refresh"
          act={() =>
            attempt(async () => {
              await call('post', '/api/plugins/rescan');
              invalidate((topic) => topic === 'plugin');
            }, t('admin.plugins.looked'))
          }
        >
          {t('admin.plugins.look')}
        </Button>
        <UploadPlugin />
        <a class="button primary" href="/admin/marketplace">
          <Icon name="store" size={16} />
          {t('admin.plugins.more')}
        </a>
      </p>
      <InternetChoice />
      <Ready of={plugins}>
        {({ plugins: all, skipped }) => (
          <>
            {/* Those that are offered above wait for the same consent. */}
            <Waiting plugins={skipped.filter(({ id }) => !catalogues.has(id))} />
            <ul class="cards">
              {all.map(({ id, name, version, description, state, type, enabled }) => (
                <li key={id}>
                  <a class="card" href={`/admin/plugins/${id}`}>
                    <Icon name="plugin" size={28} />
                    <span>
                      <bdi class="title">{name}</bdi>
                      <small>{description}</small>
                      <small class={state === 'failed' ? 'warn' : undefined}>
                        {version} · {t(`admin.plugin.type.${type}`)} ·{' '}
                        {t(enabled ? `admin.plugin.state.${state}` : 'admin.plugin.off')}
                      </small>
                    </span>
                  </a>
                </li>
              ))}
            </ul>
            <Providers />
          </>
        )}
      </Ready>
    </AdminPage>
  );
}

function Waiting({ plugins }: { readonly plugins: readonly Resources['SkippedPlugin'][] }) {
  if (plugins.length === 0) return null;
  return (
    <section>
      <h2>{t('admin.plugins.waiting')}</h2>
      <ul class="lines">
        {plugins.map(({ key: one, id, name, version, reason, message, minVersion, appVersion }) => (
          <li key={one}>
            <span>
              {reason === 'permissions-pending' ? (
                <a href={`/admin/plugins/${id}`}>
                  <bdi>{name}</bdi> {version}
                </a>
              ) : (
                <span>
                  {/* One that cannot be read has no more than the name of its folder. */}
                  <bdi>{name || id || one}</bdi> {version}
                </span>
              )}
              {reason === 'permissions-pending' ? (
                <small>{t('admin.plugins.consent')}</small>
              ) : (
                <small>
                  {t(`admin.plugins.why.${reason}`)}{' '}
                  {reason === 'incompatible-version' ? (
                    t('admin.plugins.needsServer', { wanted: minVersion, version: appVersion })
                  ) : (
                    <bdi>{message}</bdi>
                  )}
                </small>
              )}
            </span>
            {reason === 'permissions-pending' && <Icon name="shield" />}
          </li>
        ))}
      </ul>
    </section>
  );
}
