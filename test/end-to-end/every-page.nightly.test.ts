/**
 * Every page of the route table in a real browser: what a checker of accessibility finds in light, in dark,
 * in forced colours and in three sizes; large zoom, other directions and languages; keys alone; and the words.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasFfmpeg } from '../support/media/media-files.ts';
import {
  openWhole,
  patterns,
  startEveryPage,
  type EveryPage,
} from '../support/pages/every-page.ts';
import { walkByKeys } from '../support/pages/keys.ts';
import { hasBrowser } from '../support/servers/browser.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const sizes = {
  phone: { width: 390, height: 844 },
  desk: { width: 1440, height: 900 },
  television: { width: 1920, height: 1080 },
} as const;

let pages: EveryPage;

interface Named {
  readonly id: string;
  readonly name: string;
}

const eachPage = (): readonly string[] => Object.values(pages.addresses);

/** What axe finds on the page by these rules. Texts of a book are the author's. */
async function flaws(page: Page, runOnly: readonly string[]): Promise<readonly string[]> {
  return page.evaluate<readonly string[]>(`(async () => {
    if (window.axe === undefined) { ${axe} }
    const found = await window.axe.run({ exclude: ['iframe'] }, { runOnly: ${JSON.stringify(runOnly)} });
    return found.violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 160)).join(' '));
  })()`);
}

const rules = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'];

const isWider = 'Math.max(0, document.documentElement.scrollWidth - innerWidth)';

/** The languages that a person may choose. */
const languageTags = [
  ...readFileSync(
    new URL('../../packages/app/web/pages/language-list.tsx', import.meta.url),
    'utf8',
  ).matchAll(/\b([a-z]{2})\b/g),
].map(([, tag = '']) => tag);

/** What no message to people holds: a route, a code, an id. */
const notForPeople = /(GET|POST|PUT|PATCH|DELETE) \/api|[a-z]+_[a-z]+|[0-9a-f]{8}-/;

/** Its texts outside of code, and its names for screen readers. */
const wordsOf = `(() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const words = [];
  while (walker.nextNode())
    if (!walker.currentNode.parentElement.closest('code, pre, script, style'))
      words.push(walker.currentNode.data);
  for (const element of document.body.querySelectorAll('*'))
    for (const name of ['aria-label', 'title', 'placeholder', 'alt'])
      words.push(element.getAttribute(name) ?? '');
  return words;
})()`;

