import { type OpenedVault, recoveryAuth, recoverySecret, withSecret } from '../../signing/index.ts';
import type { NewRecovery } from '../../service/web-api.ts';
import { post } from '../api.ts';
import { el } from '../../../../lib/page-kit/index.ts';
import { actionButton } from '../form.ts';
import { failedStep } from './failed-step.ts';
import { recoveryStep } from './secret-steps.ts';
import type { CardParts } from './standing.ts';

/** A new recovery code, in place of one that is lost or was seen by others. */
export const recoveryCard = (parts: CardParts): HTMLElement =>
  el(
    'div',
    {},
    el(
      'p',
      {},
      'It restores your access when all passkeys are lost. It cannot be shown again; you can create a new one, which makes the old one invalid.',
    ),
    actionButton('Create a new code', async () => {
      const { opened } = await parts.page.keys.unlock('change');
      void renew(parts, opened);
    }),
  );

async function renew({ page, changed }: CardParts, opened: OpenedVault): Promise<void> {
  const { place, keys, go } = page;
  place.classList.add('narrow');
  try {
    const code = await recoveryStep(place, 'Your new recovery code');
    const { vault } = await withSecret(opened, recoverySecret(code));
    const body: NewRecovery = { vault, recoveryAuth: await recoveryAuth(code) };
    await post('recovery', body);
    keys.forget();
    await changed('You have a new recovery code.');
  } catch (error) {
    failedStep(place, error, { again: () => go('/') });
  }
}
