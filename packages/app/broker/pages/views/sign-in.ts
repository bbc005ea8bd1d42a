import { el, fill } from '../../../../lib/page-kit/index.ts';
import { actionButton } from '../form.ts';
import type { SignInParts } from '../page.ts';

/** The view without a session. */
export function signInView({ place, keys, purpose, then }: SignInParts): void {
  place.classList.add('narrow');
  fill(
    place,
    el('h1', {}, purpose === undefined ? 'Your identity' : 'Sign in'),
    el(
      'p',
      {},
      purpose ??
        'One passkey for all your media servers. Your key is created in your browser, and is stored here only in a form that nobody but you can open.',
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
