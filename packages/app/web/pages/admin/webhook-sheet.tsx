import { call, type Resources } from '../../core/api.ts';
import { findMessage, t } from '../../core/messages.ts';
import { invalidate, useResource } from '../../core/resource.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { confirm, Dialog } from '../../ui/dialog.tsx';
import { textOf } from '../../ui/form-text.ts';
import { SendForm } from '../../ui/send-form.tsx';
import { Ready } from '../../ui/states.tsx';
import { attempt, say } from '../../ui/toast.tsx';
import { momentOf } from '../../ui/words.ts';

type Webhook = Resources['Webhook'];
type Delivery = Resources['WebhookDelivery'];

/** One webhook: its address and events, and what was sent to it. */
export function WebhookSheet({
  webhook,
  close,
}: {
  readonly webhook: Webhook;
  readonly close: () => void;
}) {
  const { id, name, url, events, enabled } = webhook;
  const path = { id };
  const checked = useResource(`admin:webhook-check:${id}`, ['webhook'], () =>
    call('get', '/api/webhooks/{id}', { path }),
  );
  const change = (body: object, done?: string) =>
    attempt(async () => {
      await call('patch', '/api/webhooks/{id}', { path, body });
      invalidate((topic) => topic === 'webhook');
    }, done);
  const test = () =>
    attempt(async () => {
      const { delivery } = await call('post', '/api/webhooks/{id}/test', { path });
      say(delivery.error ?? t('webhooks.tested'));
      invalidate((topic) => topic === `webhook:${id}`);
    });
  async function remove(): Promise<void> {
    const title = t('action.removeName', { name });
    if (!(await confirm({ title, text: t('webhooks.removeText'), action: title }))) return;
    const isDone = await attempt(() => call('delete', '/api/webhooks/{id}', { path }));
    if (!isDone) return;
    close();
    invalidate((topic) => topic === 'webhook');
  }
  return (
    <Dialog title={name} onClose={close}>
      <Blocked reason={checked.value.value?.reason ?? null} />
      <SendForm
        send={(form) =>
          change(
            {
              name: textOf(form, 'name'),
              url: textOf(form, 'url'),
              events: textOf(form, 'events'),
            },
            t('settings.saved'),
          )
        }
        action={t('action.save')}
        beside={
          <>
            <Button act={test}>{t('webhooks.test')}</Button>
            <Button act={() => change({ enabled: !enabled })}>
              {t(enabled ? 'webhooks.turnOff' : 'webhooks.turnOn')}
            </Button>
            <Button icon="trash" kind="danger" act={remove}>
              {t('webhooks.remove')}
            </Button>
          </>
        }
      >
        <label>
          {t('webhooks.name')}
          <input name="name" required maxLength={100} defaultValue={name} />
        </label>
        <label>
          {t('webhooks.address')}
          <input name="url" type="url" required maxLength={2048} defaultValue={url} />
        </label>
        <label>
          {t('webhooks.events')}
          <input name="events" required maxLength={5000} defaultValue={events} />
        </label>
      </SendForm>
      <Deliveries id={id} />
    </Dialog>
  );
}

/** Why nothing can be sent to a receiver, where the server knows. */
export const Blocked = ({ reason }: { readonly reason: string | null }) =>
  reason === null ? null : <p class="warn">{t('webhooks.blocked', { said: reason })}</p>;

function Deliveries({ id }: { readonly id: string }) {
  const topic = `webhook:${id}`;
  const deliveries = useResource(`admin:${topic}`, [topic], () =>
    call('get', '/api/webhooks/{id}/deliveries', { path: { id }, query: { limit: 50 } }),
  );
  const again = (): void => invalidate((one) => one === topic);
  return (
    <section>
      <h3>{t('webhooks.deliveries')}</h3>
      <p class="buttons">
        <Button icon="refresh" onClick={again}>
          {t('webhooks.lookAgain')}
        </Button>
      </p>
      <Ready of={deliveries}>
        {({ deliveries: all }) =>
          all.length === 0 ? (
            <p class="fine">{t('webhooks.noDeliveries')}</p>
          ) : (
            <ul class="lines">
              {all.map((delivery) => (
                <DeliveryLine key={delivery.id} webhookId={id} delivery={delivery} again={again} />
              ))}
            </ul>
          )
        }
      </Ready>
    </section>
  );
}

function DeliveryLine({
  webhookId,
  delivery: { id, event, status, createdAt, attempts, responseStatus, error },
  again,
}: {
  readonly webhookId: string;
  readonly delivery: Delivery;
  readonly again: () => void;
}) {
  const redeliver = () =>
    attempt(async () => {
      await call('post', '/api/webhooks/{id}/deliveries/{deliveryId}/redeliver', {
        path: { id: webhookId, deliveryId: id },
      });
      again();
    }, t('webhooks.sentAgain'));
  return (
    <li>
      <span>
        <code>{event}</code>
        <small>
          {[
            findMessage(`webhooks.status.${status}`) ?? status,
            momentOf(createdAt),
            t('webhooks.attempts', { count: attempts }),
            responseStatus === null ? '' : t('webhooks.answer', { status: String(responseStatus) }),
          ]
            .filter(Boolean)
            .join(' · ')}
        </small>
        {error !== null && (
          <p class="warn">
            <bdi>{error}</bdi>
          </p>
        )}
      </span>
      <IconButton icon="refresh" label={t('webhooks.sendAgain', { event })} act={redeliver} />
    </li>
  );
}
