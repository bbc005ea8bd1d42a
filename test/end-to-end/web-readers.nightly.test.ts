/** Readers of books in a real browser: pages, places that are kept, and books that are hostile. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { strToU8, zipSync } from 'fflate';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makePdf } from '../support/pages/made-pdf.ts';
import { makePng } from '../support/pictures/made-png.ts';
import { eventually } from '../support/eventually.ts';
import { goOffline, hasBrowser, openBrowser } from '../support/servers/browser.ts';
import { startServer, type TestServer } from '../support/servers/server.ts';
import { testByNight } from '../support/run/test-by-night.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const password = 'correct horse battery';
let server: TestServer;
let browser: Browser;
let media: string;
let photos: string;
const ids = new Map<string, string>();
/** What pages asked for, beyond this server. */
const foreign: string[] = [];
const complaints: string[] = [];
/** A busy machine makes pictures slowly. */
const patient = { timeout: 120_000 };

/** Of one sign-in: to check a password takes longer than to show most pages. */
let session: Awaited<ReturnType<BrowserContext['cookies']>> = [];

const bookPassword = 'open the lock';

/** What no page of the PDF needs. */
const atlasSpare = 12_000_000;

const chapter = (name: string): Uint8Array =>
  strToU8(`<html xmlns="http://www.w3.org/1999/xhtml"><head><script>parent.hacked = 1</script>
    <link rel="stylesheet" href="http://stranger.invalid/a.css"/><style>@import url(http://stranger.invalid/b.css)</style>
    </head><body onload="parent.hacked = 2" style="background: url(http://stranger.invalid/c.png)">
    <h1>${name}</h1><p id="far"><img src="http://stranger.invalid/d.png" onerror="parent.hacked = 3" alt="Far"/>
    <img src="page.png" alt="Near"/><iframe src="http://stranger.invalid/"></iframe>
    <svg><script>parent.hacked = 4</script></svg><a href="two.xhtml">Go on</a>
    <a href="javascript:parent.hacked = 5">Trap</a> <a href="https://stranger.invalid/">Out</a></p>
    ${'<p>The keeper walked to the pier and looked at the sea for a long while.</p>'.repeat(200)}</body></html>`);

function writeBooks(): void {
  const page = makePng({ width: 40, height: 60 });
  const names = Array.from({ length: 12 }, (_, at) => `page ${at + 1}.png`);
  const pages = Object.fromEntries(names.map((name) => [name, page]));
  const manga = strToU8('<ComicInfo><Manga>YesAndRightToLeft</Manga></ComicInfo>');
  const write = (name: string, files: Parameters<typeof zipSync>[0]): void =>
    writeFileSync(path.join(media, name), zipSync(files));
  write('Lanterns v01.cbz', { ...pages, 'page 3.png': strToU8('not a picture') });
  write('Ferry v01.cbz', { ...pages, 'ComicInfo.xml': manga });
  write('Ann Lee - Lighthouse.epub', {
    'META-INF/container.xml': strToU8('<container><rootfile full-path="b.opf"/></container>'),
    'b.opf': strToU8(`<package><manifest><item id="n" href="n.xhtml" properties="nav"/>
      <item id="1" href="one.xhtml"/><item id="2" href="two.xhtml"/></manifest>
      <spine><itemref idref="1"/><itemref idref="2"/></spine></package>`),
    'n.xhtml': strToU8(
      '<nav epub:type="toc"><ol><li><a href="one.xhtml">The pier</a></li><li><a href="two.xhtml">The storm</a></li></ol></nav>',
    ),
    'one.xhtml': chapter('The pier'),
    'two.xhtml': chapter('The storm'),
    'page.png': page,
  });
  writeFileSync(path.join(media, 'Ben Ito - Atlas.pdf'), makePdf({ spareBytes: atlasSpare }));
  writeFileSync(path.join(media, 'Ben Ito - Sealed.pdf'), makePdf({ password: bookPassword }));
  writeFileSync(
    path.join(media, 'Ben Ito - Torn.pdf'),
    'this is not a PDF at all, but long enough',
  );
  writeFileSync(
    path.join(media, 'Broken v01.cbz'),
    'this is not an archive at all, but long enough',
  );
}

