import { relist, signUnlink } from '../../signing/index.ts';
import type { LinkedServer, PutServers, RecordsBody } from '../../service/web-api.ts';
import { post, put } from '../api.ts';
import { el, foreign } from '../../../../lib/page-kit/index.ts';
import { actionButton, confirmButton } from '../form.ts';
import type { CardParts } from './standing.ts';

/** The linked servers in the user's order, which apps use as well. */
export function serversCard(parts: CardParts): HTMLElement {
  const { servers, updates } = parts.standing;
  return el(
    'div',
    {},
    servers.length === 0 &&
      el('p', {}, 'No server is linked. Start a link on the server’s own page, under Account.'),
    updates.map((update) => updateBox(parts, update)),
    el(
      'ol',
      { class: 'list' },
      servers.map((server, index) => serverRow(parts, server, index)),
    ),
  );
}

/** A new address or name that a server reported; it applies only when the user accepts it. */
function updateBox(
  parts: CardParts,
  update: CardParts['standing']['updates'][number],
): HTMLElement {
  const { serverId, name, baseUrl } = update;
  const { servers } = parts.standing;
  const known = servers.find((server) => server.serverId === serverId);
  const others = servers.map((server) => (server === known ? { ...known, name, baseUrl } : server));
  const settle = (change: Partial<PutServers>, next: readonly LinkedServer[], done: string) =>
    save(parts, { next, change }).then(() => parts.changed(done));
  return el(
    'div',
    { class: 'banner', role: 'group', 'aria-label': `Update of ${name}` },
    el(
      'p',
      {},
      foreign(known?.name ?? name),
      ' reports that it is now ',
      el('strong', {}, foreign(name)),
      ' at ',
      el('strong', {}, foreign(baseUrl)),
      '. Accept this?',
    ),
    el(
      'div',
      { class: 'row' },
      actionButton('Accept', () =>
        settle({ accepted: [serverId] }, others, `${name} was changed.`),
      ),
      actionButton('Keep the old one', () =>
        settle({ refused: [serverId] }, servers, `${name} is unchanged.`),
      ),
    ),
  );
}

function serverRow(parts: CardParts, server: LinkedServer, index: number): HTMLElement {
  const { servers } = parts.standing;
  const { serverId, name, baseUrl } = server;
  const move = (by: number) => async (): Promise<void> => {
    const next = servers.filter((one) => one !== server);
    next.splice(index + by, 0, server);
    await save(parts, { next, change: {} });
    await parts.changed(`${name} is now number ${index + by + 1}.`);
  };
  return el(
    'li',
    {},
    el(
      'div',
      { class: 'about' },
      el('strong', {}, foreign(name)),
      el('small', {}, foreign(baseUrl)),
    ),
    el(
      'span',
      { class: 'row' },
      index > 0 && actionButton('↑', move(-1), { 'aria-label': `Move ${name} up` }),
      index < servers.length - 1 &&
        actionButton('↓', move(1), { 'aria-label': `Move ${name} down` }),
      confirmButton({
        label: 'Unlink',
        of: name,
        question: 'Your apps lose access to it, and it ends your sessions.',
        yes: 'Unlink it',
        act: async () => {
          const { opened, clock } = await parts.page.keys.unlock('sign');
          const now = clock.toSignBy();
          const next = servers.filter((one) => one !== server);
          const { own } = parts.standing.sorted;
          const body: RecordsBody = {
            records: [await signUnlink(opened.identity, serverId, now)],
            lists: await relist(opened.identity, own, { servers: next, now }),
          };
          await post('records', body);
          await parts.changed(`${name} was unlinked.`);
        },
      }),
    ),
  );
}

interface Saved {
  /** All servers after the change. */
  readonly next: readonly LinkedServer[];
  readonly change: Partial<PutServers>;
}

async function save({ page, standing }: CardParts, { next, change }: Saved): Promise<void> {
  const { opened, clock } = await page.keys.unlock('sign');
  const now = clock.toSignBy();
  const body: PutServers = {
    order: next.map(({ serverId }) => serverId),
    accepted: [],
    refused: [],
    ...change,
    lists: await relist(opened.identity, standing.sorted.own, { servers: next, now }),
  };
  await put('servers', body);
}
