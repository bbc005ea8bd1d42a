import { useEffect } from 'preact/hooks';
import { call, type Resources } from '../core/api.ts';
import { t } from '../core/messages.ts';
import { invalidate, useResource } from '../core/resource.ts';
import { viewer } from '../core/session.ts';
import { Button } from '../ui/button.tsx';
import { confirm } from '../ui/dialog.tsx';
import { SendForm } from '../ui/send-form.tsx';
import { attempt } from '../ui/toast.tsx';
import { dateOf } from '../ui/words.ts';
import { CurrentPassword, passwordOf } from './password.tsx';

type Link = Resources['IdentityLink'];

const pollMs = 2500;
const again = (): void => invalidate((topic) => topic === 'identity');
const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url);

/** The identities with which apps sign in as the person; nothing where the server has no broker. */
export function Identity() {
  const found = useResource('identity', ['identity', 'account'], () =>
    call('get', '/api/identity/links'),
  ).value.value;
  const own = found?.links.filter(({ userId }) => userId === viewer.value?.user.id) ?? [];
  const isWaiting = own.some(({ state, linkUrl }) => state === 'pending' && linkUrl !== null);
  useEffect(() => {
    if (!isWaiting) return undefined;
    const timer = setInterval(again, pollMs);
    return () => clearInterval(timer);
  }, [isWaiting]);
  if (found === undefined || (found.identityUrl === null && found.links.length === 0)) return null;
  const begun = own.filter(({ linkUrl }) => linkUrl !== null);
  const confirmed = own.filter(({ linkUrl }) => linkUrl === null);
  return (
    <section class="settings" aria-labelledby="account-identity">
      <h2 id="account-identity">{t('identity.title')}</h2>
      {own.length === 0 && <p>{t('identity.text')}</p>}
      {confirmed.length > 0 && (
        <ul class="lines">
          {confirmed.map((link) => (
            <Linked key={link.id} link={link} />
          ))}
        </ul>
      )}
      {begun.map((link) => (
        <div key={link.id} role="status">
          <Begun link={link} serverFingerprint={found.serverFingerprint} />
        </div>
      ))}
      {found.identityUrl !== null && begun.every(({ state }) => state === 'failed') && (
        <LinkForm identityUrl={found.identityUrl} isFirst={confirmed.length === 0} />
      )}
    </section>
  );
}

const remove = (id: string): Promise<boolean> =>
  attempt(async () => {
    await call('delete', '/api/identity/links/{id}', { path: { id } });
    again();
  });

function Linked({
  link: { id, fingerprint, identityUrl, linkedAt, state },
}: {
  readonly link: Link;
}) {
  const name = fingerprint ?? '';
  async function unlink(): Promise<void> {
    const text = t('identity.unlinkText', { name });
    const action = t('identity.unlink');
    if (await confirm({ title: t('identity.unlinkTitle'), text, action })) await remove(id);
  }
  return (
    <li>
      <span class="two-lines">
        <code>{fingerprint}</code>
        <small>
          {t('identity.linkedOn', {
            host: hostOf(identityUrl),
            date: linkedAt === null ? '' : dateOf(linkedAt),
          })}
        </small>
        {state === 'relink_required' && <small class="warn">{t('identity.newKey')}</small>}
      </span>
      <Button kind="danger" label={t('identity.unlinkName', { name })} act={unlink}>
        {t('identity.unlink')}
      </Button>
    </li>
  );
}

/** A link that is not finished. */
function Begun({
  link,
  serverFingerprint,
}: {
  readonly link: Link;
  readonly serverFingerprint: string;
}) {
  switch (link.state) {
    case 'failed':
      return <p class="problem">{t(`identity.failed.${link.failure ?? 'refused'}`)}</p>;
    case 'approved':
      return <Approved link={link} />;
    case 'pending':
      return <Waiting link={link} serverFingerprint={serverFingerprint} />;
    case 'active':
    case 'relink_required':
      return (
        <ul class="lines">
          <Linked link={link} />
        </ul>
      );
  }
}

function Waiting({
  link: { id, linkUrl },
  serverFingerprint,
}: {
  readonly link: Link;
  readonly serverFingerprint: string;
}) {
  return (
    <>
      <p>{t('identity.approve')}</p>
      <p>
        <code class="fingerprint">{serverFingerprint}</code>
      </p>
      <p class="buttons">
        <a class="button" href={linkUrl ?? ''} target="_blank" rel="noopener">
          {t('identity.open')}
        </a>
        <Button act={() => remove(id)}>{t('action.cancel')}</Button>
      </p>
    </>
  );
}

function Approved({ link: { id, fingerprint } }: { readonly link: Link }) {
  return (
    <>
      <p>{t('identity.compare')}</p>
      <p>
        <code class="fingerprint">{fingerprint}</code>
      </p>
      <p class="buttons">
        <Button
          kind="primary"
          act={() =>
            attempt(async () => {
              const body = { fingerprint: fingerprint ?? '' };
              await call('post', '/api/identity/links/{id}/confirm', { path: { id }, body });
              again();
            }, t('identity.linked'))
          }
        >
          {t('identity.same')}
        </Button>
        <Button kind="danger" act={() => remove(id)}>
          {t('identity.different')}
        </Button>
      </p>
    </>
  );
}

function LinkForm({
  identityUrl,
  isFirst,
}: {
  readonly identityUrl: string;
  readonly isFirst: boolean;
}) {
  async function begin(form: HTMLFormElement): Promise<void> {
    const password = passwordOf(form);
    await attempt(async () => {
      const body = password === '' ? {} : { password };
      const { link } = await call('post', '/api/identity/links', { body });
      if (link.linkUrl !== null) window.open(link.linkUrl, '_blank', 'noopener');
      again();
    });
  }
  return (
    <SendForm send={begin} action={t(isFirst ? 'identity.link' : 'identity.linkAnother')} isPlain>
      <CurrentPassword hint={t('identity.goOn', { host: hostOf(identityUrl) })} />
    </SendForm>
  );
}
