import type { Browser, Page } from 'playwright-core';
import { adminToken, type TestServer } from '../../support/servers/server.ts';
import { median, type Figure } from '../figure.ts';
import { openPage, rounds, shown } from './web-bench.ts';

/** Bytes a second of 1.6 Mbit/s, and half of it back, over a way of 150 ms. */
const phoneNetwork = {
  ...{ offline: false, latency: 150 },
  ...{ downloadThroughput: 200_000, uploadThroughput: 94_000 },
};
const slowerBy = 4;
const phone = { width: 390, height: 844 };

const firstPoster =
  "[...document.images].some((image) => image.complete && image.naturalWidth > 0 && image.closest('.tile'))";

/** The pictures that one sees without scrolling. */
const inWindow = `[...document.images].filter((image) => {
  const { top, left } = image.getBoundingClientRect();
  return top < innerHeight && left < innerWidth;
}).map(({ currentSrc }) => currentSrc.replace(location.origin, ''))`;

interface Loaded {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly bytes: number;
}

/** The document and what it loaded; what its head names comes with it and is left out. */
const loadedBy = (page: Page): Promise<readonly Loaded[]> =>
  page.evaluate(`[
    ...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource'),
  ].filter(({ name }) =>
    ![...document.head.querySelectorAll('[href], [src]')].some((one) => (one.src ?? one.href) === name)
  ).map(({ name, startTime, responseEnd, transferSize }) =>
    ({ name: name.replace(location.origin, ''), start: startTime, end: responseEnd, bytes: transferSize }))`);

/** How many requests, one after the other, the last of these waited for, with itself. */
export function roundTrips(all: readonly Loaded[], last: Loaded): number {
  const before = all
    .filter(({ end }) => end <= last.start + 1)
    .toSorted((one, other) => other.end - one.end)[0];
  return before === undefined || before === last ? 1 : 1 + roundTrips(all, before);
}

const isPicture = ({ name }: Loaded): boolean => name.startsWith('/api/assets/');

/** The first page with an empty cache: at a desk, and on a phone that is slow. */
export async function firstLoadFigures(
  browser: Browser,
  server: TestServer,
): Promise<readonly Figure[]> {
  const [posterMs, trips, pictures]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < rounds; round += 1) {
    const { context, page } = await openPage(browser, server);
    await page.goto('/');
    await shown(page, firstPoster);
    await page.waitForLoadState('networkidle');
    const all = await loadedBy(page);
    const posters = all.filter(isPicture).toSorted((one, other) => one.end - other.end);
    const [first] = posters;
    if (first === undefined) throw new Error('The first page shows no poster.');
    posterMs.push(first.end);
    trips.push(roundTrips(all, first));
    const visible: readonly string[] = await page.evaluate(inWindow);
    const ofWindow = posters.filter(({ name }) => visible.includes(name));
    pictures.push(ofWindow.reduce((sum, { bytes }) => sum + bytes, 0) / 1000);
    await context.close();
  }
  const [fcp, lcp, cls]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < rounds; round += 1) {
    const { context, page } = await openPage(browser, server, phone);
    const devtools = await context.newCDPSession(page);
    await devtools.send('Network.emulateNetworkConditions', phoneNetwork);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowerBy });
    await page.goto('/');
    await shown(page, firstPoster);
    await page.waitForLoadState('networkidle');
    const painted: readonly [number, number, number] = await page.evaluate(
      "[performance.getEntriesByName('first-contentful-paint')[0].startTime / 1000, measured.lcp / 1000, measured.cls]",
    );
    fcp.push(painted[0]);
    lcp.push(painted[1]);
    cls.push(painted[2]);
    await context.close();
  }
  const of = (name: string, values: readonly number[], unit: string, goal: number): Figure => ({
    ...{ name: `web: ${name}`, ours: median(values), bare: null, unit, goal },
  });
  return [
    of('first poster, at a desk', posterMs, 'ms', 400),
    of('round trips to the first poster', trips, '', 3),
    of('pictures of the first page, 1440 px', pictures, 'kB', 250),
    of('first paint on a slow phone', fcp, 's', 1),
    of('largest paint on a slow phone', lcp, 's', 2),
    of('shifts of the layout on a slow phone', cls, '', 0.02),
    ...(await tileFigure(server)),
  ];
}

/** 60 tiles as they are sent. */
async function tileFigure(server: TestServer): Promise<readonly Figure[]> {
  const reply = await fetch(`${server.url}/api/items?fields=tile&limit=60`, {
    headers: { authorization: `Bearer ${adminToken}`, 'accept-encoding': 'gzip' },
  });
  await reply.arrayBuffer();
  const ours = Number(reply.headers.get('content-length')) / 1000;
  return [{ name: 'web: data of 60 tiles', ours, bare: null, unit: 'kB', goal: 4 }];
}
