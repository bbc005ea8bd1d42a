import { el, fill } from '../../../page-kit/index.ts';
import { actionButton } from '../form.ts';
import type { SignInParts } from '../page.ts';

/** What somebody sees who is not signed in. */
export function signInView({ place, keys, purpose, then }: SignInParts): void {
  place.classList.add('narrow');
  fill(
    place,
    el('h1', {}, purpose === undefined ? 'Your identity' : 'Sign in'),
    el(
      'p',
      {},
      purpose ??
        'One passkey for all your media servers. Your key is made in your browser, and is kept here only in a form that nobody but you can open.',
    ),
    el(
      'div',
      { class: 'card stack' },
      actionButton('Sign in with a passkey', async () => then(await keys.signIn()), {
        class: 'primary wide',
      }),
      actionButton(
        'Create an identity',
        async () => {
          const { registerView } = await import('./register.ts');
          registerView({ place, keys, then });
        },
        { class: 'wide' },
      ),
      el('a', { href: '/recover' }, 'I have lost my passkeys'),
    ),
  );
}
