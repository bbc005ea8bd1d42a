import { call, type Resources } from '../core/api.ts';
import { t } from '../core/messages.ts';
import { invalidate, useResource } from '../core/resource.ts';
import { profile } from '../core/session.ts';
import { ConfigForm } from '../ui/config-form.tsx';
import { attempt } from '../ui/toast.tsx';

/** What plugins need from this profile, such as its account at a service. Nothing where no plugin asks. */
export function PluginForms() {
  const id = profile.value?.id;
  return id === undefined ? null : <FormsOf key={id} id={id} />;
}

function FormsOf({ id }: { readonly id: string }) {
  const topic = `profile-plugins:${id}`;
  const forms = useResource(topic, [topic], () =>
    call('get', '/api/profiles/{id}/plugins', { path: { id } }),
  );
  const plugins = forms.value.value?.plugins ?? [];
  if (plugins.length === 0) return null;
  return (
    <section class="settings" aria-labelledby="account-plugins">
      <h2 id="account-plugins">{t('account.plugins')}</h2>
      <p>{t('account.pluginsText')}</p>
      {plugins.map((plugin) => (
        <section key={plugin.id} aria-label={plugin.name}>
          <h3>
            <bdi>{plugin.name}</bdi>
          </h3>
          {plugin.agreement && (
            <Agreement
              asked={plugin.agreement}
              save={(agrees) =>
                void attempt(async () => {
                  const path = { id, pluginId: plugin.id };
                  const body = { agrees };
                  await call('put', '/api/profiles/{id}/plugins/{pluginId}/agreement', {
                    path,
                    body,
                  });
                  invalidate((one) => one === topic);
                }, t('account.pluginsSaved'))
              }
            />
          )}
          {plugin.configuration.length > 0 && (
            <ConfigForm
              key={JSON.stringify(plugin.values)}
              fields={plugin.configuration}
              known={plugin.values}
              save={(body) =>
                void attempt(async () => {
                  const path = { id, pluginId: plugin.id };
                  await call('put', '/api/profiles/{id}/plugins/{pluginId}', { path, body });
                  invalidate((one) => one === topic);
                }, t('account.pluginsSaved'))
              }
            />
          )}
        </section>
      ))}
    </section>
  );
}

/** What a plugin may do while the person is away, in the words of the server. */
function Agreement({
  asked: { asked, agreed, sentence },
  save,
}: {
  readonly asked: NonNullable<Resources['ProfilePlugin']['agreement']>;
  readonly save: (agrees: boolean) => void;
}) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={agreed === asked || agreed === 'write'}
        onChange={({ currentTarget }) => save(currentTarget.checked)}
      />
      <span>{sentence}</span>
    </label>
  );
}
