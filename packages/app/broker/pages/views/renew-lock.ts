import {
  type OpenedVault,
  recoveryAuth,
  recoverySecret,
  withNewVaultKey,
  type VaultSecret,
} from '../../signing/index.ts';
import type { NewRecovery } from '../../service/web-api.ts';
import { post, Refusal } from '../api.ts';
import { el, fill } from '../../../../lib/page-kit/index.ts';
import { actionButton } from '../form.ts';
import { givePassphrase } from '../keyring.ts';
import { secretOf } from '../passkeys.ts';
import { failedStep } from './failed-step.ts';
import { focusHeading, recoveryStep } from './secret-steps.ts';
import type { CardParts } from './standing.ts';

/**
 * Gives the vault a new vault key; each remaining passkey must be used once. An attacker with a
 * stolen passkey and an old copy of the broker's data can open the old vault, but no later one.
 * Together with a change of the identity key this excludes the attacker permanently.
 */
export const renewLock = (parts: CardParts): HTMLElement =>
  el(
    'details',
    {},
    el('summary', {}, 'A passkey was stolen'),
    el(
      'p',
      {},
      'Remove it above. Then renew the lock of your vault, with all your other passkeys at hand: each is needed once, and you get a new recovery code. Finally change your key below. The stolen passkey then opens nothing.',
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
    const { vault } = await withNewVaultKey(opened, [...secrets, recoverySecret(code)]);
    const body: NewRecovery = { vault, recoveryAuth: await recoveryAuth(code) };
    await post('recovery', body);
    keys.forget();
    await changed('Your vault has a new lock.');
  } catch (error) {
    failedStep(place, error, { again: () => go('/') });
  }
}

/** A browser requires a click for each use of a passkey. */
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
            throw new Refusal('no_secret', 'This passkey gave no secret. Try again.');
          resolve(secret);
        },
        { class: 'primary' },
      ),
    );
    focusHeading(place);
  });
