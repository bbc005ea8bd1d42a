/** The pages that are documents of their own. Each has one address; all share one shell. */
import { whoAmI, type Me } from './api.ts';
import { el, fill } from '../../../packages/page-kit/index.ts';
import { show } from './form.ts';
import { accountPage } from './pages/account.ts';
import { docsPage } from './pages/docs.ts';
import { invitePage } from './pages/invite.ts';
import { setupPage } from './pages/setup.ts';
import { signInPage } from './pages/sign-in.ts';

const open: Readonly<Record<string, (place: HTMLElement) => Promise<void>>> = {
  '/setup': setupPage,
  '/sign-in': signInPage,
  '/invite': invitePage,
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
  await accountPage({ place, me });
}

function bar({ user }: Me): HTMLElement {
  return el(
    'header',
    { class: 'bar' },
    el(
      'a',
      { class: 'brand', href: '/' },
      el('img', { src: '/console/icon.svg', alt: '', width: 28, height: 28 }),
      'Vitrine',
    ),
    el('nav', { 'aria-label': 'You' }, el('a', { href: '/account' }, user.name)),
  );
}

start().catch((error: unknown) => {
  const problem = el('p', { class: 'problem', role: 'alert' });
  fill(place, problem);
  show(problem, error);
});