describe.skipIf(!hasBrowser || !hasFfmpeg)('every page (needs Chromium and ffmpeg)', () => {
  beforeAll(async () => {
    pages = await startEveryPage();
  }, 120_000);

  afterAll(async () => {
    await pages?.close();
    expect(pages.complaints).toEqual([]);
  });

  test('has an address here', () => {
    expect(patterns.length).toBeGreaterThan(40);
    expect(patterns.filter((pattern) => pages.addresses[pattern] === undefined)).toEqual([]);
    expect(eachPage().filter((address) => /\/(undefined)?(\/|$)/.test(address.slice(1)))).toEqual(
      [],
    );
  });

  test.each(Object.entries(sizes))(
    'is accessible on a %s, in light, in dark and in forced colours, and needs no scrolling sideways',
    async (size, viewport) => {
      const { page, context } = await pages.signedIn({ viewport });
      const found: string[] = [];
      for (const address of eachPage()) {
        const shown =
          size === 'television' ? `${address}${address.includes('?') ? '&' : '?'}tv` : address;
        await openWhole(page, shown);
        const note = (how: string, texts: readonly string[]): void =>
          void found.push(...texts.map((text) => `${address} ${how}: ${text}`));
        await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none' });
        note('in light', await flaws(page, rules));
        await page.emulateMedia({ colorScheme: 'dark', forcedColors: 'none' });
        note('in dark', await flaws(page, ['color-contrast']));
        await page.emulateMedia({ colorScheme: 'dark', forcedColors: 'active' });
        note('in forced colours', await flaws(page, ['color-contrast']));
        const wider = await page.evaluate<number>(isWider);
        if (wider > 0) note('is wider', [`${wider} px`]);
      }
      expect(found).toEqual([]);
      await context.close();
    },
    900_000,
  );

  test('fits a window of 1280 pixels at 400 %', async () => {
    const { page, context } = await pages.signedIn({ viewport: { width: 320, height: 256 } });
    const wide: string[] = [];
    for (const address of eachPage()) {
      await openWhole(page, address);
      const wider = await page.evaluate<number>(isWider);
      if (wider > 0) wide.push(`${address}: ${wider} px`);
    }
    expect(wide).toEqual([]);
    await context.close();
  }, 300_000);

  test('says a route, a code or an id to nobody', async () => {
    const { page, context } = await pages.signedIn({ viewport: sizes.desk });
    const said: string[] = [];
    for (const address of eachPage()) {
      if (/^\/admin\/(logs|audit)$/.test(address)) continue;
      await openWhole(page, address);
      for (const words of await page.evaluate<readonly string[]>(wordsOf))
        if (notForPeople.test(words)) said.push(`${address}: ${words}`);
    }
    expect(said).toEqual([]);
    await context.close();
  }, 300_000);

  test('has no words beside the catalogue, and is mirrored without scrolling sideways', async () => {
    const { page, context } = await pages.signedIn({ viewport: sizes.desk });
    await context.addInitScript(
      "sessionStorage.setItem('locale', 'en-XA'); sessionStorage.setItem('dir', 'rtl')",
    );
    // Plugins, people and genres have names of their own, and the browser names languages.
    const { plugins } = await pages.server.get<{ plugins: readonly Named[] }>('/api/plugins');
    const { users } = await pages.server.get<{ users: readonly Named[] }>('/api/users');
    const { entities: genres } = await pages.server.get<{ entities: readonly Named[] }>(
      '/api/entities?type=genre',
    );
    const languages = new Intl.DisplayNames(['en'], { type: 'language' });
    const names = new Set([
      ...[...plugins, ...users, ...genres].map(({ name }) => name),
      ...languageTags.map((tag) => languages.of(tag) ?? tag),
    ]);
    const found: string[] = [];
    for (const address of eachPage()) {
      await page.setViewportSize(sizes.desk);
      await openWhole(page, address);
      const plain = await page.evaluate<readonly string[]>(
        `[...document.querySelectorAll('button, option, label, h2, legend, summary, dt, th, .empty p, .fine, .bar nav span')]
          .filter((element) => !element.closest('.piece') && element.querySelector('bdi, code, select, input, small') === null && element.closest('bdi') === null)
          .map((element) => element.textContent.trim())
          .filter((text) => /[a-z]{3}/.test(text) && !text.includes('[!!'))`,
      );
      found.push(...plain.filter((text) => !names.has(text)).map((text) => `${address}: ${text}`));
      for (const viewport of [sizes.desk, sizes.phone]) {
        await page.setViewportSize(viewport);
        const wider = await page.evaluate<number>(isWider);
        if (wider > 0) found.push(`${address} at ${viewport.width}: ${wider} px wider`);
      }
    }
    expect(found).toEqual([]);
    await context.close();
  }, 300_000);

  test('is walked by keys alone, in the order of the document, and each stop is seen', async () => {
    const { page, context } = await pages.signedIn({ viewport: sizes.desk });
    const missed: string[] = [];
    for (const address of eachPage()) {
      await openWhole(page, address);
      // What comes after the page is a stop as well. A film is loaded for long.
      if (!address.startsWith('/watch/')) await page.waitForLoadState('networkidle');
      const jumps = await page.evaluate<number>(
        `[...document.querySelectorAll('[tabindex]')].filter(({ tabIndex }) => tabIndex > 0).length`,
      );
      if (jumps > 0) missed.push(`${address}: an order of its own`);
      missed.push(...(await walkByKeys(page)).map((text) => `${address}: ${text}`));
    }
    expect(missed).toEqual([]);
    await context.close();
  }, 600_000);
});
