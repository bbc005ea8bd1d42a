import { expect } from 'vitest';
import type { Page } from 'playwright-core';

/** What the video of a page does, and what the page says. */
const state = `(() => {
  const video = document.querySelector('video');
  const page = { url: location.pathname, text: document.body.innerText.slice(0, 500) };
  if (video === null) return page;
  const { currentTime, paused, ended, readyState, networkState, currentSrc, error } = video;
  const why = error === null ? null : error.code + ' ' + error.message;
  return { currentTime, paused, ended, readyState, networkState, currentSrc, why, ...page };
})()`;

/** Waits until the film of a page is after a time, in seconds. The failure tells what the page shows instead. */
export async function filmPlays(page: Page, after = 0.2, timeout = 120_000): Promise<void> {
  const time = (): Promise<number> =>
    page.evaluate("document.querySelector('video')?.currentTime ?? 0");
  try {
    await expect.poll(time, { timeout, interval: 50 }).toBeGreaterThan(after);
  } catch (cause) {
    const found = JSON.stringify(await page.evaluate(state));
    throw new Error(`The film is not after ${after} s: ${found}`, { cause });
  }
}
