import { useSignal } from '@preact/signals';
import type { Resources } from '../core/api.ts';
import { t } from '../core/messages.ts';
import { go } from '../core/router.ts';
import { chooseProfile, isUser, profiles, viewer } from '../core/session.ts';
import { signOut } from '../downloads/sign-out.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { attempt } from '../ui/toast.tsx';
import { useTitle } from '../ui/title.ts';
import { AddProfile, ProfileDialog } from './profile-dialog.tsx';

type Profile = Resources['Profile'];

/** "Who is watching?": the profiles of the person, to choose and to change. */
export default function Profiles() {
  useTitle(t('profiles.title'));
  const edited = useSignal<string | null>(null);
  const userId = viewer.value?.user.id;
  const own = profiles.value.filter((profile) => profile.userId === userId);
  const one = own.find(({ id }) => id === edited.value);
  return (
    <div class="page profiles">
      <h1>{t('profiles.title')}</h1>
      <ul class="faces">
        {own.map((profile) => (
          <ProfileTile
            key={profile.id}
            profile={profile}
            edit={isUser.value ? () => (edited.value = profile.id) : undefined}
          />
        ))}
        {isUser.value && (
          <li>
            <button type="button" class="choose" onClick={() => (edited.value = 'new')}>
              <span class="avatar plus">
                <Icon name="plus" size={40} />
              </span>
              <span class="title">{t('profiles.add')}</span>
            </button>
          </li>
        )}
      </ul>
      <p class="buttons">
        <a class="button" href="/account">
          <Icon name="shield" />
          {t('nav.account')}
        </a>
        <Button act={() => attempt(signOut)}>
          <Icon name="signOut" />
          {t('action.signOut')}
        </Button>
      </p>
      {edited.value === 'new' && <AddProfile close={() => (edited.value = null)} />}
      {one !== undefined && <ProfileDialog profile={one} close={() => (edited.value = null)} />}
    </div>
  );
}

function ProfileTile({
  profile: { id, name, avatarUrl, hasPin },
  edit,
}: {
  readonly profile: Profile;
  readonly edit: (() => void) | undefined;
}) {
  const isCurrent = viewer.value?.profileId === id;
  const choose = (): Promise<boolean> =>
    attempt(async () => {
      await chooseProfile(id);
      await go('/');
    });
  return (
    <li>
      <button
        type="button"
        class="choose"
        aria-current={isCurrent ? 'true' : undefined}
        onClick={() => void choose()}
      >
        <Avatar name={name} url={avatarUrl} size={104} />
        <span class="title">
          <bdi>{name}</bdi>
          {hasPin && (
            <>
              <Icon name="lock" size={16} />
              <span class="unseen">{t('profiles.hasPin')}</span>
            </>
          )}
        </span>
      </button>
      {edit !== undefined && (
        <button type="button" class="link" onClick={edit}>
          {t('action.changeName', { name })}
        </button>
      )}
    </li>
  );
}
