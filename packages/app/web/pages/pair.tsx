import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { deviceName } from '../account/device-name.ts';
import { call, Refusal, type Resources } from '../core/api.ts';
import { t } from '../core/messages.ts';
import type { PageProps } from '../core/router.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { useTitle } from '../ui/title.ts';
import { errorText } from '../ui/words.ts';

type Device = Resources['WaitingDevice'];
type Step =
  | { readonly name: 'typing' | 'accepted' | 'refused' }
  | { readonly name: 'deciding'; readonly device: Device };

/** Lets a device in, such as a television: by the code that it shows. */
export default function Pair({ query }: PageProps) {
  useTitle(t('pair.title'));
  const code = useSignal(query.get('code') ?? '');
  const step = useSignal<Step>({ name: 'typing' });
  const problem = useSignal('');
  const isBusy = useSignal(false);

  async function attempt(act: () => Promise<Step>): Promise<void> {
    if (isBusy.value) return;
    isBusy.value = true;
    problem.value = '';
    try {
      step.value = await act();
    } catch (error) {
      const isUnknown = error instanceof Refusal && error.status === 404;
      problem.value = isUnknown ? t('pair.unknown') : errorText(error);
      step.value = { name: 'typing' };
    } finally {
      isBusy.value = false;
    }
  }
  const body = (): { readonly code: string } => ({ code: code.value.trim() });
  const look = (): Promise<void> =>
    attempt(async () => {
      const { device } = await call('post', '/api/auth/pairings/look', { body: body() });
      return { name: 'deciding', device };
    });
  // A code that was scanned stands in the address.
  useEffect(() => {
    if (code.peek() !== '') void look();
  }, []);

  return (
    <div class="page pair-page">
      <h1>{t('pair.title')}</h1>
      {problem.value !== '' && (
        <p class="problem" role="alert">
          {problem.value}
        </p>
      )}
      {step.value.name === 'typing' && (
        <form
          class="form"
          onSubmit={(event) => {
            event.preventDefault();
            void look();
          }}
        >
          <label>
            {t('pair.code')}
            <input
              class="pairing-code"
              name="code"
              value={code.value}
              onInput={({ currentTarget }) => (code.value = currentTarget.value)}
              autocomplete="off"
              autocapitalize="characters"
              spellcheck={false}
              maxLength={30}
              required
            />
          </label>
          <p class="fine">{t('pair.help')}</p>
          <button type="submit" class="button primary" disabled={isBusy.value}>
            {t('pair.next')}
          </button>
        </form>
      )}
      {step.value.name === 'deciding' && (
        <Decision
          device={step.value.device}
          isBusy={isBusy.value}
          accept={(name) =>
            void attempt(async () => {
              const named = name === '' ? {} : { deviceName: name };
              await call('post', '/api/auth/pairings/accept', { body: { ...body(), ...named } });
              return { name: 'accepted' };
            })
          }
          refuse={() =>
            void attempt(async () => {
              await call('post', '/api/auth/pairings/refuse', { body: body() });
              return { name: 'refused' };
            })
          }
        />
      )}
      {(step.value.name === 'accepted' || step.value.name === 'refused') && (
        <p role="status" class="done">
          <Icon name="check" />
          {t(`pair.${step.value.name}`)}
        </p>
      )}
    </div>
  );
}

interface DecisionProps {
  readonly device: Device;
  readonly isBusy: boolean;
  readonly accept: (name: string) => void;
  readonly refuse: () => void;
}

/** What the person sees of the device before it is let in. */
function Decision({ device, isBusy, accept, refuse }: DecisionProps) {
  const name = useSignal(device.deviceName ?? '');
  const shown = deviceName(device);
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        accept(name.value.trim());
      }}
    >
      <p>
        <bdi>
          <strong>{shown}</strong>
        </bdi>
        {device.address !== null && (
          <small class="address">{t('pair.from', { address: device.address })}</small>
        )}
      </p>
      <p>{t('pair.warning')}</p>
      <label>
        {t('pair.name')}
        <input
          name="deviceName"
          value={name.value}
          placeholder={shown}
          onInput={({ currentTarget }) => (name.value = currentTarget.value)}
          maxLength={100}
        />
      </label>
      <p class="buttons">
        <button type="submit" class="button primary" disabled={isBusy}>
          {t('pair.accept')}
        </button>
        <Button disabled={isBusy} onClick={refuse}>
          {t('pair.refuse')}
        </Button>
      </p>
    </form>
  );
}
