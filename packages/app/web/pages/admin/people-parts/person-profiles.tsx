import { call, type Resources } from '../../../core/api.ts';
import { t } from '../../../core/messages.ts';
import { invalidate, useResource } from '../../../core/resource.ts';
import { Avatar } from '../../../ui/avatar.tsx';
import { AccessList } from './access-list.tsx';

const again = (): void => invalidate((topic) => topic === 'profile');

/** The profiles of a user, and what each may see of what the user sees. */
export function PersonProfiles({ userId }: { readonly userId: string }) {
  const data = useResource(`admin:profiles:${userId}`, ['profile', 'user'], async () => {
    const [{ profiles }, { libraries }] = await Promise.all([
      call('get', '/api/profiles', { query: { userId, limit: 100 } }),
      call('get', '/api/libraries'),
    ]);
    return { all: profiles, libraries };
  });
  return (
    <section>
      <h2>{t('me.profiles')}</h2>
      <AccessList
        of={data}
        words={{ add: t('profiles.add'), name: t('profiles.name'), hint: t('access.profileHint') }}
        line={(profile) => (
          <span class="with-icon">
            <Avatar name={profile.name} url={profile.avatarUrl} size={36} />
            <span>
              <bdi>{profile.name}</bdi> <small>{factsOf(profile).join(' · ')}</small>
            </span>
          </span>
        )}
        mayBeAll
        save={async (profile, changes, form) => {
          const body = { ...changes, ...(new FormData(form).has('noPin') && { pin: null }) };
          if (profile === null) await call('post', '/api/profiles', { body: { ...body, userId } });
          else await call('patch', '/api/profiles/{id}', { path: { id: profile.id }, body });
          again();
        }}
        deletion={({ name, isDefault }) =>
          isDefault
            ? null
            : {
                title: t('profiles.deleteTitle'),
                text: t('profiles.deleteText', { name }),
                action: t('profiles.delete'),
                done: t('profiles.deleted', { name }),
              }
        }
        remove={async ({ id }) => {
          await call('delete', '/api/profiles/{id}', { path: { id } });
          again();
        }}
        more={({ hasPin }) =>
          hasPin && (
            <label class="check">
              <input type="checkbox" name="noPin" />
              <span>{t('profiles.removePin')}</span>
            </label>
          )
        }
      />
    </section>
  );
}

const factsOf = (profile: Resources['Profile']): readonly string[] => [
  ...(profile.isDefault ? [t('people.defaultProfile')] : []),
  ...(profile.hasPin ? [t('profiles.hasPin')] : []),
  ...(profile.libraryAccess !== null
    ? [t('access.some', { count: profile.libraryAccess.length })]
    : []),
];
