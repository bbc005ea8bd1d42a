import { call, type Resources } from '../core/api.ts';
import { t } from '../core/messages.ts';
import { invalidate, useResource } from '../core/resource.ts';
import { Button } from '../ui/button.tsx';
import { confirm } from '../ui/dialog.tsx';
import { Ready } from '../ui/states.tsx';
import { attempt } from '../ui/toast.tsx';
import { deviceName } from './device-name.ts';
import { timeOf } from './time-of.ts';

type Session = Resources['Session'];

const again = (): void => invalidate((topic) => topic === 'sessions');

/** Where the person is signed in. */
export function Sessions() {
  const sessions = useResource('sessions', ['sessions', 'account', 'credentials'], () =>
    call('get', '/api/auth/sessions'),
  );
  async function endOthers(): Promise<void> {
    const title = t('account.endOthers');
    const text = t('account.endOthersText');
    if (!(await confirm({ title, text, action: t('action.signOut') }))) return;
    await attempt(async () => {
      await call('delete', '/api/auth/sessions');
      again();
    }, t('account.othersEnded'));
  }
  return (
    <Ready of={sessions}>
      {({ sessions: all }) => (
        <>
          <ul class="lines">
            {all.map((session) => (
              <Line key={session.id} session={session} />
            ))}
          </ul>
          {all.length > 1 && (
            <Button kind="danger" act={endOthers}>
              {t('account.endOthers')}
            </Button>
          )}
        </>
      )}
    </Ready>
  );
}

function Line({ session }: { readonly session: Session }) {
  const { id, address, lastSeenAt, isCurrent } = session;
  const name = deviceName(session);
  async function end(): Promise<void> {
    const title = t('account.endSession');
    const text = t('account.endSessionText', { name });
    if (!(await confirm({ title, text, action: t('action.signOut') }))) return;
    await attempt(
      async () => {
        await call('delete', '/api/auth/sessions/{id}', { path: { id } });
        again();
      },
      t('account.sessionEnded', { name }),
    );
  }
  return (
    <li>
      <span class="two-lines">
        <bdi>{name}</bdi>
        <small>{[address, timeOf(lastSeenAt)].filter((part) => part !== null).join(' · ')}</small>
      </span>
      {isCurrent ? (
        <small>{t('account.thisDevice')}</small>
      ) : (
        <Button kind="danger" label={t('account.signOutOf', { name })} act={end}>
          {t('action.signOut')}
        </Button>
      )}
    </li>
  );
}
