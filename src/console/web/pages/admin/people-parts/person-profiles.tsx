import { useSignal } from '@preact/signals';
import { call, type Resources } from '../../../core/api.ts';
import { t } from '../../../core/messages.ts';
import { invalidate, useResource } from '../../../core/resource.ts';
import { Avatar } from '../../../ui/avatar.tsx';
import { confirm, Dialog } from '../../../ui/dialog.tsx';
import { textOf } from '../../../ui/form-text.ts';
import { Icon } from '../../../ui/icon.tsx';
import { Ready } from '../../../ui/states.tsx';
import { attempt } from '../../../ui/toast.tsx';
import { accessOf, LibraryAccessFields } from './library-access.tsx';

type Profile = Resources['Profile'];
type Libraries = readonly Resources['Library'][];

const again = (): void => invalidate((topic) => topic === 'profile');

/** The profiles of a user, and what each may see of what the user sees. */
export function PersonProfiles({ userId }: { readonly userId: string }) {
  const open = useSignal<Profile | 'new' | null>(null);
  const data = useResource(`admin:profiles:${userId}`, ['profile', 'user'], async () => {
    const [{ profiles }, { libraries }] = await Promise.all([
      call('get', '/api/profiles', { query: { userId, limit: 100 } }),
      call('get', '/api/libraries'),
    ]);
    return { profiles, libraries };
  });
  const close = (): void => void (open.value = null);
  return (
    <section>
      <h2>{t('me.profiles')}</h2>
      <Ready of={data}>
        {({ profiles, libraries }) => (
          <>
            <ul class="lines">
              {profiles.map((profile) => (
                <li key={profile.id}>
                  <span class="with-icon">
                    <Avatar name={profile.name} url={profile.avatarUrl} size={36} />
                    <span>
                      <bdi>{profile.name}</bdi> <small>{factsOf(profile).join(' · ')}</small>
                    </span>
                  </span>
                  <button
                    type="button"
                    class="icon-button"
                    aria-label={t('action.changeName', { name: profile.name })}
                    onClick={() => (open.value = profile)}
                  >
                    <Icon name="edit" />
                  </button>
                </li>
              ))}
            </ul>
            {open.value !== null && (
              <ProfileForm
                userId={userId}
                profile={open.value === 'new' ? null : open.value}
                libraries={libraries}
                close={close}
              />
            )}
          </>
        )}
      </Ready>
      <p class="buttons">
        <button type="button" class="button" onClick={() => (open.value = 'new')}>
          <Icon name="plus" size={16} />
          {t('profiles.add')}
        </button>
      </p>
    </section>
  );
}

const factsOf = ({ isDefault, hasPin, libraryAccess }: Profile): readonly string[] => [
  ...(isDefault ? [t('people.defaultProfile')] : []),
  ...(hasPin ? [t('profiles.hasPin')] : []),
  ...(libraryAccess.length > 0 ? [t('access.some', { count: libraryAccess.length })] : []),
];

function ProfileForm({
  userId,
  profile,
  libraries,
  close,
}: {
  readonly userId: string;
  readonly profile: Profile | null;
  readonly libraries: Libraries;
  readonly close: () => void;
}) {
  const access = profile?.libraryAccess ?? [];
  const isBusy = useSignal(false);
  async function save(form: HTMLFormElement): Promise<void> {
    const body = {
      name: textOf(form, 'name'),
      libraryAccess: accessOf(form, { access, libraries }),
      ...(new FormData(form).has('noPin') && { pin: null }),
    };
    isBusy.value = true;
    const isSaved = await attempt(async () => {
      if (profile === null) await call('post', '/api/profiles', { body: { ...body, userId } });
      else await call('patch', '/api/profiles/{id}', { path: { id: profile.id }, body });
      again();
    }, t('people.saved'));
    isBusy.value = false;
    if (isSaved) close();
  }
  return (
    <Dialog title={profile?.name ?? t('profiles.add')} onClose={close}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void save(event.currentTarget);
        }}
      >
        <label>
          {t('profiles.name')}
          <input
            name="name"
            required
            maxLength={100}
            autocomplete="off"
            defaultValue={profile?.name ?? ''}
          />
        </label>
        <LibraryAccessFields
          legend={t('nav.libraries')}
          hint={t('access.profileHint')}
          access={access}
          libraries={libraries}
        />
        {profile?.hasPin === true && (
          <label class="check">
            <input type="checkbox" name="noPin" />
            <span>{t('profiles.removePin')}</span>
          </label>
        )}
        <p class="buttons">
          <button type="submit" class="button primary" disabled={isBusy.value}>
            {t('action.save')}
          </button>
          {profile !== null && !profile.isDefault && <Delete profile={profile} close={close} />}
        </p>
      </form>
    </Dialog>
  );
}

function Delete({
  profile: { id, name },
  close,
}: {
  readonly profile: Profile;
  readonly close: () => void;
}) {
  async function remove(): Promise<void> {
    const title = t('profiles.deleteTitle');
    const text = t('profiles.deleteText', { name });
    if (!(await confirm({ title, text, action: t('profiles.delete') }))) return;
    const isGone = await attempt(
      async () => {
        await call('delete', '/api/profiles/{id}', { path: { id } });
        again();
      },
      t('profiles.deleted', { name }),
    );
    if (isGone) close();
  }
  return (
    <button type="button" class="button danger" onClick={() => void remove()}>
      {t('profiles.delete')}
    </button>
  );
}
