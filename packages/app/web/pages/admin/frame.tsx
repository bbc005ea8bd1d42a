import type { ComponentChildren } from 'preact';
import { t, type MessageKey } from '../../core/messages.ts';
import { shown } from '../../core/router.ts';
import { isAdmin } from '../../core/session.ts';
import { Empty } from '../../ui/states.tsx';
import { useTitle } from '../../ui/title.ts';

const places: readonly { readonly href: string; readonly label: MessageKey }[] = [
  { href: '/admin', label: 'admin.overview' },
  { href: '/admin/libraries', label: 'nav.libraries' },
  { href: '/admin/matches', label: 'admin.matches' },
  { href: '/admin/plugins', label: 'admin.plugins' },
  { href: '/admin/marketplace', label: 'admin.marketplace' },
  { href: '/admin/people', label: 'admin.people' },
  { href: '/admin/jobs', label: 'admin.jobs' },
  { href: '/admin/webhooks', label: 'admin.webhooks' },
  { href: '/admin/backups', label: 'admin.backups' },
  { href: '/admin/audit', label: 'admin.audit' },
  { href: '/admin/settings', label: 'admin.settings' },
  { href: '/admin/servers', label: 'admin.servers' },
  { href: '/admin/doctor', label: 'doctor.page' },
  { href: '/admin/metrics', label: 'metrics.title' },
  { href: '/admin/logs', label: 'logs.all' },
];

/** On a phone, the row of pages scrolls sideways. */
const showInRow = (link: HTMLElement | null): void =>
  link?.scrollIntoView({ inline: 'nearest', block: 'nearest' });

/** The frame of the pages for admins; others are told that these are not for them. */
export function AdminPage({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ComponentChildren;
}) {
  useTitle(title);
  const path = shown.value?.path ?? '';
  if (!isAdmin.value)
    return (
      <div class="page">
        <h1>{t('nav.admin')}</h1>
        <Empty title={t('admin.notForYou')} />
      </div>
    );
  return (
    <div class="page admin">
      <a class="skip" href="#title">
        {t('admin.skip')}
      </a>
      <nav class="tabs" aria-label={t('nav.admin')}>
        {places.map(({ href, label }) => {
          const isShown = path === href || (href !== '/admin' && path.startsWith(href));
          return (
            <a
              key={href}
              href={href}
              aria-current={isShown ? 'page' : undefined}
              ref={isShown ? showInRow : null}
            >
              {t(label)}
            </a>
          );
        })}
      </nav>
      <h1 id="title" tabIndex={-1}>
        <bdi>{title}</bdi>
      </h1>
      {children}
    </div>
  );
}
