import { useSignal } from '@preact/signals';
import { useEffect, useErrorBoundary } from 'preact/hooks';
import { isOnline } from './core/live.ts';
import { t, type MessageKey } from './core/messages.ts';
import { isNavigating, shown } from './core/router.ts';
import { isAdmin, isLocked, profile, viewer } from './core/session.ts';
import { queueAt } from './player/queue-state.ts';
import { OverPages } from './pages/over-pages.tsx';
import { Avatar } from './ui/avatar.tsx';
import { Questions } from './ui/dialog.tsx';
import { Icon, type IconName } from './ui/icon.tsx';
import { lazy } from './ui/lazy.tsx';
import { PageProblem } from './ui/states.tsx';
import { Toasts } from './ui/toast.tsx';

interface Place {
  readonly href: string;
  readonly icon: IconName;
  readonly label: MessageKey;
}

const places: readonly Place[] = [
  { href: '/', icon: 'home', label: 'nav.home' },
  { href: '/search', icon: 'search', label: 'nav.search' },
  { href: '/libraries', icon: 'library', label: 'nav.libraries' },
  { href: '/lists', icon: 'list', label: 'nav.lists' },
];

/** The frame of all pages: the bar, the page, messages. */
export function Shell() {
  const page = shown.value;
  const isWatching = /^\/(watch|photos|read)\//.test(page?.path ?? '');
  return (
    <>
      <a class="skip" href="#content">
        {t('nav.skip')}
      </a>
      {!isWatching && <Bar path={page?.path ?? ''} />}
      {!isOnline.value && (
        <p class="banner" role="status">
          {t('state.offline')}
        </p>
      )}
      <main id="content" tabIndex={-1} aria-busy={isNavigating.value}>
        {isLocked.value && page?.path !== '/profiles' ? (
          <PinPad />
        ) : (
          <CurrentPage key={page?.path ?? ''} />
        )}
      </main>
      {!isWatching && queueAt.value >= 0 && <Dock />}
      {!isLocked.value && <OverPages />}
      <Questions />
      <Toasts />
    </>
  );
}

/** The dock is loaded when something plays for the first time. */
const Dock = lazy(async () => (await import('./player/dock.tsx')).default);
const PinPad = lazy(async () => (await import('./pages/pin-pad.tsx')).PinPad);

/** A page that fails does not take the frame with it. */
function CurrentPage() {
  const [error, reset] = useErrorBoundary() as [unknown, () => void];
  const page = shown.value;
  if (error !== undefined) return <PageProblem error={error} retry={reset} />;
  if (page === null) return null;
  const { page: Page, parameters, query } = page;
  return <Page parameters={parameters} query={query} />;
}

const isCurrent = (href: string, path: string): boolean =>
  href === '/' ? path === '/' : path.startsWith(href);

function Bar({ path }: { readonly path: string }) {
  const isScrolled = useSignal(false);
  useEffect(() => {
    const look = (): void => void (isScrolled.value = scrollY > 8);
    addEventListener('scroll', look, { passive: true });
    return () => removeEventListener('scroll', look);
  }, []);
  const name = profile.value?.name ?? viewer.value?.user.name ?? '';
  return (
    <header class={isScrolled.value ? 'bar scrolled' : 'bar'}>
      <a class="brand" href="/">
        <img src="/console/icon.svg" alt="" width={28} height={28} />
        <span>Vitrine</span>
      </a>
      <nav aria-label={t('nav.main')}>
        {places.map(({ href, icon, label }) => (
          <a key={href} href={href} aria-current={isCurrent(href, path) ? 'page' : undefined}>
            <Icon name={icon} />
            <span>{t(label)}</span>
          </a>
        ))}
        {isAdmin.value && (
          <a href="/admin" aria-current={isCurrent('/admin', path) ? 'page' : undefined}>
            <Icon name="settings" />
            <span>{t('nav.admin')}</span>
          </a>
        )}
        <a class="me" href="/me" aria-current={isCurrent('/me', path) ? 'page' : undefined}>
          <Avatar name={name} url={profile.value?.avatarUrl ?? null} />
          <span>{name}</span>
        </a>
      </nav>
    </header>
  );
}

/** What is shown when the server does not answer at the start. */
export const StartProblem = ({ error }: { readonly error: unknown }) => (
  <main class="centered">
    <PageProblem error={error} retry={() => location.reload()} />
  </main>
);
