import { fingerprint, relist, signLink, sortClients } from '../../signing/index.ts';
import type {
  ClientView,
  LinkApprove,
  LinkedServer,
  LinkView,
  RecordsBody,
  ServersView,
} from '../../service/web-api.ts';
import { get, orRefusal, post, Refusal } from '../api.ts';
import { el, fill, foreign } from '../../../../lib/page-kit/index.ts';
import { actionButton } from '../form.ts';
import type { PageParts } from '../page.ts';
import { facts } from './facts.ts';

/** Links a server to the identity: shows the server, and signs the grant. */
export async function linkView(parts: PageParts): Promise<void> {
  const { place, id } = parts;
  document.title = 'Link a server · Vitrine identity';
  place.classList.add('narrow');
  const path = `link/${encodeURIComponent(id)}`;
  const view = await orRefusal(get<LinkView>(path), 'link_gone', 'not_found');
  if (view instanceof Refusal) {
    ended(place, 'This request has ended', 'Start again on the server’s own page.');
    return;
  }
  const { name, baseUrl, serverId } = view;
  fill(
    place,
    el('h1', { tabindex: -1 }, 'Link ', foreign(name), '?'),
    el(
      'p',
      {},
      'Apps that you approve can then sign in to this server as you. Link it only if you have just requested this on the server’s own page.',
    ),
    facts(
      ['Name', foreign(name)],
      ['Address', foreign(baseUrl)],
      ['Fingerprint', el('code', {}, await fingerprint(serverId))],
    ),
    baseUrl.startsWith('http:') &&
      el(
        'p',
        { class: 'banner warning' },
        el('strong', {}, 'Plain http.'),
        ' Anyone on that server’s network can read the traffic.',
      ),
    el(
      'div',
      { class: 'row' },
      actionButton('Link it', () => approve(parts, view), { class: 'primary' }),
      actionButton('Deny', async () => {
        await post(`${path}/deny`);
        ended(place, 'Denied', 'The server was told, and is not linked.');
      }),
    ),
  );
}

async function approve({ place, keys }: PageParts, view: LinkView): Promise<void> {
  const { opened, clock } = await keys.unlock('sign');
  const [{ servers }, { clients }, { records }] = await Promise.all([
    get<ServersView>('servers'),
    get<{ readonly clients: readonly ClientView[] }>('clients'),
    get<Pick<RecordsBody, 'records'>>('records'),
  ]);
  const { identity } = opened;
  const now = clock.toSignBy();
  const { serverId, baseUrl, name } = view;
  const added: LinkedServer = { serverId, baseUrl, name, linkedAt: now * 1000 };
  const others = servers.filter((server) => server.serverId !== serverId);
  const { own } = await sortClients(identity, clients, records);
  const body: LinkApprove = {
    grant: await signLink(identity, view, now),
    lists: await relist(identity, own, { servers: [...others, added], added: serverId, now }),
  };
  await post(`link/${encodeURIComponent(view.requestId)}/approve`, body);
  ended(
    place,
    'Almost done',
    'Go back to the server’s page. It shows this fingerprint of your identity and asks you to confirm it:',
  );
  place.append(el('p', { class: 'secret' }, await fingerprint(identity.userPubKey)));
}

function ended(place: HTMLElement, title: string, text: string): void {
  const heading = el('h1', { tabindex: -1 }, title);
  fill(place, heading, el('p', {}, text));
  heading.focus();
}
