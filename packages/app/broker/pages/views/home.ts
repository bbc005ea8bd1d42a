/**
 * The page on which a user manages their identity: devices, servers, passkeys, recovery code, key.
 */
import type { Account, SessionView } from '../../service/web-api.ts';
import { get } from '../api.ts';
import { announce, el, fill, type Child } from '../../../../lib/page-kit/index.ts';
import type { PageParts } from '../page.ts';
import { devicesCard } from './devices.ts';
import { keyCard } from './key.ts';
import { passkeysCard } from './passkeys.ts';
import { recoveryCard } from './recovery.ts';
import { serversCard } from './servers.ts';
import { standingOf, type CardParts } from './standing.ts';

/** Shows all sections. */
export async function homeView(page: PageParts, account: Account): Promise<void> {
  document.title = 'Vitrine identity';
  page.place.classList.remove('narrow');
  const standing = await standingOf(account);
  const changed = async (what: string): Promise<void> => {
    const session = await get<SessionView>('session');
    await homeView(page, session.account);
    announce(what);
    page.place.querySelector<HTMLElement>('h1')?.focus();
  };
  const parts: CardParts = { page, standing, changed };
  fill(
    page.place,
    el('h1', { tabindex: -1 }, account.handle),
    el(
      'div',
      { class: 'columns' },
      section('Devices', devicesCard(parts)),
      section('Servers', serversCard(parts)),
      section('Passkeys', passkeysCard(parts)),
      section('Recovery code', recoveryCard(parts)),
      section('Your key', await keyCard(parts)),
    ),
  );
}

const section = (heading: string, ...children: readonly Child[]): HTMLElement => {
  const id = `about-${heading.toLowerCase().replaceAll(' ', '-')}`;
  return el(
    'section',
    { 'aria-labelledby': id },
    el('h2', { id }, heading),
    el('div', { class: 'card' }, children),
  );
};
