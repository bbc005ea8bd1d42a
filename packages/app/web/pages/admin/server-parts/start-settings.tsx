import { call, type Resources } from '../../../core/api.ts';
import { findMessage, t } from '../../../core/messages.ts';
import { useResource } from '../../../core/resource.ts';
import { Ready } from '../../../ui/states.tsx';

type Setting = Resources['Setting'];

/** The settings that the server was started with: what each is, its value, where that comes from. */
export function StartSettings() {
  const settings = useResource('admin:start-settings', ['server'], () =>
    call('get', '/api/settings'),
  );
  return (
    <section>
      <h2>{t('settings.start')}</h2>
      <p class="fine">{t('settings.startHint')}</p>
      <Ready of={settings}>
        {({ settings: all }) => {
          const set = all.filter(({ origin }) => origin !== 'default');
          return (
            <>
              {set.length === 0 && <p class="fine">{t('settings.allUsual')}</p>}
              <ul class="lines">
                {set.map((one) => (
                  <SettingLine key={one.key} setting={one} />
                ))}
              </ul>
              <details class="panel">
                <summary>{t('settings.usual', { count: all.length - set.length })}</summary>
                <ul class="lines">
                  {all
                    .filter(({ origin }) => origin === 'default')
                    .map((one) => (
                      <SettingLine key={one.key} setting={one} />
                    ))}
                </ul>
              </details>
            </>
          );
        }}
      </Ready>
    </section>
  );
}

function SettingLine({
  setting: { key, flag, variable, help, usual, value, origin },
}: {
  readonly setting: Setting;
}) {
  return (
    <li>
      <span>
        <strong>{findMessage(`setting.${key}`) ?? help}</strong>
        <small>
          <code>
            <bdi>
              {value ?? findMessage(`setting.usual.${key}`) ?? usual ?? t('settings.nothing')}
            </bdi>
          </code>{' '}
          · {t(`settings.from.${origin}`, { flag: `--${flag}`, variable, key })}
          {origin === 'default' && ` · ${t('settings.setWith', { flag: `--${flag}` })}`}
        </small>
      </span>
    </li>
  );
}
