import { call } from '../../../core/api.ts';
import { locale, t } from '../../../core/messages.ts';
import { useResource } from '../../../core/resource.ts';
import { Ready } from '../../../ui/states.tsx';

/** The last lines that a plugin wrote, with the places of failures. */
export function PluginLogs({ id }: { readonly id: string }) {
  const logs = useResource(`admin:logs:${id}`, [`plugin:${id}`], () =>
    call('get', '/api/plugins/{id}/logs', { path: { id } }),
  );
  return (
    <section>
      <h2>{t('logs.title')}</h2>
      <Ready of={logs}>
        {({ lines }) =>
          lines.length === 0 ? (
            <p class="fine">{t('logs.none')}</p>
          ) : (
            <ol class="log" dir="ltr" tabIndex={0} aria-label={t('logs.title')}>
              {lines.slice(-200).map(({ time, level, text, failure }) => (
                <li key={`${time} ${text}`} class={level}>
                  <time dateTime={time}>{new Date(time).toLocaleTimeString(locale.value)}</time>{' '}
                  <bdi>{text}</bdi>
                  {failure?.stack.map((place) => (
                    <small key={place}>
                      <code>{place}</code>
                    </small>
                  ))}
                </li>
              ))}
            </ol>
          )
        }
      </Ready>
    </section>
  );
}
