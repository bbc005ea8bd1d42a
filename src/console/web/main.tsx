/** Starts the app: who is signed in, the live events, the pages by address. */
import { render } from 'preact';
import { send } from './core/api.ts';
import { startLive } from './core/live.ts';
import { chooseLanguage } from './core/messages.ts';
import { startRouter, warmPage } from './core/router.ts';
import { startSession } from './core/session.ts';
import { routes, notFound } from './routes.ts';
import { Shell, StartProblem } from './shell.tsx';

async function start(): Promise<void> {
  try {
    const isIn = startSession();
    warmPage(routes, notFound);
    if (!(await isIn)) {
      const { pathname, search } = location;
      location.replace(`/sign-in?to=${encodeURIComponent(pathname + search)}`);
      return;
    }
  } catch (error) {
    await chooseLanguage(navigator.languages);
    render(<StartProblem error={error} />, document.body);
    await untilAnswer();
    location.reload();
    return;
  }
  render(<Shell />, document.body);
  await startRouter();
  startLive();
  (await import('./core/spatial.ts')).startSpatialKeys();
}

/** Resolves when the server answers again. */
async function untilAnswer(): Promise<void> {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 3000));
    const isThere = await send('/api/health').then(
      () => true,
      () => false,
    );
    if (isThere) return;
  }
}

void start();
