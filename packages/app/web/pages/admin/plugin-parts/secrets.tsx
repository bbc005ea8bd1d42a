import { call, type Resources } from '../../../core/api.ts';
import { t } from '../../../core/messages.ts';
import { invalidate, useResource } from '../../../core/resource.ts';
import { IconButton } from '../../../ui/button.tsx';
import { confirm } from '../../../ui/dialog.tsx';
import { textOf } from '../../../ui/form-text.ts';
import { Icon } from '../../../ui/icon.tsx';
import { SendForm } from '../../../ui/send-form.tsx';
import { Ready } from '../../../ui/states.tsx';
import { attempt } from '../../../ui/toast.tsx';
import { dateOf, listOf } from '../../../ui/words.ts';
import { valuesOf } from './grant.ts';

type Secret = Resources['PluginSecret'];

/** The secrets that the server keeps for a plugin. Their values are never shown. */
export function PluginSecrets({
  id,
  permissions: { asked },
}: {
  readonly id: string;
  readonly permissions: Resources['PluginPermissions'];
}) {
  const topic = `admin:secrets:${id}`;
  const secrets = useResource(topic, [`plugin:${id}`, topic], () =>
    call('get', '/api/plugins/{id}/secrets', { path: { id } }),
  );
  if (asked.secrets !== true) return null;
  const changed = (): void => invalidate((one) => one === topic);
  const hosts = valuesOf(asked.net).filter((host) => !host.startsWith('config:'));
  async function set(form: HTMLFormElement): Promise<void> {
    const [name, value] = [textOf(form, 'name'), textOf(form, 'value')];
    const chosen = new FormData(form).getAll('host').filter((one) => typeof one === 'string');
    const isDone = await attempt(async () => {
      const path = { id, name };
      await call('put', '/api/plugins/{id}/secrets/{name}', {
        path,
        body: { value, hosts: chosen },
      });
      changed();
    }, t('secrets.saved'));
    if (isDone) form.reset();
  }
  return (
    <section>
      <h2>
        <Icon name="key" /> {t('secrets.title')}
      </h2>
      <p class="fine">{t('secrets.hint')}</p>
      <Ready of={secrets}>
        {({ secrets: all }) => (
          <ul class="lines">
            {all.map((secret) => (
              <SecretLine
                key={`${secret.name} ${JSON.stringify(secret.scope)}`}
                id={id}
                secret={secret}
                changed={changed}
              />
            ))}
          </ul>
        )}
      </Ready>
      <details class="panel">
        <summary>{t('secrets.set')}</summary>
        <SendForm send={set} action={t('action.save')}>
          <label>
            {t('secrets.name')}
            <input name="name" required maxLength={64} autocomplete="off" spellcheck={false} />
          </label>
          <label>
            {t('secrets.value')}
            <input name="value" type="password" required minLength={4} autocomplete="off" />
          </label>
          {hosts.length > 0 && (
            <fieldset class="group">
              <legend>{t('secrets.hosts')}</legend>
              {hosts.map((host) => (
                <label key={host} class="check">
                  <input type="checkbox" name="host" value={host} />
                  <bdi>{host}</bdi>
                </label>
              ))}
            </fieldset>
          )}
        </SendForm>
      </details>
    </section>
  );
}

/** The query that names a scope; `null` = a profile, which is known here by a pseudonym alone. */
function scopeQueryOf(
  scope: unknown,
): { readonly libraryId?: string; readonly userId?: string } | null {
  if (typeof scope !== 'object' || scope === null) return {};
  if ('libraryId' in scope && typeof scope.libraryId === 'string')
    return { libraryId: scope.libraryId };
  return 'userId' in scope && typeof scope.userId === 'string' ? { userId: scope.userId } : null;
}

function SecretLine({
  id,
  secret: { name, scope, hosts, updatedAt, isLost },
  changed,
}: {
  readonly id: string;
  readonly secret: Secret;
  readonly changed: () => void;
}) {
  const query = scopeQueryOf(scope);
  async function remove(): Promise<void> {
    const title = t('action.removeName', { name });
    const yes = await confirm({ title, text: t('secrets.removeText'), action: title });
    if (!yes) return;
    await attempt(async () => {
      await call('delete', '/api/plugins/{id}/secrets/{name}', {
        path: { id, name },
        query: query ?? {},
      });
      changed();
    });
  }
  return (
    <li>
      <span>
        <bdi class="title">{name}</bdi>
        <small>
          {hosts.length === 0 ? t('secrets.signs') : t('secrets.to', { hosts: listOf(hosts) })} ·{' '}
          {dateOf(updatedAt)}
          {scope !== 'plugin' && ` · ${t('secrets.personal')}`}
        </small>
        {isLost && <p class="warn">{t('secrets.lost')}</p>}
      </span>
      {query !== null && (
        <IconButton icon="trash" label={t('action.removeName', { name })} act={remove} />
      )}
    </li>
  );
}
