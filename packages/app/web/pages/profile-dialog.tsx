import { call, type Resources } from '../core/api.ts';
import { t } from '../core/messages.ts';
import { chooseProfile, isAdmin, profiles, reloadProfiles, viewer } from '../core/session.ts';
import { smallPicture } from '../core/small-picture.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Button } from '../ui/button.tsx';
import { confirm, Dialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { SendForm } from '../ui/send-form.tsx';
import { attempt, say } from '../ui/toast.tsx';
import { textOf } from '../ui/form-text.ts';

type Profile = Resources['Profile'];

/** The field of a PIN: 4 to 8 digits. */
const PinField = ({
  name,
  label,
  isRequired = true,
}: {
  readonly name: string;
  readonly label: string;
  readonly isRequired?: boolean;
}) => (
  <label>
    {label}
    <input
      name={name}
      type="password"
      inputMode="numeric"
      autocomplete="off"
      pattern="[0-9]{4,8}"
      maxLength={8}
      title={t('profiles.pinHint')}
      required={isRequired}
    />
  </label>
);

export function AddProfile({ close }: { readonly close: () => void }) {
  async function add(form: HTMLFormElement): Promise<void> {
    const pin = textOf(form, 'pin');
    const body = { name: textOf(form, 'name'), ...(pin !== '' && { pin }) };
    const isMade = await attempt(async () => {
      await call('post', '/api/profiles', { body });
      await reloadProfiles();
    });
    if (isMade) close();
  }
  return (
    <Dialog title={t('profiles.add')} onClose={close}>
      <SendForm send={add} action={t('profiles.add')}>
        <label>
          {t('profiles.name')}
          <input name="name" required maxLength={100} autocomplete="off" />
        </label>
        <PinField name="pin" label={t('profiles.pinOptional')} isRequired={false} />
      </SendForm>
    </Dialog>
  );
}

/** Changes a profile: its name, picture and PIN; or deletes it. */
export function ProfileDialog({
  profile,
  close,
}: {
  readonly profile: Profile;
  readonly close: () => void;
}) {
  const { id, name, isDefault } = profile;
  const path = { id };
  const change = (body: Resources['ProfileChanges'], done: string): Promise<boolean> =>
    attempt(async () => {
      await call('patch', '/api/profiles/{id}', { path, body });
      await reloadProfiles();
    }, done);
  async function remove(): Promise<void> {
    const text = t('profiles.deleteText', { name });
    const action = t('profiles.delete');
    if (!(await confirm({ title: t('profiles.deleteTitle'), text, action }))) return;
    const isCurrent = viewer.value?.profileId === id;
    const isDone = await attempt(
      async () => {
        await call('delete', '/api/profiles/{id}', { path });
        const next = profiles.value.find((one) => one.isDefault);
        if (isCurrent && next !== undefined) await chooseProfile(next.id);
        await reloadProfiles();
      },
      t('profiles.deleted', { name }),
    );
    if (isDone) close();
  }
  return (
    <Dialog title={name} onClose={close}>
      <PictureOf profile={profile} />
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void change({ name: textOf(event.currentTarget, 'name') }, t('state.saved'));
        }}
      >
        <label>
          {t('profiles.name')}
          <input name="name" required maxLength={100} autocomplete="off" defaultValue={name} />
        </label>
        <button type="submit" class="button">
          {t('action.rename')}
        </button>
      </form>
      <PinForm profile={profile} change={change} />
      <p class="buttons">
        {isDefault ? (
          <small>{t('profiles.isDefault')}</small>
        ) : (
          <>
            <Button act={() => change({ isDefault: true }, t('state.saved'))}>
              {t('profiles.makeDefault')}
            </Button>
            <Button kind="danger" act={remove}>
              <Icon name="trash" />
              {t('profiles.delete')}
            </Button>
          </>
        )}
      </p>
    </Dialog>
  );
}

function PictureOf({ profile: { id, name, avatarUrl } }: { readonly profile: Profile }) {
  const path = { id };
  async function upload(file: File | undefined): Promise<void> {
    if (file === undefined) return;
    let image: string;
    try {
      image = await smallPicture(file);
    } catch {
      say(t('profiles.noPicture', { name: file.name }));
      return;
    }
    await attempt(async () => {
      await call('put', '/api/profiles/{id}/avatar', { path, body: { image } });
      await reloadProfiles();
    }, t('state.saved'));
  }
  return (
    <div class="profile-picture">
      <Avatar name={name} url={avatarUrl} size={72} />
      <label class="button upload">
        <Icon name="photo" />
        {t('profiles.picture')}
        <input
          type="file"
          class="unseen"
          accept="image/*"
          onChange={({ currentTarget }) => void upload(currentTarget.files?.[0])}
        />
      </label>
      {avatarUrl !== null && (
        <Button
          act={() =>
            attempt(async () => {
              const body = { avatarUrl: null };
              await call('patch', '/api/profiles/{id}', { path, body });
              await reloadProfiles();
            }, t('state.saved'))
          }
        >
          {t('profiles.removePicture')}
        </Button>
      )}
    </div>
  );
}

function PinForm({
  profile: { hasPin },
  change,
}: {
  readonly profile: Profile;
  readonly change: (body: Resources['ProfileChanges'], done: string) => Promise<boolean>;
}) {
  const needsCurrent = hasPin && !isAdmin.value;
  async function submit(form: HTMLFormElement, isRemoved: boolean): Promise<void> {
    const currentPin = textOf(form, 'currentPin');
    const body = {
      pin: isRemoved ? null : textOf(form, 'pin'),
      ...(currentPin !== '' && { currentPin }),
    };
    const done = isRemoved ? t('profiles.pinRemoved') : t('profiles.pinSet');
    if (await change(body, done)) form.reset();
  }
  return (
    <form
      class="form pin-form"
      onSubmit={(event) => {
        event.preventDefault();
        const isRemoved = event.submitter?.getAttribute('value') === 'remove';
        void submit(event.currentTarget, isRemoved);
      }}
    >
      <h3>{t('profiles.pin')}</h3>
      <small>{t('profiles.pinText')}</small>
      {needsCurrent && <PinField name="currentPin" label={t('profiles.currentPin')} />}
      <PinField name="pin" label={t('profiles.newPin')} />
      <p class="buttons">
        <button type="submit" class="button">
          {hasPin ? t('profiles.changePin') : t('profiles.setPin')}
        </button>
        {hasPin && (
          <button type="submit" class="button danger" value="remove" formNoValidate>
            {t('profiles.removePin')}
          </button>
        )}
      </p>
    </form>
  );
}
