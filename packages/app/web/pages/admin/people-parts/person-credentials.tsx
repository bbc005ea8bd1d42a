import { deviceName } from '../../../account/device-name.ts';
import { call, type Resources } from '../../../core/api.ts';
import { t } from '../../../core/messages.ts';
import { invalidate, useResource } from '../../../core/resource.ts';
import { Button } from '../../../ui/button.tsx';
import { confirm } from '../../../ui/dialog.tsx';
import { Ready } from '../../../ui/states.tsx';
import { attempt } from '../../../ui/toast.tsx';
import { momentOf } from '../../../ui/words.ts';

/** Asks, and ends something that lets a person in. */
async function end(
  question: Parameters<typeof confirm>[0] & { readonly done: string },
  work: () => Promise<unknown>,
): Promise<void> {
  if (!(await confirm(question))) return;
  await attempt(async () => {
    await work();
    invalidate((topic) => topic === 'credentials');
  }, question.done);
}

/** Where a user is signed in. */
export function PersonSessions({ userId }: { readonly userId: string }) {
  const sessions = useResource(`admin:sessions:${userId}`, ['credentials', 'user'], () =>
    call('get', '/api/users/{id}/sessions', { path: { id: userId } }),
  );
  return (
    <section>
      <h2>{t('people.sessions')}</h2>
      <Ready of={sessions}>
        {({ sessions: all }) => (
          <>
            {all.length === 0 && <p class="fine">{t('people.noSession')}</p>}
            <ul class="lines">
              {all.map((session) => (
                <SessionLine key={session.id} userId={userId} session={session} />
              ))}
            </ul>
          </>
        )}
      </Ready>
    </section>
  );
}

function SessionLine({
  userId,
  session,
}: {
  readonly userId: string;
  readonly session: Resources['Session'];
}) {
  const { id, address, lastSeenAt, isCurrent } = session;
  const name = deviceName(session);
  const question = {
    title: t('account.endSession'),
    text: t('account.endSessionText', { name }),
    action: t('action.signOut'),
    done: t('account.sessionEnded', { name }),
  };
  return (
    <li>
      <span>
        <bdi>{name}</bdi>
        <small>{[address, momentOf(lastSeenAt)].filter((part) => part !== null).join(' · ')}</small>
      </span>
      {isCurrent ? (
        <small>{t('account.thisDevice')}</small>
      ) : (
        <Button
          kind="danger"
          label={t('account.signOutOf', { name })}
          act={() =>
            end(question, () =>
              call('delete', '/api/users/{id}/sessions/{sessionId}', {
                path: { id: userId, sessionId: id },
              }),
            )
          }
        >
          {t('action.signOut')}
        </Button>
      )}
    </li>
  );
}

/** More keys than these are on the pages of their users. */
const mostKeys = 200;

/** The API keys of a user. */
export function PersonKeys({ userId }: { readonly userId: string }) {
  const keys = useResource(`admin:keys:${userId}`, ['credentials', 'user'], () =>
    call('get', '/api/api-keys', { query: { limit: mostKeys } }),
  );
  return (
    <section>
      <h2>{t('people.keys')}</h2>
      <Ready of={keys}>
        {({ apiKeys }) => {
          const own = apiKeys.filter((key) => key.userId === userId);
          return (
            <>
              {own.length === 0 && <p class="fine">{t('people.noKey')}</p>}
              <ul class="lines">
                {own.map((key) => (
                  <KeyLine key={key.id} apiKey={key} />
                ))}
              </ul>
            </>
          );
        }}
      </Ready>
    </section>
  );
}

function KeyLine({
  apiKey: { id, name, role, scopes, lastUsedAt },
}: {
  readonly apiKey: Resources['ApiKey'];
}) {
  const facts = [
    t(`people.role.${role}`),
    ...(scopes !== null ? [t('account.limited')] : []),
    lastUsedAt === null
      ? t('account.neverUsed')
      : t('account.lastUsed', { time: momentOf(lastUsedAt) }),
  ];
  const question = {
    title: t('account.removeApiKey'),
    text: t('account.removeApiKeyText', { name }),
    action: t('account.remove'),
    done: t('account.removed', { name }),
  };
  return (
    <li>
      <span>
        <bdi>{name}</bdi>
        <small>{facts.join(' · ')}</small>
      </span>
      <Button
        kind="danger"
        label={t('action.removeName', { name })}
        act={() => end(question, () => call('delete', '/api/api-keys/{id}', { path: { id } }))}
      >
        {t('account.remove')}
      </Button>
    </li>
  );
}
