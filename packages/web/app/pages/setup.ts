import { openSession, Refusal, takeFragment } from '../api.ts';
import { el, fill } from '../../../page-kit/index.ts';
import { form } from '../form.ts';
import { t } from '../words.ts';
import { passwordField } from './password-field.ts';

/** The first page: the holder of the setup link becomes the admin. */
export async function setupPage(place: HTMLElement): Promise<void> {
  document.title = t('setup.title');
  const token = takeFragment('token');
  if (token === null) {
    fill(
      place,
      el('h1', {}, t('setup.title')),
      el('p', {}, t('setup.openLink')),
      el('p', {}, t('setup.done'), el('a', { href: '/sign-in' }, t('signIn.title'))),
    );
    return;
  }
  fill(
    place,
    el('h1', {}, t('setup.title')),
    el('p', {}, t('setup.text')),
    el(
      'div',
      { class: 'card' },
      form({
        name: 'setup',
        fields: [
          {
            name: 'name',
            label: t('field.name'),
            attributes: { autocomplete: 'username', maxlength: 100, autofocus: true },
          },
          passwordField(),
        ],
        submit: t('setup.create'),
        send: async ({ name, password }) => {
          await openSession('/api/setup', { token, name, password }).catch((error: unknown) => {
            const isDone = error instanceof Refusal && error.status === 409;
            throw isDone ? new Refusal(409, t('setup.already'), error.code) : error;
          });
          location.replace('/libraries');
        },
      }),
    ),
  );
}
