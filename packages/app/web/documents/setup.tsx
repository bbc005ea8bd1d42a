import { call, Refusal } from '../core/api.ts';
import { t } from '../core/messages.ts';
import { PersonForm } from './document-form.tsx';
import { inCookie, openSession } from './session.ts';

/** The first page: the holder of the setup link becomes the admin. */
export default async function setupPage(token: string | null) {
  document.title = t('setup.title');
  if (token === null)
    return (
      <>
        <h1>{t('setup.title')}</h1>
        <p>{t('setup.openLink')}</p>
        <p>
          {t('setup.done')}
          <a href="/sign-in">{t('signIn.title')}</a>
        </p>
      </>
    );
  return (
    <>
      <h1>{t('setup.title')}</h1>
      <p>{t('setup.text')}</p>
      <div class="panel">
        <PersonForm
          action={t('setup.create')}
          isNew
          send={async (person) => {
            const body = { token, ...person };
            await openSession(call('post', '/api/setup', { body, init: inCookie })).catch(
              (error: unknown) => {
                const isDone = error instanceof Refusal && error.status === 409;
                throw isDone ? new Refusal(409, t('setup.already')) : error;
              },
            );
            location.replace('/libraries');
          }}
        />
      </div>
    </>
  );
}
