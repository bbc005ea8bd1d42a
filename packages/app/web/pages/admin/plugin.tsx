import { call, Refusal, type Resources } from '../../core/api.ts';
import { t } from '../../core/messages.ts';
import { invalidate, preload, useResource } from '../../core/resource.ts';
import type { PageProps } from '../../core/router.ts';
import { Button } from '../../ui/button.tsx';
import type { IconName } from '../../ui/icon.tsx';
import { Ready } from '../../ui/states.tsx';
import { attempt } from '../../ui/toast.tsx';
import { momentOf } from '../../ui/words.ts';
import { AdminPage } from './frame.tsx';
import { Consent } from './plugin-parts/consent.tsx';
import { PluginLogs } from './plugin-parts/logs.tsx';
import { Providers } from './plugin-parts/providers.tsx';
import { PluginSecrets } from './plugin-parts/secrets.tsx';
import { PluginSettings } from './plugin-parts/settings.tsx';
import { PluginUsage } from './plugin-parts/usage.tsx';
import { PluginVersions } from './plugin-parts/versions.tsx';

/** A plugin that runs, or one that waits for consent and has no more than its name. */
interface PluginData {
  readonly plugin: Resources['Plugin'] | null;
  readonly permissions: Resources['PluginPermissions'];
}

const keyOf = (id: string): string => `admin:plugin:${id}`;
const topicsOf = (id: string): readonly string[] => ['plugin', `plugin:${id}`];

const loadOf = (id: string) => async (): Promise<PluginData> => {
  const path = { id };
  const [plugin, permissions] = await Promise.all([
    call('get', '/api/plugins/{id}', { path }).catch((error: unknown) => {
      if (error instanceof Refusal && error.status === 404) return null;
      throw error;
    }),
    call('get', '/api/plugins/{id}/permissions', { path }),
  ]);
  return { plugin: plugin?.plugin ?? null, permissions };
};

/** Reads the plugin before its page is shown. */
export const prepare = ({ parameters: { id = '' } }: PageProps): Promise<void> =>
  preload(keyOf(id), topicsOf(id), loadOf(id));

/** One plugin: what it asks and may do, what it did, its settings, its log. */
export default function PluginPage({ parameters: { id = '' } }: PageProps) {
  const data = useResource(keyOf(id), topicsOf(id), loadOf(id));
  const plugin = data.value.value?.plugin;
  return (
    <AdminPage title={plugin?.name ?? t('admin.plugins')}>
      <Ready of={data}>
        {(value) => (
          <>
            {value.plugin !== null && <About plugin={value.plugin} />}
            <Consent
              key={JSON.stringify(value.permissions.granted)}
              id={id}
              permissions={value.permissions}
            />
            {value.plugin?.type === 'marketplace' && (
              <PluginVersions id={id} permissions={value.permissions} />
            )}
            {value.plugin !== null && (
              <>
                <Providers pluginId={id} />
                <PluginSecrets id={id} permissions={value.permissions} />
                <PluginSettings plugin={value.plugin} />
                <PluginUsage id={id} />
                <PluginLogs id={id} />
              </>
            )}
          </>
        )}
      </Ready>
    </AdminPage>
  );
}

function About({ plugin }: { readonly plugin: Resources['Plugin'] }) {
  const {
    id,
    version,
    author,
    license,
    description,
    state,
    enabled,
    errorMessage,
    type,
    suspended,
  } = plugin;
  const act = (verb: 'enable' | 'disable' | 'restart', icon: IconName, label: string) => (
    <Button
      icon={icon}
      act={() =>
        attempt(async () => {
          await call('post', `/api/plugins/{id}/${verb}`, { path: { id } });
          invalidate((topic) => topic === 'plugin');
        })
      }
    >
      {label}
    </Button>
  );
  return (
    <section>
      <p dir="auto">{description}</p>
      <p class="facts">
        {[
          version,
          author,
          license,
          t(`admin.plugin.type.${type}`),
          t(enabled ? `admin.plugin.state.${state}` : 'admin.plugin.off'),
        ].join(' · ')}
      </p>
      {errorMessage !== null && (
        <p class="warn">
          {t('admin.plugin.lastError')} <bdi>{errorMessage}</bdi>
        </p>
      )}
      {(suspended ?? []).map(({ handler, until }) => (
        <p key={handler} class="warn">
          {t('admin.plugin.suspended', { handler, time: momentOf(until) })}
        </p>
      ))}
      <p class="buttons">
        {enabled
          ? act('disable', 'pause', t('admin.plugin.disable'))
          : act('enable', 'play', t('admin.plugin.enable'))}
        {enabled && act('restart', 'refresh', t('admin.plugin.restart'))}
      </p>
    </section>
  );
}
