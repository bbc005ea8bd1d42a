/** A real browser for tests of pages. It is the machine's own: nothing is downloaded. */
import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

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
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
}
