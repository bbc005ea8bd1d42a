/** The budgets of the app, measured by a real browser over a real server. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { bars, makeMedia, tone } from '../../support/media/media-files.ts';
import { hasBrowser, openBrowser } from '../../support/servers/browser.ts';
import { jobsOver } from '../../support/servers/scan.ts';
import { startServer, type TestServer } from '../../support/servers/server.ts';
import type { Figure } from '../figure.ts';
import { createFilmTree } from '../film-tree.ts';
import { indexed, scansEnd } from '../scan.ts';
import { fileFigures } from './files.ts';
import { firstLoadFigures } from './first-load.ts';
import { gridFigures } from './grid.ts';
import { playFigures } from './playing.ts';
import { sized } from '../size.ts';

const posters = sized(60, 4);
const film = [
  ...[...bars(30), ...tone(30), '-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'],
  ...['-g', '24', '-c:a', 'aac', '-movflags', '+faststart'],
];

/** Measures all, or what `only` names: `files`, `load`, `play` or `grid`. */
export async function benchWeb(titles: number, only = ''): Promise<readonly Figure[]> {
  const isAsked = (name: string): boolean => only === '' || only === name;
  const figures = isAsked('files') ? [...fileFigures()] : [];
  if (!hasBrowser) {
    console.log('There is no Chromium; set CHROMIUM to measure pages.');
    return figures;
  }
  if (isAsked('load') || isAsked('play')) figures.push(...(await overPosters(isAsked)));
  if (isAsked('grid')) figures.push(...(await overManyTitles(titles)));
  return figures;
}

/** Films with posters full of detail, of which the first one plays. */
function makeFilms(folder: string): void {
  execFileSync('ffmpeg', [
    ...['-v', 'error', '-f', 'lavfi', '-i', 'mandelbrot=size=1000x1500:rate=4'],
    ...['-frames:v', String(posters), '-q:v', '3', path.join(folder, '%d.jpg')],
  ]);
  const made = makeMedia('mp4', film);
  for (let at = 1; at <= posters; at += 1) {
    const name = `Film ${String(at).padStart(2, '0')} (${1950 + at})`;
    const place = path.join(folder, 'films', name);
    mkdirSync(place, { recursive: true });
    copyFileSync(made, path.join(place, `${name}.mp4`));
    copyFileSync(path.join(folder, `${at}.jpg`), path.join(place, 'poster.jpg'));
  }
}

async function overPosters(isAsked: (name: string) => boolean): Promise<readonly Figure[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'vitrine-bench-'));
  makeFilms(folder);
  const server = await startServer({ args: ['--library', `movies:Films:${folder}/films`] });
  await jobsOver(server, 600_000);
  const browser = await openBrowser();
  try {
    const { items } = await server.get<{ items: readonly { readonly id: string }[] }>(
      '/api/items?limit=1',
    );
    return [
      ...(isAsked('load') ? await firstLoadFigures(browser, server) : []),
      ...(isAsked('play') ? await playFigures(browser, server, items[0]?.id ?? '') : []),
    ];
  } finally {
    await browser.close();
    await server.stop();
    rmSync(folder, { recursive: true });
  }
}

async function overManyTitles(count: number): Promise<readonly Figure[]> {
  const tree = createFilmTree(count);
  const server: TestServer = await startServer({
    args: ['--library', `movies:Films:${tree.path}`, '--ingest', 'off'],
  });
  await scansEnd(server);
  await indexed(server);
  const browser = await openBrowser();
  try {
    const { libraries } = await server.get<{ libraries: readonly { readonly id: string }[] }>(
      '/api/libraries',
    );
    return await gridFigures(browser, server, libraries[0]?.id ?? '');
  } finally {
    await browser.close();
    await server.stop();
    tree.remove();
  }
}
