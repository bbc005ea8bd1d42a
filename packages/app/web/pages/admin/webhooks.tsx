import { useSignal } from '@preact/signals';
import { call, type Resources } from '../../core/api.ts';
import { t } from '../../core/messages.ts';
import { invalidate, preload, useResource } from '../../core/resource.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { textOf } from '../../ui/form-text.ts';
import { Icon } from '../../ui/icon.tsx';
import { SendForm } from '../../ui/send-form.tsx';
import { Empty, Ready } from '../../ui/states.tsx';
import { attempt } from '../../ui/toast.tsx';
import { AdminPage } from './frame.tsx';
import { Blocked, WebhookSheet } from './webhook-sheet.tsx';

type Webhook = Resources['Webhook'];

const [key, topics] = ['admin:webhooks', ['webhook']];
const load = () => call('get', '/api/webhooks', { query: { limit: 200 } });

/** Reads the webhooks before the page is shown. */
export const prepare = (): Promise<void> => preload(key, topics, load);

/** Addresses of other programs that are told what happens. */
export default function WebhooksPage() {
  const webhooks = useResource(key, topics, load);
  const open = useSignal<string | null>(null);
  return (
    <AdminPage title={t('admin.webhooks')}>
      <p class="fine">{t('webhooks.hint')}</p>
      <Ready of={webhooks}>
        {({ webhooks: all }) => {
          const shown = all.find(({ id }) => id === open.value);
          return (
            <>
              {all.length === 0 && <Empty title={t('webhooks.none')} />}
              <ul class="cards">
                {all.map(({ id, name, url, enabled }) => (
                  <li key={id}>
                    <button type="button" class="card" onClick={() => (open.value = id)}>
                      <Icon name="webhook" size={28} />
                      <span>
                        <bdi class="title">{name}</bdi>
                        <small>
                          <bdi>{url}</bdi>
                        </small>
                        <small>{t(enabled ? 'webhooks.on' : 'webhooks.off')}</small>
                      </span>
                    </button>
                  </li>
                ))}
              </ul>
              {shown !== undefined && (
                <WebhookSheet webhook={shown} close={() => (open.value = null)} />
              )}
              <NewWebhook />
            </>
          );
        }}
      </Ready>
    </AdminPage>
  );
}

function NewWebhook() {
  const made = useSignal<Webhook | null>(null);
  async function make(form: HTMLFormElement): Promise<void> {
    const events = textOf(form, 'events');
    const isDone = await attempt(async () => {
      made.value = await call('post', '/api/webhooks', {
        body: {
          name: textOf(form, 'name'),
          url: textOf(form, 'url'),
          ...(events !== '' && { events }),
        },
      });
      invalidate((topic) => topic === 'webhook');
    }, t('webhooks.made'));
    if (isDone) form.reset();
  }
  return (
    <section>
      <h2>{t('webhooks.new')}</h2>
      <SendForm send={make} action={t('webhooks.make')}>
        <label>
          {t('webhooks.name')}
          <input name="name" required maxLength={100} autocomplete="off" />
        </label>
        <label>
          {t('webhooks.address')}
          <input name="url" type="url" required maxLength={2048} autocomplete="off" />
        </label>
        <label>
          {t('webhooks.events')}
          <input name="events" maxLength={5000} autocomplete="off" spellcheck={false} />
          <small>{t('webhooks.eventsHint')}</small>
        </label>
      </SendForm>
      {made.value !== null && (
        <Dialog title={t('webhooks.secret')} onClose={() => (made.value = null)}>
          <p>{t('webhooks.secretHint')}</p>
          <p>
            <code class="quoted">{made.value.secret}</code>
          </p>
          <Blocked reason={made.value.reason ?? null} />
        </Dialog>
      )}
    </section>
  );
}
