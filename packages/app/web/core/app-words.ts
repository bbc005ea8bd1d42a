/** The words of the app. */
import english from '../messages/en.json' with { type: 'json' };
import { setWords } from './messages.ts';

export const setAppWords = (): void =>
  setWords({
    english,
    others: { de: () => import('../messages/de.json', { with: { type: 'json' } }) },
    // Those for admins, of the account, and the readers.
    further: [
      {
        en: () => import('../messages/further/en.json', { with: { type: 'json' } }),
        de: () => import('../messages/further/de.json', { with: { type: 'json' } }),
      },
      {
        en: () => import('../messages/account/en.json', { with: { type: 'json' } }),
        de: () => import('../messages/account/de.json', { with: { type: 'json' } }),
      },
    ],
  });
