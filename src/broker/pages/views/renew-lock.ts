import {
  type OpenedVault,
  recoveryAuth,
  recoverySecret,
  rekeyed,
  type VaultSecret,
} from '../../signing/index.ts';
import type { NewRecovery } from '../../web-api.ts';
import { post, Refusal } from '../api.ts';
import { el, fill } from '../../../page-kit/index.ts';
import { actionButton } from '../form.ts';
import { givePassphrase } from '../keyring.ts';
import { secretOf } from '../passkeys.ts';
import { failedStep } from './failed-step.ts';
import { focusHeading, recoveryStep } from './secret-steps.ts';
import type { CardParts } from './standing.ts';

/**
 * Gives the vault a new vault key, which each passkey that stays has to be touched for. Whoever opened
 * an older vault, with a stolen passkey and an old copy of the broker's data, is shut out of all that
 * comes after: together with a change of the key, for good.
 */
export const renewLock = (parts: CardParts): HTMLElement =>
  el(
    'details',
    {},
    el('summary', {}, 'A passkey was stolen'),
    el(
      'p',
      {},
      'Remove it above. Then renew the lock of your vault, with all your other passkeys at hand; each is asked for once, and you get a new recovery code. At last change your key below. Whatever the thief had then opens nothing.',
    ),
    actionButton('Renew the lock', async () => {
      const { opened } = await parts.page.keys.unlock('change');
      void renew(parts, opened);
    }),
  );

async function renew({ page, changed }: CardParts, opened: OpenedVault): Promise<void> {
  const { place, keys, go } = page;
  try {
    place.classList.add('narrow');
    const secrets: VaultSecret[] = [];
    for (const { type, ref } of opened.vault.wraps) {
      if (type === 'prf') secrets.push(await touchStep(place, ref, secrets.length + 1));
      if (type === 'passphrase') secrets.push(await givePassphrase(opened));
    }
    const code = await recoveryStep(place, 'Your new recovery code');
    const { vault } = await rekeyed(opened, [...secrets, recoverySecret(code)]);
    const body: NewRecovery = { vault, recoveryAuth: await recoveryAuth(code) };
    await post('recovery', body);
    keys.forget();
    await changed('Your vault has a new lock.');
  } catch (error) {
    failedStep(place, error, { again: () => go('/') });
  }
}

/** A browser wants a click of its own for each use of a passkey. */
const touchStep = (
  place: HTMLElement,
  credentialId: string,
  number: number,
): Promise<VaultSecret> =>
  new Promise((resolve) => {
    fill(
      place,
      el('h1', { tabindex: -1 }, `Passkey ${number}`),
      el('p', {}, 'Have the device with this passkey at hand.'),
      actionButton(
        'Use it',
        async () => {
          const secret = await secretOf(location.hostname, credentialId);
          if (secret === null)
            throw new Refusal('no_secret', 'This passkey gave no secret. Try once more.');
          resolve(secret);
        },
        { class: 'primary' },
      ),
    );
    focusHeading(place);
  });
