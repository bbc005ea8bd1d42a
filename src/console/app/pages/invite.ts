import { openSession, post, takeFragment } from '../api.ts';
import { el, fill } from '../../../../packages/page-kit/index.ts';
import { form } from '../form.ts';
import { passwordField } from './password-field.ts';

/** The page of an invite, on which its holder chooses a name and a password. */
export async function invitePage(place: HTMLElement): Promise<void> {
  document.title = 'Invitation · Vitrine';
  const token = takeFragment('token');
  if (token === null) {
    fill(
      place,
      el('h1', {}, 'Invitation'),
      el('p', {}, 'Open the link of your invitation: it ends in #token=…'),
    );
    return;
  }
  const { invite } = await post<{ invite: { serverName: string } }>('/api/invites/look', { token });
  fill(
    place,
    el('h1', {}, `You are invited to ${invite.serverName}`),
    el('p', {}, 'Choose the name and the password with which you will sign in here.'),
    el(
      'div',
      { class: 'card' },
      form({
        name: 'invite',
        fields: [
          {
            name: 'name',
            label: 'Name',
            attributes: { autocomplete: 'username', maxlength: 100, autofocus: true },
          },
          passwordField,
        ],
        submit: 'Join',
        send: async ({ name, password }) => {
          await openSession('/api/invites/redeem', { token, name, password });
          location.replace('/');
        },
      }),
    ),
  );
}
