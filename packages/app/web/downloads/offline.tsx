/** The app without the server: the downloads of the profile that was in last, and nothing else. */
import { effect } from '@preact/signals';
import { loadFurther } from '../core/further.ts';
import { isOnline } from '../core/live.ts';
import { t } from '../core/messages.ts';
import { shown, warmPage, type Route } from '../core/router.ts';
import { startSession } from '../core/session.ts';
import { leaveWithOthers } from '../core/still-me.ts';
import { startSpatialKeys } from '../core/spatial.ts';
import { untilAnswer } from '../core/until-answer.ts';
import { queueAt } from '../player/queue-state.ts';
import { Empty } from '../ui/states.tsx';
import { lockDevice } from './device.ts';
import { answerPlayers } from './kept-requests.ts';
import { openDevice } from './open-device.ts';
import { tellPlaces } from './places.ts';

/** What all other pages are. */
const onlyDownloads: Route['load'] = async () => ({ default: OnlyDownloads });

const pages: readonly Route[] = [
  { pattern: '/downloads', load: () => import('./downloads-page.tsx') },
  { pattern: '/watch/:id', load: () => import('../pages/watch.tsx') },
  { pattern: '/read/:id', load: () => import('../pages/read.tsx') },
  // What the bar and the dock lead to, so that no document is loaded and music goes on.
  ...['/', '/search', '/libraries', '/lists', '/me', '/admin', '/items/:id'].map((pattern) => ({
    pattern,
    load: onlyDownloads,
  })),
];

function OnlyDownloads() {
  return (
    <div class="page">
      <Empty title={t('downloads.only')}>
        <p>
          <a class="button primary" href="/downloads">
            {t('nav.downloads')}
          </a>
        </p>
      </Empty>
    </div>
  );
}

const isPage = (path: string): boolean => /^\/(downloads$|watch\/|read\/)/.test(path);

/** Whether anything plays or is read that a document load would end. */
const isBusy = (): boolean =>
  /^\/(watch|read)\//.test(shown.value?.path ?? '') || queueAt.value >= 0;

/** The server answers again: it is told what was played, and the whole app comes back. */
async function comeBack(): Promise<void> {
  await untilAnswer();
  if (!(await startSession())) {
    await lockDevice();
    location.replace('/sign-in?to=%2Fdownloads');
    return;
  }
  isOnline.value = true;
  await tellPlaces().catch(() => {});
  effect(() => {
    if (!isBusy()) location.reload();
  });
}

/**
 * Starts the app without the server and has `show` draw it; `false` = nothing is kept for anybody, or it
 * is another fault.
 */
export async function startOffline(error: unknown, show: () => Promise<void>): Promise<boolean> {
  if (!isPage(location.pathname) || !(await openDevice(error))) return false;
  await loadFurther();
  answerPlayers();
  leaveWithOthers();
  warmPage(pages, { pattern: '', load: onlyDownloads });
  await show();
  startSpatialKeys();
  comeBack().catch(() => location.reload());
  return true;
}