/** `bypassCSP` lets a test add its own script, which the policy of the pages refuses. */
async function reader(title: string, { bypassCSP = false, at = 'read' } = {}): Promise<Page> {
  const context = await browser.newContext({
    baseURL: server.url,
    // Colours that change slowly are not read halfway.
    ...(bypassCSP && { bypassCSP, reducedMotion: 'reduce' as const }),
  });
  if (session.length === 0) {
    await context.request.post('/api/auth/login', {
      data: { name: 'Grace', password },
      headers: { 'x-session': 'cookie' },
    });
    session = await context.cookies();
  } else await context.addCookies(session);
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  page.on('request', (request) => {
    // The worker of the frame for PDFs is a text of its own.
    if (!request.url().startsWith(server.url) && !/^(about:|blob:null\/)/.test(request.url()))
      foreign.push(request.url());
  });
  page.on('pageerror', (error) => void complaints.push(error.message));
  page.on('console', (line) => void (line.type() === 'error' && complaints.push(line.text())));
  await page.goto(`/${at}/${ids.get(title)}`);
  return page;
}

const place = (page: Page) => page.locator('.reader-place');
const positionOf = async (page: Page, title: string): Promise<number> => {
  const reply = await page.request.get(`/api/items/${ids.get(title)}/playback`);
  const { playback } = (await reply.json()) as { readonly playback: { readonly position: number } };
  return playback.position;
};

/** What axe finds wrong with the page as it is now. */
async function violationsOf(page: Page): Promise<readonly string[]> {
  // Texts of the book are the author's, so its frame is left out.
  const found = await page.evaluate(`(async () => {
    if (window.axe === undefined) { ${axe} }
    return window.axe.run({ exclude: ['iframe'] });
  })()`);
  const { violations } = found as {
    readonly violations: readonly { readonly id: string; readonly nodes: readonly object[] }[];
  };
  return violations.map(({ id, nodes }) => `${id}: ${JSON.stringify(nodes).slice(0, 400)}`);
}

/** The names of the controls that the Tab key reaches, in their order. */
async function walk(page: Page): Promise<readonly string[]> {
  const names: string[] = [];
  for (let step = 0; step < 20; step += 1) {
    await page.keyboard.press('Tab');
    const name = await page.evaluate(`(() => {
      const now = document.activeElement;
      if (now === null || now === document.body) return null;
      const isSeen = getComputedStyle(now).outlineStyle !== 'none' || now.tagName === 'IFRAME';
      return (isSeen ? '' : 'unseen: ') + (now.getAttribute('aria-label') ?? now.textContent.trim());
    })()`);
    if (typeof name !== 'string' || names.includes(name)) return names;
    names.push(name);
  }
  return names;
}

