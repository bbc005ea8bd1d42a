import { openSession, takeFragment } from '../api.ts';
import { el, fill } from '../../../../packages/page-kit/index.ts';
import { form } from '../form.ts';
import { passwordField } from './password-field.ts';

/** The first page: the holder of the setup link becomes the admin. */
export async function setupPage(place: HTMLElement): Promise<void> {
  document.title = 'Set up Vitrine';
  const token = takeFragment('token');
  if (token === null) {
    fill(
      place,
      el('h1', {}, 'Set up Vitrine'),
      el(
        'p',
        {},
        'Open the link that the server printed when it started: it ends in #token=… and works once.',
      ),
      el('p', {}, 'Is the server set up already? ', el('a', { href: '/sign-in' }, 'Sign in')),
    );
    return;
  }
  fill(
    place,
    el('h1', {}, 'Set up Vitrine'),
    el('p', {}, 'Choose the name and the password of the admin of this server.'),
    el(
      'div',
      { class: 'card' },
      form({
        name: 'setup',
        fields: [
          {
            name: 'name',
            label: 'Name',
            attributes: { autocomplete: 'username', maxlength: 100, autofocus: true },
          },
          passwordField,
        ],
        submit: 'Create the admin',
        send: async ({ name, password }) => {
          await openSession('/api/setup', { token, name, password });
          location.replace('/libraries');
        },
      }),
    ),
  );
}
