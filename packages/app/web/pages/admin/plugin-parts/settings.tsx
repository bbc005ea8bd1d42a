import { call, type Resources } from '../../../core/api.ts';
import { t } from '../../../core/messages.ts';
import { useResource } from '../../../core/resource.ts';
import { ConfigForm } from '../../../ui/config-form.tsx';
import { Ready } from '../../../ui/states.tsx';
import { attempt } from '../../../ui/toast.tsx';

/** The configuration of a plugin, drawn from its form. */
export function PluginSettings({
  plugin: { id, configuration },
}: {
  readonly plugin: Resources['Plugin'];
}) {
  const values = useResource(`admin:configuration:${id}`, [`plugin:${id}`], () =>
    call('get', '/api/plugins/{id}/configuration', { path: { id } }),
  );
  if (configuration.length === 0) return null;
  return (
    <section>
      <h2>{t('settings.title')}</h2>
      <Ready of={values}>
        {(known) => (
          <ConfigForm
            key={JSON.stringify(known)}
            fields={configuration}
            known={known}
            save={(body) =>
              void attempt(
                () => call('put', '/api/plugins/{id}/configuration', { path: { id }, body }),
                t('settings.saved'),
              )
            }
          />
        )}
      </Ready>
    </section>
  );
}
