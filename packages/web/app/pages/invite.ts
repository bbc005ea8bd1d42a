import { openSession, post, takeFragment } from '../api.ts';
import { el, fill } from '../../../page-kit/index.ts';
import { form } from '../form.ts';
import { t } from '../words.ts';
import { passwordField } from './password-field.ts';

/** The page of an invite, on which its holder chooses a name and a password. */
export async function invitePage(place: HTMLElement): Promise<void> {
  document.title = `${t('invite.title')} · Vitrine`;
  const token = takeFragment('token');
  if (token === null) {
    fill(place, el('h1', {}, t('invite.title')), el('p', {}, t('invite.openLink')));
    return;
  }
  const { invite } = await post<{ invite: { serverName: string } }>('/api/invites/look', { token });
  fill(
    place,
    el('h1', {}, t('invite.to', { server: invite.serverName })),
    el('p', {}, t('invite.text')),
    el(
      'div',
      { class: 'card' },
      form({
        name: 'invite',
        fields: [
          {
            name: 'name',
            label: t('field.name'),
            attributes: { autocomplete: 'username', maxlength: 100, autofocus: true },
          },
          passwordField(),
        ],
        submit: t('invite.join'),
        send: async ({ name, password }) => {
          await openSession('/api/invites/redeem', { token, name, password });
          location.replace('/');
        },
      }),
    ),
  );
}
