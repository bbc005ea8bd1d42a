import {
  withoutPasskey,
  withSecret,
  type OpenedVault,
  type VaultSecret,
} from '../../signing/index.ts';
import type { AddPasskey, CreationOptionsJson, PasskeyView } from '../../service/web-api.ts';
import { post } from '../api.ts';
import { el } from '../../../../lib/page-kit/index.ts';
import { actionButton, confirmButton } from '../form.ts';
import { makePasskey, type Touched } from '../passkeys.ts';
import { ago } from '../when.ts';
import { failedStep } from './failed-step.ts';
import { renewLock } from './renew-lock.ts';
import { passphraseStep } from './secret-steps.ts';
import type { CardParts } from './standing.ts';

/** The passkeys of the user, and which of them can open the vault. */
export function passkeysCard(parts: CardParts): HTMLElement {
  const { passkeys, vault } = parts.standing;
  const hasPhrase = vault.wraps.some(({ type }) => type === 'passphrase');
  return el(
    'div',
    {},
    el(
      'ul',
      { class: 'list' },
      passkeys.map((passkey, index) => passkeyRow(parts, passkey, index)),
    ),
    hasPhrase && el('p', { class: 'quiet' }, 'Your passphrase opens your vault, too.'),
    el('p', { class: 'quiet' }, 'Add two, on different devices: then you can lose one.'),
    actionButton('Add a passkey', () => add(parts)),
    passkeys.length > 0 && renewLock(parts),
  );
}

function passkeyRow(parts: CardParts, passkey: PasskeyView, index: number): HTMLElement {
  const { vault, now, passkeys } = parts.standing;
  const { id, createdAt, lastUsedAt, backedUp } = passkey;
  const opens = vault.wraps.some(({ type, ref }) => type === 'prf' && ref === id);
  const name = `Passkey ${index + 1}`;
  return el(
    'li',
    {},
    el(
      'div',
      { class: 'about' },
      el('strong', {}, name),
      el('span', {}, backedUp ? 'synced between your devices' : 'on one device'),
      el(
        'small',
        {},
        `Made ${ago(createdAt, now)}, ${lastUsedAt === null ? 'not used yet' : `last used ${ago(lastUsedAt, now)}`}. `,
        opens ? 'Opens your vault.' : 'Signs in only; your passphrase opens your vault.',
      ),
    ),
    passkeys.length > 1 &&
      confirmButton({
        label: 'Remove',
        of: name,
        question:
          'It will no longer sign you in. If it was stolen, continue with the steps below: with an old copy of the broker’s data it could still open your vault.',
        yes: 'Remove it',
        act: async () => {
          const { opened, account, clock } = await parts.page.keys.unlock('sign');
          const less = await withoutPasskey(opened, id);
          await post(`passkeys/${encodeURIComponent(id)}/remove`, { vault: less.vault });
          parts.page.keys.keep(account, less, clock);
          await parts.changed(`${name} was removed.`);
        },
      }),
  );
}

/**
 * An existing passkey opens the vault. Then the new one gets its own wrap, or uses the passphrase
 * when it has no secret.
 */
async function add(parts: CardParts): Promise<void> {
  const { opened } = await parts.page.keys.unlock('change');
  const { options } = await post<{ readonly options: CreationOptionsJson }>('passkeys/options');
  const touched = await makePasskey(options);
  void enrol(parts, opened, touched);
}

async function enrol(parts: CardParts, opened: OpenedVault, touched: Touched): Promise<void> {
  const { page, changed, standing } = parts;
  const { credential, credentialId } = touched;
  try {
    const secret = touched.secret ?? (await phraseFor(page.place, opened, standing.account.handle));
    const next = secret === null ? opened : await withSecret(opened, secret);
    const body: AddPasskey = { credential, vault: next.vault };
    await post('passkeys/verify', body);
    page.keys.forget();
    await changed('A passkey was added.');
  } catch (error) {
    failedStep(page.place, error, { credentialId, again: () => page.go('/') });
  }
}

/** A passphrase for a vault that has none; `null` when it has one, which is kept. */
async function phraseFor(
  place: HTMLElement,
  { vault }: OpenedVault,
  handle: string,
): Promise<VaultSecret | null> {
  if (vault.wraps.some(({ type }) => type === 'passphrase')) return null;
  place.classList.add('narrow');
  return passphraseStep(place, 'A passphrase', [handle]);
}
