import { call } from '../core/api.ts';
import { t } from '../core/messages.ts';
import { PersonForm } from './document-form.tsx';
import { inCookie, openSession } from './session.ts';

/** The page of an invite, on which its holder chooses a name and a password. */
export default async function invitePage(token: string | null) {
  document.title = `${t('invite.title')} · Vitrine`;
  if (token === null)
    return (
      <>
        <h1>{t('invite.title')}</h1>
        <p>{t('invite.openLink')}</p>
      </>
    );
  const { invite } = await call('post', '/api/invites/look', { body: { token } });
  return (
    <>
      <h1>
        <bdi>{t('invite.to', { server: invite.serverName })}</bdi>
      </h1>
      <p>{t('invite.text')}</p>
      <div class="panel">
        <PersonForm
          action={t('invite.join')}
          isNew
          send={async (person) => {
            const body = { token, ...person };
            await openSession(call('post', '/api/invites/redeem', { body, init: inCookie }));
            location.replace('/');
          }}
        />
      </div>
    </>
  );
}
