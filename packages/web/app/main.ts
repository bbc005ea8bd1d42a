/** The pages that are documents of their own. Each has one address; all share one shell. */
import { el, fill } from '../../page-kit/index.ts';
import { show } from './form.ts';
import { docsPage } from './pages/docs.ts';
import { invitePage } from './pages/invite.ts';
import { pairPage } from './pages/pair.ts';
import { setupPage } from './pages/setup.ts';
import { signInPage } from './pages/sign-in.ts';
import { language, t } from './words.ts';

const open: Readonly<Record<string, (place: HTMLElement) => Promise<void>>> = {
  '/invite': invitePage,
  '/pair': pairPage,
  '/setup': setupPage,
  '/sign-in': signInPage,
};

const place = el('main', { id: 'content', tabindex: -1 });

async function start(): Promise<void> {
  const page = open[location.pathname];
  // The reference of the API is in English.
  if (page !== undefined) document.documentElement.lang = language;
  document.body.append(
    el('a', { class: 'skip', href: '#content' }, t('skip')),
    el('p', { class: 'unseen', role: 'status' }),
    place,
  );
  if (page !== undefined) {
    place.classList.add('narrow');
    return page(place);
  }
  return docsPage(place);
}

start().catch((error: unknown) => {
  const problem = el('p', { class: 'problem', role: 'alert' });
  fill(place, problem);
  show(problem, error);
});
