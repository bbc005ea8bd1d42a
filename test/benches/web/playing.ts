import type { Browser } from 'playwright-core';
import type { TestServer } from '../../support/servers/server.ts';
import { median, type Figure } from '../figure.ts';
import { openPage, rounds } from './web-bench.ts';

/** Resolves with the milliseconds from now to the next frame of the video. */
const nextFrame = `new Promise((resolve) => {
  const start = performance.now();
  const look = () => {
    const video = document.querySelector('video');
    if (video === null) requestAnimationFrame(look);
    else video.requestVideoFrameCallback(() => resolve(performance.now() - start));
  };
  ACT
  look();
})`;

/** From Play to the first frame of a film that plays as it is, and from a key to the frame there. */
export async function playFigures(
  browser: Browser,
  server: TestServer,
  itemId: string,
): Promise<readonly Figure[]> {
  const [firsts, seeks]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    const { context, page } = await openPage(browser, server);
    await page.goto(`/items/${itemId}`);
    await page.locator('#play').waitFor();
    firsts.push(
      await page.evaluate(nextFrame.replace('ACT', "document.getElementById('play').click();")),
    );
    const press = "dispatchEvent(new KeyboardEvent('keydown', { key: '5', bubbles: true }));";
    seeks.push(await page.evaluate(nextFrame.replace('ACT', press)));
    await context.close();
  }
  const of = (name: string, values: readonly number[], goal: number): Figure => ({
    ...{ name: `web: ${name}`, ours: median(values), bare: null, unit: 'ms', goal },
  });
  return [of('from Play to the first frame', firsts, 400), of('a seek', seeks, 300)];
}
