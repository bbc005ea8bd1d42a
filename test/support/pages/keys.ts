/** Pages by keys alone: Tab and Enter, as people use them who have no mouse. */
import type { Page } from 'playwright-core';

/** Tabs that a page may need; more are a trap. */
const mostTabs = 400;
const canHaveFocus = 'a[href], button, input, select, textarea, summary, [tabindex="0"]';

/** Goes to the link of the address with Tab, and opens it with Enter. */
export async function openByKeys(page: Page, address: string): Promise<void> {
  const link = page.locator(`a[href="${address}"]:focus`);
  for (let at = 0; (await link.count()) === 0; at += 1) {
    if (at > mostTabs) throw new Error(`${address} is not reached with Tab.`);
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.pathname === address);
  await page.locator('h1').waitFor();
  await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
}

/** Marks in the page what gets the focus from now on. Gives how many stops there are at most. */
const watchFocus = `(() => {
  for (const one of document.querySelectorAll('[data-focus]')) one.removeAttribute('data-focus');
  document.activeElement?.blur();
  document.addEventListener('focusin', ({ target }) => {
    // A tile shows it at its picture, and the field of a search at its frame.
    const isSeen = [target, target.closest('.search-form'), target.querySelector('.picture')].some((one) => {
      if (one === null) return false;
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one);
      return (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none';
    });
    target.setAttribute('data-focus', isSeen ? 'seen' : 'its focus is not seen');
  });
  // The parts of a date take a stop each; so does a box that scrolls, and the end of the page.
  const partsOfDates = 4 * document.querySelectorAll('[type="date"]').length;
  return document.querySelectorAll('${canHaveFocus}').length + partsOfDates + 5;
})()`;

/** What can have the focus and was not seen with it. */
const missed = `[...document.querySelectorAll('${canHaveFocus}')]
  .filter((one) => one.checkVisibility() && !one.matches(':disabled, [tabindex="-1"]'))
  .filter((one) => !one.matches('[type="radio"], [data-focus="seen"]'))
  .map((one) => (one.getAttribute('data-focus') ?? 'not reached') + ': ' + one.outerHTML)
  .map((text) => text.slice(0, 160))`;

/**
 * Walks once through the page with Tab. Gives what a person without a mouse does not reach, or
 * reaches without seeing that it has the focus.
 */
export async function walkByKeys(page: Page): Promise<readonly string[]> {
  const stops = await page.evaluate<number>(watchFocus);
  if (stops > mostTabs) return [`${stops} stops are too many for keys alone`];
  for (let at = 0; at < stops; at += 1) await page.keyboard.press('Tab');
  return page.evaluate<readonly string[]>(missed);
}
