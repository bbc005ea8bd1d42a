/**
 * Steps in which a user receives a secret that only they will have. Each ends when the user has
 * stored it.
 */
import {
  createPassphrase,
  createRecoveryCode,
  groupRecoveryCode,
  isStrongPassphrase,
  newPassphraseSecret,
  parseRecoveryCode,
  type VaultSecret,
} from '../../signing/index.ts';
import { Refusal } from '../api.ts';
import { announce, el, fill } from '../../../../lib/page-kit/index.ts';
import { actionButton, form } from '../form.ts';

const confirmedLetters = 6;

/** Shows a new recovery code, once, and continues when the user has typed its end. */
export function recoveryStep(place: HTMLElement, title: string): Promise<string> {
  const code = createRecoveryCode();
  const shown = groupRecoveryCode(code);
  return new Promise((resolve) => {
    fill(
      place,
      heading(title),
      el(
        'p',
        {},
        'With this code you regain access when all your passkeys are lost. It is shown only once and cannot be restored. Anyone who has it can take over your identity: write it down, or store it in a password manager.',
      ),
      el(
        'p',
        { class: 'secret', id: 'recovery-code', tabindex: 0, 'aria-label': 'Recovery code' },
        shown,
      ),
      actionButton('Copy it', async () => {
        await navigator.clipboard.writeText(shown);
        announce('The recovery code was copied.');
      }),
      form({
        name: 'recovery',
        fields: [
          {
            name: 'end',
            label: `Its last ${confirmedLetters} letters and digits`,
            hint: 'This confirms that you have it.',
            attributes: { autocomplete: 'off', autocapitalize: 'characters', spellcheck: 'false' },
          },
        ],
        submit: 'I have stored it',
        send: async ({ end = '' }) => {
          if (!isEndOf(code, end))
            throw new Refusal(
              'code_unconfirmed',
              'These are not the last characters of the code above.',
            );
          resolve(code);
        },
      }),
    );
    focusHeading(place);
  });
}

/** Whether the text is the end of the code, in any spelling; the whole code is accepted too. */
function isEndOf(code: string, typed: string): boolean {
  const start = code.slice(0, -confirmedLetters);
  return parseRecoveryCode(start + typed) === code || parseRecoveryCode(typed) === code;
}

/**
 * Shows a new passphrase, or accepts one that is hard to guess; continues when it was typed again.
 */
export async function passphraseStep(
  place: HTMLElement,
  title: string,
  known: readonly string[],
): Promise<VaultSecret> {
  const phrase = await createPassphrase();
  return new Promise((resolve) => {
    const use = async (chosen: string): Promise<void> => {
      resolve(await newPassphraseSecret(chosen));
    };
    fill(
      place,
      heading(title),
      el(
        'p',
        {},
        'This passkey signs you in, but cannot open your vault. A passphrase can: these six words, which you type when a signature is needed. Write them down; they never leave this browser.',
      ),
      el(
        'p',
        { class: 'secret', id: 'passphrase', tabindex: 0, 'aria-label': 'Passphrase' },
        phrase,
      ),
      actionButton('Other words', async () => {
        void passphraseStep(place, title, known).then(resolve);
      }),
      form({
        name: 'phrase',
        fields: [typed('typed', 'Type them again')],
        submit: 'Use these words',
        send: async ({ typed: again = '' }) => {
          if (squeeze(again) !== phrase)
            throw new Refusal('phrase_unconfirmed', 'These are not the words above.');
          await use(phrase);
        },
      }),
      el(
        'details',
        {},
        el('summary', {}, 'Choose my own'),
        form({
          name: 'own',
          fields: [
            {
              ...typed('first', 'Your own passphrase'),
              hint: 'A thief of the broker’s data can try any number of phrases, so it must be hard to guess: several unrelated words.',
            },
            typed('second', 'Your own passphrase, again'),
          ],
          submit: 'Use my own',
          send: async ({ first = '', second = '' }) => {
            if (squeeze(first) !== squeeze(second))
              throw new Refusal('phrase_unconfirmed', 'The two are not the same.');
            if (!(await isStrongPassphrase(first, known)))
              throw new Refusal(
                'phrase_weak',
                'This is too easy to guess. Use more words, or the six above.',
              );
            await use(first);
          },
        }),
      ),
    );
    focusHeading(place);
  });
}

const typed = (name: string, label: string) => ({
  name,
  label,
  attributes: { autocomplete: 'off', autocapitalize: 'none', spellcheck: 'false' },
});

const squeeze = (text: string): string => text.trim().replace(/\s+/g, ' ');

const heading = (title: string): HTMLElement => el('h1', { tabindex: -1 }, title);

/** Moves the focus to the heading of the new step. */
export const focusHeading = (place: HTMLElement): void =>
  place.querySelector<HTMLElement>('h1')?.focus();
