/** A real browser for tests of pages. It is the machine's own: nothing is downloaded. */
import { existsSync } from 'node:fs';
import { chromium, type Browser, type BrowserContext } from 'playwright-core';
import { eventually } from '../eventually.ts';
import { recordRequests } from '../pages/page-requests.ts';

/** First the one without windows: it draws the same pages for two thirds of the processor's time. */
const places = [
  process.env['CHROMIUM'],
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

const executablePath = places.find((place) => place !== undefined && existsSync(place));

/** Whether this machine has one; else tests of pages are skipped, by name. */
export const hasBrowser = executablePath !== undefined;

/** Opens it without a window. The caller closes it. */
export async function openBrowser(): Promise<Browser> {
  if (executablePath === undefined) throw new Error('There is no Chromium; set CHROMIUM.');
  const browser = await chromium.launch({
    executablePath,
    // On a busy machine it may hold back a film of a page that was opened by its address.
    args: ['--no-sandbox', '--disable-gpu', '--autoplay-policy=no-user-gesture-required'],
  });
  recordRequests(browser);
  return browser;
}

/**
 * Takes the network from the pages of a context and from its service worker, and returns when both are
 * without it. A worker that is just starting may miss the change, so it is made until the worker feels it.
 */
export async function goOffline(context: BrowserContext): Promise<void> {
  await eventually('the service worker has no network', async () => {
    await context.setOffline(false);
    await context.setOffline(true);
    const [worker] = context.serviceWorkers();
    const isCut = "fetch('/api/health').then(() => false, () => true)";
    return worker !== undefined && (await worker.evaluate<boolean>(isCut));
  });
}
