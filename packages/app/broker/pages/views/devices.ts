import { signRevocation } from '../../signing/index.ts';
import type { ClientView, RecordsBody } from '../../service/web-api.ts';
import { post } from '../api.ts';
import { el, foreign } from '../../../../lib/page-kit/index.ts';
import { confirmButton } from '../form.ts';
import { ago } from '../when.ts';
import { platformName } from './approve.ts';
import type { CardParts } from './standing.ts';

/** The paired apps of the user, each on its device. */
export function devicesCard(parts: CardParts): HTMLElement {
  const { clients } = parts.standing;
  const live = clients.filter(({ revokedAt }) => revokedAt === null);
  const gone = clients.filter(({ revokedAt }) => revokedAt !== null);
  return el(
    'div',
    {},
    live.length === 0 &&
      el(
        'p',
        {},
        'No app is paired. An app shows a code, which you enter under ',
        el('a', { href: '/pair' }, 'Enter a code'),
        '.',
      ),
    el(
      'ul',
      { class: 'list' },
      live.map((client) => deviceRow(parts, client)),
    ),
    gone.length > 0 &&
      el(
        'details',
        {},
        el('summary', {}, `Revoked (${gone.length})`),
        el(
          'ul',
          { class: 'list' },
          gone.map((client) => el('li', {}, about(parts, client))),
        ),
      ),
  );
}

const deviceRow = (parts: CardParts, client: ClientView): HTMLElement =>
  el(
    'li',
    {},
    about(parts, client),
    confirmButton({
      label: 'Revoke',
      of: client.deviceName,
      question: 'Its access to all servers ends permanently.',
      yes: 'Revoke it',
      act: async () => {
        const { opened, clock } = await parts.page.keys.unlock('sign');
        const { clientId } = client;
        const record = await signRevocation(opened.identity, { clientId }, clock.toSignBy());
        const body: RecordsBody = { records: [record], lists: [] };
        await post('records', body);
        await parts.changed(`${client.deviceName} was revoked.`);
      },
    }),
  );

function about({ standing }: CardParts, client: ClientView): HTMLElement {
  const { deviceName, platform, app, pairedAt, lastSeenAt, revokedAt, clientId } = client;
  const { now, sorted } = standing;
  const last =
    revokedAt !== null
      ? `revoked ${ago(revokedAt, now)}`
      : lastSeenAt === null
        ? 'not seen since'
        : `last seen ${ago(lastSeenAt, now)}`;
  return el(
    'div',
    { class: 'about' },
    el('strong', {}, foreign(deviceName)),
    el(
      'span',
      {},
      foreign(app.name),
      app.isVerified && app.domain !== null
        ? el('span', { class: 'quiet' }, ' by ', foreign(app.domain))
        : el('span', { class: 'quiet' }, ' (not verified)'),
      ` on ${platformName(platform)}`,
    ),
    el('small', {}, `Paired ${ago(pairedAt, now)}, ${last}`),
    revokedAt === null &&
      sorted.strange.includes(clientId) &&
      el(
        'small',
        { class: 'danger' },
        'Your current key has not signed for this device, so it gets no further passes. If you do not recognize it, revoke it.',
      ),
  );
}
