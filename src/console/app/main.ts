/** The pages of the server. Each has one address; all share one shell. */
import { whoAmI, type Me } from './api.ts';
import { el, fill } from '../../../packages/page-kit/index.ts';
import { show } from './form.ts';
import { accountPage } from './pages/account.ts';
import { docsPage } from './pages/docs.ts';
import type { PageParts } from './page.ts';
import { homePage } from './pages/home.ts';
import { invitePage } from './pages/invite.ts';
import { itemPage } from './pages/item.ts';
import { libraryPage } from './pages/library.ts';
import { searchPage } from './pages/search.ts';
import { setupPage } from './pages/setup.ts';
import { signInPage } from './pages/sign-in.ts';

const open: Readonly<Record<string, (place: HTMLElement) => Promise<void>>> = {
  '/setup': setupPage,
  '/sign-in': signInPage,
  '/invite': invitePage,
};

const signedIn: Readonly<Record<string, (parts: PageParts) => Promise<void>>> = {
  '': homePage,
  account: accountPage,
  items: itemPage,
  libraries: libraryPage,
  search: searchPage,
};

const place = el('main', { id: 'content', tabindex: -1 });

async function start(): Promise<void> {
  document.body.append(
    el('a', { class: 'skip', href: '#content' }, 'Skip to the content'),
    el('p', { class: 'unseen', role: 'status' }),
    place,
  );
  const page = open[location.pathname];
  if (page !== undefined) {
    place.classList.add('narrow');
    return page(place);
  }
  if (location.pathname === '/api/docs') return docsPage(place);
  const me = await whoAmI();
  if (me === null) {
    location.replace(`/sign-in?to=${encodeURIComponent(location.pathname + location.search)}`);
    return;
  }
  place.before(bar(me));
  const [, name = '', id = ''] = location.pathname.split('/');
  await (signedIn[name] ?? homePage)({ place, id: decodeURIComponent(id), me });
}

function bar({ user }: Me): HTMLElement {
  const sought = new URLSearchParams(location.search).get('q');
  return el(
    'header',
    { class: 'bar' },
    el(
      'a',
      { class: 'brand', href: '/' },
      el('img', { src: '/console/icon.svg', alt: '', width: 28, height: 28 }),
      'Vitrine',
    ),
    el(
      'form',
      { action: '/search', role: 'search' },
      el('label', { class: 'unseen', for: 'search' }, 'Search'),
      el('input', {
        id: 'search',
        name: 'q',
        type: 'search',
        placeholder: 'Search',
        value: sought,
      }),
    ),
    el('nav', { 'aria-label': 'You' }, el('a', { href: '/account' }, user.name)),
  );
}

start().catch((error: unknown) => {
  const problem = el('p', { class: 'problem', role: 'alert' });
  fill(place, problem);
  show(problem, error);
});
