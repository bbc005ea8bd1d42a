import { form } from './form.ts';
import { buttonOf, el } from '../../../lib/page-kit/index.ts';

/**
 * Asks for the passphrase until `open` accepts one; rejects with an AbortError when it is
 * cancelled.
 */
export function askPassphrase<Opened>(open: (phrase: string) => Promise<Opened>): Promise<Opened> {
  return new Promise((resolve, reject) => {
    const dialog = el('dialog', { 'aria-labelledby': 'passphrase-title' });
    const cancel = buttonOf('Cancel');
    cancel.addEventListener('click', () => dialog.close());
    dialog.append(
      el('h2', { id: 'passphrase-title' }, 'Your passphrase'),
      el('p', {}, 'This passkey cannot open your vault. Enter your passphrase.'),
      form({
        name: 'unlock',
        fields: [
          {
            name: 'passphrase',
            label: 'Passphrase',
            attributes: { type: 'password', autocomplete: 'off', spellcheck: 'false' },
          },
        ],
        submit: 'Open the vault',
        send: async ({ passphrase = '' }) => {
          resolve(await open(passphrase));
          dialog.close();
        },
        further: [cancel],
      }),
    );
    dialog.addEventListener('close', () => {
      dialog.remove();
      reject(new DOMException('The passphrase was not entered.', 'AbortError'));
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
