/** The pages of the app by address. Each but the first is a file of its own that is loaded when it is needed. */
import { loadFurther } from './core/further.ts';
import type { Route } from './core/router.ts';
// The page that most people open comes with the shell: it is there one request sooner.
import * as home from './pages/home.tsx';

const pages: readonly Route[] = [
  { pattern: '/', load: async () => home },
  { pattern: '/libraries', load: () => import('./pages/libraries.tsx') },
  { pattern: '/libraries/:id', load: () => import('./pages/library.tsx') },
  {
    pattern: '/libraries/:id/playlists/:fileId',
    load: () => import('./pages/playlist-file.tsx'),
  },
  { pattern: '/items/:id', load: () => import('./pages/item.tsx') },
  { pattern: '/photos/:id', load: () => import('./pages/photos/photo.tsx') },
  { pattern: '/read/:id', load: () => import('./pages/read.tsx') },
  { pattern: '/watch/:id', load: () => import('./pages/watch.tsx') },
  { pattern: '/account', load: () => import('./pages/account.tsx') },
  { pattern: '/downloads', load: () => import('./downloads/downloads-page.tsx') },
  { pattern: '/lists', load: () => import('./pages/lists.tsx') },
  { pattern: '/lists/favourites', load: () => import('./pages/favourites.tsx') },
  { pattern: '/lists/:id', load: () => import('./pages/list.tsx') },
  { pattern: '/me', load: () => import('./pages/me.tsx') },
  { pattern: '/pair/accept', load: () => import('./pages/pair.tsx') },
  { pattern: '/plugins/:id', load: () => import('./pages/plugin.tsx') },
  { pattern: '/profiles', load: () => import('./pages/profiles.tsx') },
  { pattern: '/search', load: () => import('./pages/search.tsx') },
  { pattern: '/shows/:id', load: () => import('./pages/entity.tsx') },
  { pattern: '/shows/:id/seasons/:season', load: () => import('./pages/entity.tsx') },
  { pattern: '/seasons/:id', load: () => import('./pages/entity.tsx') },
  { pattern: '/albums/:id', load: () => import('./pages/entity.tsx') },
  { pattern: '/artists/:id', load: () => import('./pages/entity.tsx') },
  { pattern: '/people/:id', load: () => import('./pages/entity.tsx') },
  { pattern: '/genres/:id', load: () => import('./pages/entity.tsx') },
  { pattern: '/series/:id', load: () => import('./pages/entity.tsx') },
  { pattern: '/studios/:id', load: () => import('./pages/entity.tsx') },
  { pattern: '/entities/:id', load: () => import('./pages/entity.tsx') },
  { pattern: '/admin', load: () => import('./pages/admin/overview.tsx') },
  { pattern: '/admin/libraries', load: () => import('./pages/admin/libraries.tsx') },
  { pattern: '/admin/libraries/:id', load: () => import('./pages/admin/library.tsx') },
  { pattern: '/admin/items/:id', load: () => import('./pages/admin/item.tsx') },
  { pattern: '/admin/matches', load: () => import('./pages/admin/matches.tsx') },
  { pattern: '/admin/entities/:id', load: () => import('./pages/admin/entity.tsx') },
  { pattern: '/admin/doctor', load: () => import('./pages/admin/doctor.tsx') },
  { pattern: '/admin/metrics', load: () => import('./pages/admin/metrics.tsx') },
  { pattern: '/admin/logs', load: () => import('./pages/admin/logs.tsx') },
  { pattern: '/admin/plugins', load: () => import('./pages/admin/plugins.tsx') },
  { pattern: '/admin/plugins/:id', load: () => import('./pages/admin/plugin.tsx') },
  { pattern: '/admin/audit', load: () => import('./pages/admin/audit.tsx') },
  { pattern: '/admin/backups', load: () => import('./pages/admin/backups.tsx') },
  { pattern: '/admin/servers', load: () => import('./pages/admin/servers.tsx') },
  { pattern: '/admin/settings', load: () => import('./pages/admin/settings.tsx') },
  { pattern: '/admin/webhooks', load: () => import('./pages/admin/webhooks.tsx') },
  { pattern: '/admin/marketplace', load: () => import('./pages/admin/marketplace.tsx') },
  { pattern: '/admin/people', load: () => import('./pages/admin/people.tsx') },
  { pattern: '/admin/people/:id', load: () => import('./pages/admin/person.tsx') },
  { pattern: '/admin/jobs', load: () => import('./pages/admin/jobs.tsx') },
];

/** These pages come with the further styles and words. */
export const routes: readonly Route[] = pages.map((page) =>
  /^\/(account|admin|downloads|pair|read)\b|playlists/.test(page.pattern)
    ? { ...page, load: async () => (await Promise.all([page.load(), loadFurther()]))[0] }
    : page,
);

export const notFound: Route = { pattern: '', load: () => import('./pages/not-found.tsx') };
