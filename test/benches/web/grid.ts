import type { Browser } from 'playwright-core';
import type { TestServer } from '../../support/servers/server.ts';
import { median, quantile, type Figure } from '../figure.ts';
import { openPage, rounds, shown, timeOf } from './web-bench.ts';

const places = [0, 0.1, 0.37, 0.5, 0.84, 1];
const isDrawn = "document.querySelector('.grid .tile:not(.placeholder)') !== null";
const letters = ['H', 'S', 'W', 'L', 'Q'];

/** A library of very many titles: what is in the document, a letter, keys, and memory. */
export async function gridFigures(
  browser: Browser,
  server: TestServer,
  library: string,
): Promise<readonly Figure[]> {
  const { context, page } = await openPage(browser, server);
  await page.goto('/libraries');
  await page.locator(`main a[href="/libraries/${library}"]`).first().waitFor();
  const [fresh, again]: [number[], number[]] = [[], []];
  for (let round = 0; round <= rounds; round += 1) {
    const link = `main a[href="/libraries/${library}"]`;
    (round === 0 ? fresh : again).push(await timeOf(page, link, isDrawn));
    await page.goBack();
    await page.locator(link).first().waitFor();
  }
  await page.goto(`/libraries/${library}`);
  await shown(page, isDrawn);
  await page.locator('.letters button').first().waitFor();

  const nodes: number[] = [];
  for (const place of places) {
    await page.evaluate(`scrollTo(0, document.body.scrollHeight * ${place})`);
    await shown(page, `${isDrawn} && document.querySelector('.grid .placeholder') === null`);
    nodes.push(await page.evaluate("document.querySelectorAll('*').length"));
  }

  const jumps: number[] = [];
  for (const letter of letters) {
    const act = `[...document.querySelectorAll('.letters button')].find((one) => one.textContent === '${letter}').click()`;
    const isThere = `[...document.querySelectorAll('.grid .tile:not(.placeholder) .title')].some((one) => {
      const { top, bottom } = one.getBoundingClientRect();
      return top > 0 && bottom < innerHeight && one.textContent.startsWith('${letter}');
    })`;
    jumps.push(await page.evaluate(`untilShown(() => ${act}, () => ${isThere})`));
  }

  await page.locator('.grid .tile:not(.placeholder)').first().focus();
  await page.evaluate('measured.events.length = 0');
  for (let press = 0; press < 60; press += 1)
    await page.keyboard.press(press % 3 === 0 ? 'ArrowDown' : 'ArrowRight');
  await page.evaluate(
    'new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 50)))',
  );
  const events: readonly number[] = await page.evaluate('measured.events');

  const devtools = await context.newCDPSession(page);
  await devtools.send('HeapProfiler.collectGarbage');
  await devtools.send('Performance.enable');
  const { metrics } = await devtools.send('Performance.getMetrics');
  const heap = metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? Number.NaN;
  await context.close();
  const of = (name: string, ours: number, unit: string, goal: number): Figure => ({
    ...{ name: `web: ${name}`, ours, bare: null, unit, goal },
  });
  return [
    of('a page that was not shown before', median(fresh), 'ms', 150),
    of('a page that was shown before', median(again), 'ms', 50),
    of('most nodes of the document', Math.max(...nodes), '', 400),
    of('a letter', median(jumps), 'ms', 150),
    // Events below 16 ms are not listed by the browser.
    of('a key, p98', events.length === 0 ? 16 : quantile(events, 0.98), 'ms', 100),
    of('memory of scripts', heap / 1e6, 'MB', 60),
  ];
}
