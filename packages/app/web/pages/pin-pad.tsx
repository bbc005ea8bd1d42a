import { useSignal } from '@preact/signals';
import { call } from '../core/api.ts';
import { t } from '../core/messages.ts';
import { chooseProfile, profile, viewer } from '../core/session.ts';
import { signOut } from '../downloads/sign-out.ts';
import { Icon } from '../ui/icon.tsx';
import { attempt } from '../ui/toast.tsx';
import { errorText } from '../ui/words.ts';
import { useTitle } from '../ui/title.ts';

const [shortest, longest] = [4, 8];

/** Asks for the PIN of the profile, by keys, touch or remote control. */
export function PinPad() {
  const pin = useSignal('');
  const problem = useSignal('');
  const isBusy = useSignal(false);
  const id = viewer.value?.profileId;
  useTitle(t('pin.title'));

  async function unlock(): Promise<void> {
    if (id === undefined || pin.value.length < shortest || isBusy.value) return;
    isBusy.value = true;
    try {
      await call('post', '/api/profiles/{id}/unlock', { path: { id }, body: { pin: pin.value } });
      await chooseProfile(id);
    } catch (error) {
      problem.value = errorText(error);
      pin.value = '';
    } finally {
      isBusy.value = false;
    }
  }
  const press = (digit: string): void => {
    if (pin.value.length < longest) pin.value += digit;
  };
  return (
    <form
      class="pin-pad"
      onSubmit={(event) => {
        event.preventDefault();
        void unlock();
      }}
    >
      <h1>{t('pin.title')}</h1>
      <p>{t('pin.text', { name: profile.value?.name ?? '' })}</p>
      <input
        type="password"
        inputMode="numeric"
        autocomplete="off"
        maxLength={longest}
        aria-label={t('pin.label')}
        value={pin.value}
        onInput={({ currentTarget }) => (pin.value = currentTarget.value.replace(/\D/g, ''))}
      />
      <p class="pin-problem" role="alert">
        {problem.value}
      </p>
      <div class="digits">
        {['1', '2', '3', '4', '5', '6', '7', '8', '9'].map((digit) => (
          <button type="button" key={digit} onClick={() => press(digit)}>
            {digit}
          </button>
        ))}
        <button
          type="button"
          aria-label={t('pin.erase')}
          onClick={() => (pin.value = pin.value.slice(0, -1))}
        >
          <Icon name="left" />
        </button>
        <button type="button" onClick={() => press('0')}>
          0
        </button>
        <button
          type="submit"
          aria-label={t('pin.unlock')}
          disabled={pin.value.length < shortest || isBusy.value}
        >
          <Icon name="check" />
        </button>
      </div>
      <p class="pin-ways">
        <a class="link" href="/profiles">
          {t('pin.otherProfile')}
        </a>
        <button type="button" class="link" onClick={() => void attempt(signOut)}>
          {t('action.signOut')}
        </button>
      </p>
    </form>
  );
}
