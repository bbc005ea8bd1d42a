import { call, get, post, type Me } from '../api.ts';
import { announce, el, fill, type Child } from '../../../../packages/page-kit/index.ts';
import { actionButton, form } from '../form.ts';

interface Link {
  readonly id: string;
  readonly userId: string;
  readonly state: 'pending' | 'approved' | 'failed' | 'active' | 'relink_required';
  readonly identityUrl: string;
  readonly linkUrl: string | null;
  readonly failure: 'denied' | 'expired' | 'refused' | null;
  readonly fingerprint: string | null;
  readonly linkedAt: string | null;
}

/** The links that the user may see, and the data of this server for the broker. */
export interface Links {
  readonly links: readonly Link[];
  readonly identityUrl: string | null;
  readonly serverFingerprint: string;
}

const path = '/api/identity/links';
const pollMs = 2500;

export const getLinks = (): Promise<Links> => get<Links>(path);

/** Links an identity with which apps sign in as this user, shows it and unlinks it. */
export function identityPart(found: Links, me: Me): HTMLElement {
  const place = el('div', {});
  show(found);
  return place;

  function show(current: Links): void {
    const own = current.links.filter(({ userId }) => userId === me.user.id);
    const begun = own.filter(({ linkUrl }) => linkUrl !== null);
    const confirmed = own.filter(({ linkUrl }) => linkUrl === null);
    const isWaiting = begun.some(({ state }) => state === 'pending');
    fill(
      place,
      own.length === 0 &&
        el(
          'p',
          {},
          'Link an identity, and apps that you approve with it sign in here as you, without your password.',
        ),
      confirmed.length > 0 && el('ul', { class: 'list' }, confirmed.map(linked)),
      begun.map((link) => beginning(link, current.serverFingerprint)),
      begun.every(({ state }) => state === 'failed') && linkForm(current, confirmed.length === 0),
    );
    if (isWaiting) setTimeout(() => void poll(), pollMs);
  }

  async function again(): Promise<void> {
    show(await getLinks());
  }

  /** Stops when the user has left the page; retries when the server does not answer. */
  async function poll(): Promise<void> {
    if (!place.isConnected) return;
    await again().catch(() => setTimeout(() => void poll(), pollMs));
    const approved = place.querySelector('[data-state=approved]');
    if (approved) announce('Your identity asks to be linked. Compare its fingerprint.');
  }

  function linked({ id, fingerprint, identityUrl, linkedAt, state }: Link): HTMLElement {
    const since = linkedAt === null ? '' : new Date(linkedAt).toLocaleDateString();
    return el(
      'li',
      {},
      el(
        'span',
        {},
        el('code', {}, fingerprint),
        el('br'),
        el('small', {}, `${new URL(identityUrl).host} · linked on ${since}`),
        state === 'relink_required' && el('p', {}, 'It has a new key. Link it again to use it.'),
      ),
      actionButton('Unlink', () => remove(id), {
        class: 'danger',
        'aria-label': `Unlink the identity ${fingerprint ?? ''}`,
      }),
    );
  }

  async function remove(id: string): Promise<void> {
    await call('DELETE', `${path}/${encodeURIComponent(id)}`);
    await again();
  }

  function beginning(link: Link, serverFingerprint: string): HTMLElement {
    const about = { 'data-state': link.state };
    switch (link.state) {
      case 'failed':
        return el('div', about, el('p', { class: 'problem' }, whyFailed(link)));
      case 'approved':
        return el('div', about, approved(link));
      case 'pending':
        return el('div', about, waiting(link, serverFingerprint));
      case 'active':
      case 'relink_required':
        return linked(link);
    }
  }

  function waiting({ id, linkUrl }: Link, serverFingerprint: string): readonly Child[] {
    return [
      el(
        'p',
        {},
        'Approve the link on the page of the identity broker. It must show this server as',
      ),
      el('p', {}, el('code', { class: 'fingerprint' }, serverFingerprint)),
      el(
        'p',
        {},
        el(
          'a',
          { href: linkUrl, target: '_blank', rel: 'noopener' },
          'Open the page of the broker',
        ),
      ),
      actionButton('Cancel', () => remove(id)),
    ];
  }

  function approved({ id, fingerprint }: Link): readonly Child[] {
    return [
      el(
        'p',
        {},
        'This identity asks to be linked to your account. Is it yours? Compare the fingerprint with that on the page of the broker:',
      ),
      el('p', {}, el('code', { class: 'fingerprint' }, fingerprint)),
      el(
        'div',
        { class: 'row' },
        actionButton(
          'It is the same: link it',
          async () => {
            await post(`${path}/${encodeURIComponent(id)}/confirm`, { fingerprint });
            announce('The identity was linked.');
            await again();
          },
          { class: 'primary' },
        ),
        actionButton('It is different', () => remove(id), { class: 'danger' }),
      ),
    ];
  }

  function linkForm({ identityUrl }: Links, isFirst: boolean): Child {
    if (identityUrl === null) return null;
    return form({
      name: 'identity',
      fields: me.user.hasPassword
        ? [
            {
              name: 'password',
              label: 'Your password',
              hint: `You continue at ${new URL(identityUrl).host}, with your passkey.`,
              attributes: { type: 'password', autocomplete: 'current-password', maxlength: 1000 },
            },
          ]
        : [],
      submit: isFirst ? 'Link my identity' : 'Link another identity',
      send: async (values) => {
        const { link } = await post<{ link: Link }>(path, values);
        if (link.linkUrl !== null) window.open(link.linkUrl, '_blank', 'noopener');
        await again();
      },
    });
  }
}

function whyFailed({ failure }: Link): string {
  switch (failure) {
    case 'denied':
      return 'The link was refused on the page of the broker.';
    case 'expired':
      return 'The link was not approved in time.';
    case 'refused':
    case null:
      return 'The reply of the broker was not for this link. Start again.';
  }
}
