import {
  fingerprint,
  type OpenedVault,
  rotate,
  signKeyRevoked,
  type SortedClients,
} from '../../signing/index.ts';
import type { Account, RecordsBody } from '../../service/web-api.ts';
import { post } from '../api.ts';
import { el } from '../../../../lib/page-kit/index.ts';
import { confirmButton } from '../form.ts';
import type { CardParts } from './standing.ts';

const nobody: SortedClients = { own: [], strange: [] };

/** The user's key: its fingerprint, and the ways to replace it. */
export async function keyCard(parts: CardParts): Promise<HTMLElement> {
  const { userPubKey } = parts.standing.account;
  return el(
    'div',
    {},
    el('p', {}, 'Servers show this fingerprint when they are linked to you.'),
    el('p', { class: 'secret', id: 'fingerprint' }, await fingerprint(userPubKey)),
    el(
      'ul',
      { class: 'list' },
      el(
        'li',
        {},
        el(
          'div',
          { class: 'about' },
          el('strong', {}, 'Change the key'),
          el(
            'small',
            {},
            'Your devices and servers switch to a new key automatically; servers on which you are an admin must be linked again.',
          ),
        ),
        confirmButton({
          label: 'Change',
          of: 'the key',
          question: 'A new key replaces this one.',
          yes: 'Change the key',
          act: async () => {
            await toNewKey(parts, parts.standing.sorted);
            await parts.changed('You have a new key.');
          },
        }),
      ),
      el(
        'li',
        {},
        el(
          'div',
          { class: 'about' },
          el('strong', {}, 'This key is compromised'),
          el(
            'small',
            {},
            'Another person can sign with it. Every app is signed out on every server, permanently, and you must link each server and pair each app again.',
          ),
        ),
        confirmButton({
          label: 'Revoke the key',
          of: 'it is compromised',
          question: 'This cannot be undone.',
          yes: 'Revoke it permanently',
          act: async () => {
            const { opened, clock } = await parts.page.keys.unlock('sign');
            const record = await signKeyRevoked(opened.identity, clock.toSignBy());
            const body: RecordsBody = { records: [record], lists: [] };
            await post('records', body);
            await toNewKey(parts, nobody);
            await parts.changed(
              'The old key is revoked, and you have a new one. Link your servers again.',
            );
          },
        }),
      ),
    ),
  );
}

/** Creates a new key, and signs with it for the remaining clients. */
async function toNewKey(
  { page, standing: { servers, records } }: CardParts,
  clients: SortedClients,
): Promise<OpenedVault> {
  const { opened, account, clock } = await page.keys.unlock('sign');
  const now = clock.toSignBy();
  const { body, opened: next } = await rotate(opened, { clients, servers, records, now });
  await post('rotate', body);
  const changed: Account = { ...account, userPubKey: next.identity.userPubKey };
  page.keys.keep(changed, next, clock);
  return next;
}
