import { call, type Resources } from '../../core/api.ts';
import { t } from '../../core/messages.ts';
import { invalidate, useResource } from '../../core/resource.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Ready } from '../../ui/states.tsx';
import { attempt } from '../../ui/toast.tsx';
import { dateOf } from '../../ui/words.ts';
import { Cause } from './server-parts/cause.tsx';

type Update = Resources['Update'];
const changed = (): void => invalidate((topic) => topic === 'update');

/** Whether there is a newer version, and which ones are announced. */
export function UpdateSettings() {
  const updates = useResource('admin:updates', ['update'], () => call('get', '/api/updates'));
  return (
    <section>
      <h2>{t('updates.title')}</h2>
      <Ready of={updates}>{(update) => <View update={update} />}</Ready>
    </section>
  );
}

function View({ update }: { readonly update: Update }) {
  const { currentVersion, latestVersion, lastCheckedAt, lastError, channel, notes } = update;
  const { isUpdateAvailable, suppressed, downloadUrl } = update;
  const change = (body: { readonly channel?: 'stable' | 'beta'; readonly suppressed?: boolean }) =>
    attempt(async () => {
      await call('put', '/api/updates', { body });
      changed();
    }, t('settings.saved'));
  const check = () =>
    attempt(async () => {
      await call('post', '/api/updates/check');
      changed();
    });
  return (
    <>
      <p class="facts">
        {t('updates.current', { version: currentVersion })} ·{' '}
        {lastCheckedAt === null
          ? t('updates.neverChecked')
          : t('updates.checked', { date: dateOf(lastCheckedAt) })}
      </p>
      {lastError !== null && <Cause text={lastError} />}
      {isUpdateAvailable && (
        <p>
          <strong>{t('admin.todo.update', { version: latestVersion ?? '' })}</strong>
        </p>
      )}
      {notes !== null && isUpdateAvailable && (
        <details class="panel">
          <summary>{t('versions.changes')}</summary>
          <pre class="quoted">
            <bdi>{notes}</bdi>
          </pre>
        </details>
      )}
      <p class="buttons">
        {isUpdateAvailable && downloadUrl !== null && (
          <a class="button primary" href={downloadUrl} rel="noopener noreferrer">
            <Icon name="external" size={16} />
            {t('updates.get')}
          </a>
        )}
        <Button icon="refresh" act={check}>
          {t('updates.check')}
        </Button>
        {(isUpdateAvailable || suppressed) && (
          <Button act={() => change({ suppressed: !suppressed })}>
            {t(suppressed ? 'updates.announce' : 'updates.suppress')}
          </Button>
        )}
      </p>
      <div class="form">
        <label>
          {t('updates.channel')}
          <select
            value={channel}
            onChange={({ currentTarget: { value } }) =>
              void change({ channel: value === 'beta' ? 'beta' : 'stable' })
            }
          >
            <option value="stable">{t('updates.channel.stable')}</option>
            <option value="beta">{t('updates.channel.beta')}</option>
          </select>
        </label>
      </div>
    </>
  );
}
