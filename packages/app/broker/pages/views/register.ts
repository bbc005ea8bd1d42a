import {
  createVault,
  recoveryAuth,
  recoverySecret,
  type VaultSecret,
} from '../../signing/index.ts';
import type { RegisterOptions, RegisterVerify, SignedIn } from '../../service/web-api.ts';
import { post } from '../api.ts';
import { brokerClock } from '../broker-clock.ts';
import { el, fill } from '../../../../lib/page-kit/index.ts';
import { form } from '../form.ts';
import { makePasskey, type Touched } from '../passkeys.ts';
import type { SignInParts } from '../page.ts';
import { failedStep } from './failed-step.ts';
import { focusHeading, passphraseStep, recoveryStep } from './secret-steps.ts';

/**
 * Creates an identity: a passkey, a key pair in this browser, and a vault that the passkey and a
 * recovery code open. Nothing is stored until there are two ways to open the vault.
 */
export function registerView(parts: SignInParts): void {
  const { place } = parts;
  fill(
    place,
    el('h1', { tabindex: -1 }, 'Create an identity'),
    el(
      'p',
      {},
      'Your device creates a passkey and may ask for it twice: once to create it, and once to test that it opens the vault.',
    ),
    el(
      'div',
      { class: 'card' },
      form({
        name: 'register',
        fields: [
          {
            name: 'handle',
            label: 'Name',
            hint: 'You need it again only together with your recovery code.',
            attributes: { maxlength: 64, autocomplete: 'username webauthn', spellcheck: 'false' },
          },
        ],
        submit: 'Create a passkey',
        send: async ({ handle = '' }) => {
          const name = handle.trim().normalize('NFC');
          const { userId, options } = await post<RegisterOptions>('register/options', {
            handle: name,
          });
          const touched = await makePasskey(options);
          void enrol(parts, { userId, handle: name, touched });
        },
        further: [el('p', { class: 'below' }, el('a', { href: '/' }, 'I have an identity'))],
      }),
    ),
  );
  focusHeading(place);
}

interface NewAccount {
  readonly userId: string;
  readonly handle: string;
  readonly touched: Touched;
}

async function enrol(parts: SignInParts, { userId, handle, touched }: NewAccount): Promise<void> {
  const { place, keys, then } = parts;
  const { credentialId, credential } = touched;
  try {
    const secret: VaultSecret =
      touched.secret ?? (await passphraseStep(place, 'Your passphrase', [handle]));
    const code = await recoveryStep(place, 'Your recovery code');
    fill(place, el('p', { role: 'status' }, 'Creating your key …'));
    const opened = await createVault(userId, [secret, recoverySecret(code)]);
    const body: RegisterVerify = {
      userId,
      handle,
      credential,
      userPubKey: opened.identity.userPubKey,
      vault: opened.vault,
      recoveryAuth: await recoveryAuth(code),
    };
    const { account, now } = await post<SignedIn>('register/verify', body);
    keys.keep(account, opened, brokerClock(now));
    await then(account);
  } catch (error) {
    failedStep(place, error, { credentialId, again: () => registerView(parts) });
  }
}
