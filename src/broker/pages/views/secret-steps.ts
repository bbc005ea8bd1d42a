/** Steps in which somebody gets a secret that only they will have. Each ends when they have it safe. */
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
import { announce, el, fill } from '../../../page-kit/index.ts';
import { actionButton, form } from '../form.ts';

const confirmedLetters = 6;

/** Shows a new recovery code, once, and goes on with it when its end was typed. */
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
        'With this code you come back in when all your passkeys are lost. It is shown this once. Nobody can give it to you again, and whoever has it can take your identity: write it down, or keep it in a password manager.',
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
            hint: 'So that you know that you have it.',
            attributes: { autocomplete: 'off', autocapitalize: 'characters', spellcheck: 'false' },
          },
        ],
        submit: 'I have kept it',
        send: async ({ end = '' }) => {
          if (!isEndOf(code, end))
            throw new Refusal('code_unconfirmed', 'That is not how the code above ends.');
          resolve(code);
        },
      }),
    );
    focusHeading(place);
  });
}

/** The end of the code, however it is typed; all of it will do, too. */
function isEndOf(code: string, typed: string): boolean {
  const start = code.slice(0, -confirmedLetters);
  return parseRecoveryCode(start + typed) === code || parseRecoveryCode(typed) === code;
}

/** Shows a new passphrase, or takes one that is hard to guess; goes on when it was typed. */
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
        'This passkey signs you in, but gives no secret to open your vault with. A passphrase does: these six words, which you type when something is to be signed. Write them down; they never leave this browser.',
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
        fields: [typed('typed', 'Type them once more')],
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
              hint: 'Whoever steals the broker’s data can try phrases as long as they like, so it must be hard to guess: several words that belong to nothing.',
            },
            typed('second', 'Your own passphrase, once more'),
          ],
          submit: 'Use my own',
          send: async ({ first = '', second = '' }) => {
            if (squeeze(first) !== squeeze(second))
              throw new Refusal('phrase_unconfirmed', 'The two are not the same.');
            if (!(await isStrongPassphrase(first, known)))
              throw new Refusal(
                'phrase_weak',
                'This is too easy to guess. Take more words, or the six above.',
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
  ...{ name, label },
  attributes: { autocomplete: 'off', autocapitalize: 'none', spellcheck: 'false' },
});

const squeeze = (text: string): string => text.trim().replace(/\s+/g, ' ');

const heading = (title: string): HTMLElement => el('h1', { tabindex: -1 }, title);

/** A new step begins where its heading is. */
export const focusHeading = (place: HTMLElement): void =>
  place.querySelector<HTMLElement>('h1')?.focus();
