import {
  type OpenedVault,
  openVault,
  parseRecoveryCode,
  recoveryAuth,
  recoverySecret,
  withSecret,
} from '../../signing/index.ts';
import type { RecoverVerify, Recovery, SignedIn } from '../../service/web-api.ts';
import { post, Refusal } from '../api.ts';
import { brokerClock } from '../broker-clock.ts';
import { el, fill } from '../../../../lib/page-kit/index.ts';
import { form } from '../form.ts';
import { makePasskey, type Touched } from '../passkeys.ts';
import type { PageParts } from '../page.ts';
import { failedStep } from './failed-step.ts';
import { focusHeading, passphraseStep, recoveryStep } from './secret-steps.ts';

/** Recovers an account with its recovery code, and creates a new passkey and a new code. */
export async function recoverView(parts: PageParts): Promise<void> {
  const { place } = parts;
  document.title = 'Recover · Vitrine identity';
  place.classList.add('narrow');
  fill(
    place,
    el('h1', { tabindex: -1 }, 'Recover your identity'),
    el(
      'p',
      {},
      'Your recovery code opens your vault in this browser. You get a new passkey and a new code; the old code is then invalid.',
    ),
    el(
      'div',
      { class: 'card' },
      form({
        name: 'recover',
        fields: [
          {
            name: 'handle',
            label: 'Name',
            attributes: { maxlength: 64, autocomplete: 'username' },
          },
          {
            name: 'code',
            label: 'Recovery code',
            hint: '26 letters and digits. Spaces and dashes do not matter.',
            attributes: { autocomplete: 'off', autocapitalize: 'characters', spellcheck: 'false' },
          },
        ],
        submit: 'Continue, and create a passkey',
        send: async ({ handle = '', code = '' }) => {
          const parsed = parseRecoveryCode(code);
          if (parsed === null)
            throw new Refusal('code_malformed', 'A recovery code has 26 letters and digits.');
          await begin(parts, handle.trim().normalize('NFC'), parsed);
        },
        further: [el('p', { class: 'below' }, el('a', { href: '/' }, 'I do have a passkey'))],
      }),
    ),
  );
}

async function begin(parts: PageParts, handle: string, code: string): Promise<void> {
  const auth = await recoveryAuth(code);
  const recovery = await post<Recovery>('recover', { handle, auth });
  const { account, vault, options } = recovery;
  const secret = recoverySecret(code);
  const opened = await openVault(vault, { account, secret, purpose: 'change' });
  if (typeof opened === 'string')
    throw new Refusal(
      opened,
      'The broker accepted this code, but the code does not open the vault that it sent. The vault was changed or is another one; nothing was signed.',
    );
  void finish(parts, { recovery, opened, touched: await makePasskey(options) });
}

interface Returned {
  readonly recovery: Recovery;
  readonly opened: OpenedVault;
  readonly touched: Touched;
}

async function finish(
  parts: PageParts,
  { recovery: { account }, opened, touched }: Returned,
): Promise<void> {
  const { place, keys, go } = parts;
  const { credential, credentialId } = touched;
  try {
    const secret =
      touched.secret ?? (await passphraseStep(place, 'A new passphrase', [account.handle]));
    const code = await recoveryStep(place, 'Your new recovery code');
    const one = await withSecret(opened, secret);
    const both = await withSecret(one, recoverySecret(code));
    const body: RecoverVerify = {
      credential,
      vault: both.vault,
      recoveryAuth: await recoveryAuth(code),
    };
    const { now } = await post<SignedIn>('recover/verify', body);
    keys.keep(account, both, brokerClock(now));
    go('/');
  } catch (error) {
    failedStep(place, error, { credentialId, again: () => void recoverView(parts) });
    focusHeading(place);
  }
}
