import type { Browser, BrowserContext, Page } from 'playwright-core';
import { adminToken, type TestServer } from '../../support/servers/server.ts';

/** How often each thing is measured; the figure is the median. */
export const rounds = 5;

/** A page of the admin in a window of its own, without anything kept from others. */
export async function openPage(
  browser: Browser,
  server: TestServer,
  viewport = { width: 1440, height: 900 },
): Promise<{ readonly context: BrowserContext; readonly page: Page }> {
  const context = await browser.newContext({
    ...{ baseURL: server.url, viewport, reducedMotion: 'reduce' },
    extraHTTPHeaders: { authorization: `Bearer ${adminToken}` },
  });
  await context.addInitScript(timing);
  // As the sign-in page leaves it.
  await context.addInitScript("localStorage.setItem('signedIn', '')");
  return { context, page: await context.newPage() };
}

/**
 * In the page: `untilShown(act, isShown)` gives the milliseconds from an act to the frame in which it
 * shows; the largest paint, shifts of the layout and slow events gather in `measured`.
 */
const timing = `
  window.measured = { lcp: 0, cls: 0, events: [] };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) measured.lcp = entry.startTime;
  }).observe({ type: 'largest-contentful-paint', buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) measured.cls += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      if (entry.interactionId > 0) measured.events.push(entry.duration);
  }).observe({ type: 'event', durationThreshold: 16, buffered: true });
  window.untilShown = (act, isShown) => new Promise((resolve) => {
    const start = performance.now();
    const look = () => {
      if (isShown()) requestAnimationFrame(() => resolve(performance.now() - start));
      else requestAnimationFrame(look);
    };
    act();
    look();
  });
`;

/** Milliseconds from a press on the element to the frame in which `isShown`, a script, holds. */
export const timeOf = (page: Page, selector: string, isShown: string): Promise<number> =>
  page.evaluate(
    `untilShown(() => document.querySelector(${JSON.stringify(selector)}).click(), () => ${isShown})`,
  );

/** Waits for the frame in which `isShown`, a script, holds. The policy of the page allows no other way. */
export const shown = (page: Page, isShown: string): Promise<number> =>
  page.evaluate(`untilShown(() => {}, () => ${isShown})`);
