/** Starts the app: who is signed in, the live events, the pages by address. */
import { render, type ComponentChild } from 'preact';
import { forgetEarly } from './core/api.ts';
import { setAppWords } from './core/app-words.ts';
import { startLive } from './core/live.ts';
import { chooseLanguage } from './core/messages.ts';
import { startRouter, warmPage } from './core/router.ts';
import { hasDownloads, startSession } from './core/session.ts';
import { untilAnswer } from './core/until-answer.ts';
import { routes, notFound } from './routes.ts';
import { Shell, StartProblem } from './shell.tsx';

/** Before the page is loaded again, so that a fault that stays does not load it all the time. */
const pauseMs = 3000;

/** Draws in place of what the document showed until then. */
function draw(what: ComponentChild): void {
  document.getElementById('skeleton')?.remove();
  render(what, document.body);
}

const show = (): Promise<void> => startRouter(() => draw(<Shell />));

async function start(): Promise<void> {
  setAppWords();
  try {
    const isIn = startSession();
    warmPage(routes, notFound);
    if (!(await isIn)) {
      if (hasDownloads()) await (await import('./downloads/device.ts')).lockDevice();
      const { pathname, search } = location;
      location.replace(`/sign-in?to=${encodeURIComponent(pathname + search)}`);
      return;
    }
    await show();
  } catch (error) {
    if (
      hasDownloads() &&
      (await (await import('./downloads/offline.tsx')).startOffline(error, show))
    )
      return;
    await chooseLanguage(navigator.languages);
    draw(<StartProblem error={error} />);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    await untilAnswer();
    location.reload();
    return;
  }
  forgetEarly();
  startLive();
  (await import('./later.ts')).startLater();
}

void start();