describe.skipIf(!hasBrowser)('readers (need Chromium)', () => {
  beforeAll(async () => {
    media = mkdtempSync(path.join(tmpdir(), 'vitrine-books-'));
    writeBooks();
    photos = mkdtempSync(path.join(tmpdir(), 'vitrine-photos-'));
    mkdirSync(path.join(photos, 'Harbour'));
    for (const [name, width] of Object.entries({ '2019-05-12 Dawn': 60, '2021-07-04 Noon': 90 }))
      writeFileSync(path.join(photos, 'Harbour', `${name}.png`), makePng({ width, height: 60 }));
    [server, browser] = await Promise.all([startServer(), openBrowser()]);
    await server.request('POST', '/api/users', { name: 'Grace', password, role: 'user' });
    await server.request('POST', '/api/libraries', { name: 'B', type: 'books', roots: [media] });
    await server.request('POST', '/api/libraries', { name: 'P', type: 'photos', roots: [photos] });
    await eventually('the books and the photos are there', async () => {
      const { items } = await server.get<{
        readonly items: readonly {
          readonly id: string;
          readonly files: readonly { readonly filename: string }[];
        }[];
      }>('/api/items?limit=20');
      for (const { id, files } of items)
        ids.set(
          /Lanterns|Ferry|Lighthouse|Broken|Atlas|Sealed|Torn|Dawn|Noon/.exec(
            files[0]?.filename ?? '',
          )?.[0] ?? '',
          id,
        );
      return ids.size === 9;
    });
  });

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    for (const folder of [media, photos])
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    expect({ foreign, complaints }).toEqual({ foreign: [], complaints: [] });
  });

  testByNight(
    'a comic is read by keys, says which page is damaged, and goes on where it was left',
    async () => {
      const page = await reader('Lanterns');
      await page.locator('canvas[data-state=shown]').waitFor();
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('ArrowRight');
      await page.getByText('This page cannot be shown.').waitFor();
      await page.keyboard.press('ArrowRight');
      await expect.poll(() => place(page).innerText()).toBe('4 of 12');
      await expect.poll(() => positionOf(page, 'Lanterns'), patient).toBe(4);
      await page.reload();
      await expect.poll(() => place(page).innerText()).toBe('4 of 12');
      await page.getByRole('button', { name: 'Two pages side by side' }).click();
      await expect.poll(() => page.locator('canvas[data-state=shown]').count()).toBe(2);
      await page.context().close();
    },
  );

  testByNight('a manga is read from right to left', async () => {
    const page = await reader('Ferry');
    await page.locator('canvas[data-state=shown]').waitFor();
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => place(page).innerText()).toBe('2 of 12');
    await page.context().close();
  });

  test('a hostile book is drawn, runs nothing and asks nobody', async () => {
    const page = await reader('Lighthouse');
    const text = page.frameLocator('.epub-sheet iframe');
    await text.getByRole('heading', { name: 'The pier' }).waitFor();
    expect(
      await text
        .locator('script, iframe, svg, style, link, [style], [onerror], [href], [src]')
        .count(),
    ).toBe(0);
    await expect
      .poll(() => text.getByRole('img', { name: 'Near' }).getAttribute('width'))
      .toBe('40');
    await expect.poll(() => page.locator('.epub-pictures canvas').count()).toBe(1);
    await text.getByText('Trap').click();
    await text.getByText('Out').click();
    await text.getByText('Go on').click();
    await text.getByRole('heading', { name: 'The storm' }).waitFor();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => positionOf(page, 'Lighthouse'), patient).toBeGreaterThan(5);
    await page.reload();
    await text.getByRole('heading', { name: 'The storm' }).waitFor();
    await page.setViewportSize({ width: 320, height: 640 });
    const bar = await page.locator('.reader-bar').boundingBox();
    expect(bar?.width).toBe(320);
    await page.getByRole('button', { name: 'Contents' }).click();
    await page.getByRole('button', { name: 'The pier' }).click();
    await text.getByRole('heading', { name: 'The pier' }).waitFor();
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    await page.context().close();
  });

  testByNight(
    'a PDF is read by keys, links and contents, by ranges alone, and goes on where it was left',
    async () => {
      const page = await reader('Atlas');
      let readBytes = 0;
      const asked: string[] = [];
      page.on('request', (request) => {
        asked.push(new URL(request.url()).pathname);
        const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(request.headers()['range'] ?? '') ?? [];
        if (request.url().includes('/stream')) readBytes += end ? Number(end) - Number(start) : 1e9;
      });
      await page.waitForURL('**/read/pdf/*');
      const text = page.frameLocator('.pdf-sheet iframe');
      await text.getByText('The first page of the atlas').waitFor(patient);
      await page.keyboard.press('ArrowRight');
      await text.getByText('Page 2 of the atlas').waitFor();
      await expect.poll(() => place(page).innerText()).toBe('2 of 6');
      // In the frame, which has the focus after that, keys turn the pages as well.
      await text.getByRole('button', { name: 'Link in the book' }).click();
      await text.getByText('Page 4 of the atlas').waitFor();
      await page.keyboard.press('PageDown');
      await text.getByText('Page 5 of the atlas').waitFor();
      await expect.poll(() => positionOf(page, 'Atlas'), patient).toBe(5);
      await page.getByRole('button', { name: 'Contents' }).click();
      await page.getByRole('button', { name: 'The islands' }).click();
      await text.getByText('Page 3 of the atlas').waitFor();
      await expect.poll(() => positionOf(page, 'Atlas'), patient).toBe(3);
      await page.reload();
      await text.getByText('Page 3 of the atlas').waitFor(patient);
      await page.getByRole('button', { name: 'Two pages side by side' }).click();
      await text.getByText('Page 2 of the atlas').waitFor();
      await page.getByRole('button', { name: 'As wide as the window' }).click();
      await expect.poll(() => page.locator('.pdf-sheet').getAttribute('data-state')).toBe('shown');
      // Once the page is higher than the window, the arrow keys move it.
      const frame = page.frames().find((one) => one.url().endsWith('/web/pdf-frame.html'));
      const isHigher = 'document.documentElement.scrollHeight > innerHeight + 1';
      await expect.poll(() => frame?.evaluate(isHigher)).toBe(true);
      await page.keyboard.press('ArrowDown');
      await expect.poll(() => frame?.evaluate('scrollY')).toBeGreaterThan(0);
      expect(readBytes).toBeLessThan(atlasSpare / 4);
      expect(asked.some((name) => name.startsWith('/web/pdf/'))).toBe(true);
      await page.context().close();
    },
  );

  testByNight(
    'a hostile PDF runs nothing, reaches nothing, and leads out only past the name of the site',
    async () => {
      const page = await reader('Atlas');
      const text = page.frameLocator('.pdf-sheet iframe');
      await text
        .getByText(/of the atlas/)
        .first()
        .waitFor(patient);
      await page.keyboard.press('Home');
      await text.getByRole('button', { name: 'stranger.invalid' }).click();
      await page.getByRole('dialog').getByText('stranger.invalid').waitFor();
      const link = page.getByRole('link', { name: 'Open the site' });
      expect(await link.getAttribute('href')).toBe('https://stranger.invalid/map?of=1');
      expect(await link.getAttribute('rel')).toBe('noopener noreferrer');
      await page.getByRole('button', { name: 'Cancel' }).click();

      expect(complaints).toEqual([]);

      // What a PDF would find if it took PDF.js over.
      const frame = page.frames().find((one) => one.url().endsWith('/web/pdf-frame.html'));
      const found = await frame?.evaluate(`(async () => {
      // In a turn of its own, as a script of the page: what a test evaluates may do more.
      const turn = () => new Promise((resolve) => setTimeout(resolve));
      const tried = (act) => turn().then(act).then(() => 'done', (error) => error.name);
      return {
        origin: self.origin,
        around: await tried(() => parent.document.title),
        cookie: await tried(() => document.cookie),
        network: await tried(() => fetch('/api/auth/me')),
        text: await tried(() => eval('1')),
        script: await tried(() => { document.createElement('script').src = '/x.js'; }),
        parser: performance.getEntriesByType('resource').length > 0,
      };
    })()`);
      expect(found).toEqual({
        origin: 'null',
        around: 'SecurityError',
        cookie: 'SecurityError',
        network: 'TypeError',
        text: 'EvalError',
        script: 'TypeError',
        parser: true,
      });
      expect(complaints.every((line) => /Content Security Policy|TrustedScript/.test(line))).toBe(
        true,
      );
      complaints.splice(0);
      await page.context().close();
    },
  );

  testByNight(
    'a PDF with a password asks for it, says that it is wrong, and stores it nowhere',
    async () => {
      const page = await reader('Sealed');
      const dialog = page.getByRole('dialog', { name: 'This book has a password' });
      await dialog.getByLabel('Password').fill('not this one');
      await page.keyboard.press('Enter');
      await dialog.getByText('That is not the password of this book.').waitFor(patient);
      const field = dialog.getByLabel('Password');
      expect([await field.inputValue(), await field.getAttribute('autocomplete')]).toEqual([
        ...['', 'off'],
      ]);
      await field.fill(bookPassword);
      await dialog.getByRole('button', { name: 'Open' }).click();
      const text = page.frameLocator('.pdf-sheet iframe');
      await text.getByText('The first page of the atlas').waitFor(patient);
      await page.keyboard.press('ArrowRight');
      await text.getByText('Page 2 of the atlas').waitFor();
      const stored = await page.evaluate(
        'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state, location.href])',
      );
      expect(stored).not.toContain(bookPassword);
      await page.reload();
      await dialog.getByLabel('Password').waitFor(patient);
      await page.context().close();
    },
  );

  testByNight('a PDF that is torn is said in words and offered as a download', async () => {
    const page = await reader('Torn');
    await page.getByText('This file is damaged.').waitFor(patient);
    await page.getByRole('link', { name: 'Download' }).waitFor();
    await page.context().close();
  });

  testByNight('a file that is not what its name says is offered as a download', async () => {
    const page = await reader('Broken');
    await page.getByText('This file is not a ZIP archive').waitFor();
    await page.getByRole('link', { name: 'Download' }).waitFor();
    await page.context().close();
  });

  testByNight(
    'axe finds nothing wrong with the readers, light and dark, and the Tab key reaches each control',
    async () => {
      const shown = {
        Lanterns: '.reader-place',
        Lighthouse: '.epub-sheet iframe',
        Broken: 'a[download]',
        Atlas: '.pdf-sheet[data-state=shown]',
      };
      const found: string[] = [];
      for (const [title, sign] of Object.entries(shown)) {
        const page = await reader(title, { bypassCSP: true });
        await page.locator(sign).waitFor();
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          for (const text of await violationsOf(page))
            found.push(`${title}, ${colorScheme}: ${text}`);
        }
        if (title === 'Lanterns')
          expect(await walk(page)).toEqual(
            expect.arrayContaining(['Two pages side by side', 'Page', 'Next page']),
          );
        await page.context().close();
      }
      expect(found).toEqual([]);
    },
  );

  testByNight(
    'a photo keeps its shape, keys go to the next one and back, and axe finds nothing wrong',
    async () => {
      const [newest, older] = ['Noon', 'Dawn'];
      const shapeOf = (title: string): number => (title === 'Dawn' ? 1 : 1.5);
      const page = await reader(newest, { at: 'photos', bypassCSP: true });
      const shape = (): Promise<number> =>
        page.evaluate(`(() => {
        const image = document.querySelector('.lightbox-picture img');
        if (!image?.complete) return 0;
        // With 'contain' the picture fills the window and keeps its own shape in it.
        const isWhole = getComputedStyle(image).objectFit === 'contain';
        return isWhole ? image.naturalWidth / image.naturalHeight : -1;
      })()`);
      await expect.poll(shape, patient).toBeCloseTo(shapeOf(newest), 2);
      await page.getByRole('button', { name: 'Next photo' }).waitFor();
      await page.keyboard.press('ArrowRight');
      await page.waitForURL(`**/photos/${ids.get(older)}`);
      await expect.poll(shape, patient).toBeCloseTo(shapeOf(older), 2);
      await page.getByRole('button', { name: 'Previous photo' }).waitFor();
      await page.keyboard.press('i');
      await page.locator('.lightbox-facts').waitFor();

      const found: string[] = [];
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        found.push(...(await violationsOf(page)));
      }
      expect(found).toEqual([]);
      await page.keyboard.press('ArrowLeft');
      await page.waitForURL(`**/photos/${ids.get(newest)}`);
      await page.context().close();
    },
  );

  testByNight('photos are a timeline by month, and an album has its own order', async () => {
    const { libraries } = await server.get<{ libraries: readonly { id: string; name: string }[] }>(
      '/api/libraries',
    );
    const page = await reader('Noon', { at: 'photos' });
    await page.goto(`/libraries/${libraries.find(({ name }) => name === 'P')?.id}`);
    const tile = (title: string) => page.locator(`a.tile[href="/photos/${ids.get(title)}"]`);

    await page.locator('.month-now', { hasText: 'July 2021' }).waitFor();
    const years = page.getByRole('navigation', { name: 'Years' }).getByRole('button');
    await expect.poll(() => years.allTextContents(), patient).toEqual(['2021', '2019']);
    await tile('Noon').click();
    await page.getByRole('button', { name: 'Next photo' }).click();
    await page.waitForURL(`**/photos/${ids.get('Dawn')}`);
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: 'Albums' }).click();
    await page.getByRole('link', { name: 'Harbour' }).click();
    await tile('Dawn').waitFor();
    expect(await page.locator('a.tile').count()).toBe(2);
    await tile('Dawn').click();
    await page.getByRole('button', { name: 'Next photo' }).click();
    await page.waitForURL(`**/photos/${ids.get('Noon')}`);
    await page.getByRole('button', { name: 'Facts' }).click();
    await page.locator('.lightbox-facts', { hasText: 'July 4, 2021' }).waitFor();
    await page.context().close();
  });

  testByNight('Ctrl+K goes to a title, and the secondary button acts on a tile', async () => {
    const page = await reader('Ferry');
    await page.goto('/');
    await page.locator('a.tile').first().waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('lighth');
    await page
      .getByRole('option', { name: /Lighthouse/ })
      .first()
      .waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/items/${ids.get('Lighthouse')}`);
    await page.goBack();
    await page
      .locator(`a.tile[href$="${ids.get('Ferry')}"]`)
      .first()
      .click({ button: 'right' });
    await page.getByRole('button', { name: 'Favourite' }).click();
    await expect
      .poll(async () => {
        const reply = await page.request.get(`/api/items/${ids.get('Ferry')}`);
        return ((await reply.json()) as { readonly item: { readonly favourite: boolean } }).item
          .favourite;
      })
      .toBe(true);
    await page.context().close();
  });

  testByNight(
    'a book, a comic and a PDF are kept on the device and read without the server, which is then told',
    async () => {
      const page = await reader('Lighthouse', { at: 'items' });
      // The first download keeps the app as well, and comes back.
      await page.getByRole('button', { name: 'Download to this device' }).click();
      const kept = page.locator('.item').getByRole('link', { name: 'Downloads', exact: true });
      await kept.waitFor(patient);
      await page.goto(`/items/${ids.get('Lanterns')}`);
      await page.getByRole('button', { name: 'Download to this device' }).click();
      await kept.waitFor(patient);
      await page.goto(`/items/${ids.get('Atlas')}`);
      await page.getByRole('button', { name: 'Download to this device' }).click();
      await kept.waitFor(patient);
      await goOffline(page.context());

      await page.goto('/downloads');
      await page.getByRole('button', { name: /^Read .*Lighthouse/ }).click();
      const text = page.frameLocator('.epub-sheet iframe');
      for (const chapterName of ['The pier', 'The storm']) {
        await page.getByRole('button', { name: 'Contents' }).click();
        await page.getByRole('button', { name: chapterName }).click();
        await text.getByRole('heading', { name: chapterName }).waitFor();
      }
      await expect.poll(() => page.locator('.epub-pictures canvas').count()).toBe(1);
      const here = await place(page).innerText();
      await page.reload();
      await text.getByRole('heading', { name: 'The storm' }).waitFor();
      expect(await place(page).innerText()).toBe(here);
      await page.goBack();
      await page.getByRole('button', { name: /^Read .*Lanterns/ }).click();
      await page.locator('canvas[data-state=shown]').waitFor();
      await page.keyboard.press('End');
      await expect.poll(() => place(page).innerText()).toBe('12 of 12');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: /^Read .*Atlas/ }).click();
      const sheet = page.frameLocator('.pdf-sheet iframe');
      await sheet
        .getByText(/of the atlas/)
        .first()
        .waitFor(patient);
      await page.keyboard.press('End');
      await sheet.getByText('Page 6 of the atlas').waitFor();
      // It is as shut as with the server.
      const frame = page.frames().find((one) => one.url().endsWith('/web/pdf-frame.html'));
      expect(await frame?.evaluate('self.origin')).toBe('null');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: /^Read .*Lanterns/ }).waitFor();

      expect(await positionOf(page, 'Atlas')).toBeLessThan(6);
      expect(await positionOf(page, 'Lanterns')).toBeLessThan(12);
      await page.context().setOffline(false);
      await expect.poll(() => positionOf(page, 'Lanterns'), patient).toBe(12);
      await expect.poll(() => positionOf(page, 'Atlas'), patient).toBe(6);
      await expect
        .poll(() => positionOf(page, 'Lighthouse'), patient)
        .toBeGreaterThanOrEqual(Number.parseInt(here, 10) - 1);
      await page.context().close();
      complaints.splice(0);
    },
  );

  test('the installed app says when the server does not answer, and no page but that one may register it', async () => {
    const page = await reader('Ferry');
    const refused = await page.evaluate(
      "navigator.serviceWorker.register('/console/service-worker.js').then(() => '', String)",
    );
    expect(refused).toContain('TrustedScriptURL');
    complaints.splice(0);
    await page.goto('/install');
    await page.waitForURL('**/me');
    await goOffline(page.context());
    await page.goto('/libraries');
    await page.getByText('Vitrine does not answer.').waitFor();
    await page.context().close();
    complaints.splice(0);
  });
});
