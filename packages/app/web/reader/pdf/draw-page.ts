/** Draws a page of a PDF: its picture, its text over it to be selected and read aloud, and its links. */
import {
  TextLayer,
  type PDFDocumentProxy,
  type PDFPageProxy,
} from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { Destination } from './contents.ts';
import { outsideOf } from './messages.ts';

/** The room for a page, in CSS pixels. */
export interface Room {
  readonly width: number;
  readonly height: number;
  /** `width` fills the width alone, and the page may be higher than the room. */
  readonly fit: 'page' | 'width';
}

/** Where links lead. */
export interface Links {
  /** What a link within the book is called. */
  readonly word: string;
  readonly inside: (destination: Destination) => void;
  readonly outside: (url: string) => void;
}

/** A page that is drawn, or will be. */
export interface DrawnPage {
  readonly element: HTMLElement;
  /** Rejects if the page cannot be drawn. */
  readonly done: Promise<void>;
  readonly stop: () => void;
}

/** A canvas with more pixels is refused by phones. */
const maxPixels = 16_000_000;
const maxSide = 8192;
const maxLinks = 500;

type Viewport = ReturnType<PDFPageProxy['getViewport']>;

/** Draws a page, from 1, into an element of its own. */
export function drawPage(
  pdf: PDFDocumentProxy,
  number: number,
  { room, links }: { readonly room: Room; readonly links: Links },
): DrawnPage {
  const element = document.createElement('article');
  const stops: (() => void)[] = [];
  let isStopped = false;

  async function draw(): Promise<void> {
    const page = await pdf.getPage(number);
    if (isStopped) return;
    stops.push(() => void page.cleanup());
    const viewport = page.getViewport({ scale: scaleOf(page.getViewport({ scale: 1 }), room) });
    element.style.width = `${viewport.width}px`;
    element.style.height = `${viewport.height}px`;
    element.style.setProperty('--total-scale-factor', String(viewport.scale));
    const canvas = document.createElement('canvas');
    const sharp = viewport.clone({ scale: viewport.scale * sharpnessOf(viewport) });
    [canvas.width, canvas.height] = [Math.ceil(sharp.width), Math.ceil(sharp.height)];
    element.replaceChildren(canvas);
    const task = page.render({ canvas, viewport: sharp });
    stops.unshift(() => task.cancel());
    await task.promise;
    if (isStopped) return;
    // A page whose text or links are damaged is shown without them.
    await Promise.allSettled([addText(page, viewport), addLinks(page, viewport)]);
  }

  async function addText(page: PDFPageProxy, viewport: Viewport): Promise<void> {
    const container = document.createElement('div');
    container.className = 'text';
    element.append(container);
    const textContentSource = page.streamTextContent();
    const layer = new TextLayer({ textContentSource, container, viewport });
    stops.unshift(() => layer.cancel());
    await layer.render();
  }

  async function addLinks(page: PDFPageProxy, viewport: Viewport): Promise<void> {
    const found = (await page.getAnnotations({ intent: 'display' })) as readonly Annotation[];
    for (const one of found.filter(({ subtype }) => subtype === 'Link').slice(0, maxLinks)) {
      const link = linkOf(one, links);
      if (link === undefined || isStopped) continue;
      place(link, one.rect, viewport);
      element.append(link);
    }
  }

  return {
    element,
    done: draw().catch((error: unknown) => {
      if (!isStopped) throw error;
    }),
    stop: () => {
      isStopped = true;
      for (const stop of stops) stop();
    },
  };
}

function scaleOf({ width, height }: Viewport, room: Room): number {
  const byWidth = room.width / Math.max(1, width);
  return room.fit === 'width' ? byWidth : Math.min(byWidth, room.height / Math.max(1, height));
}

/** How many pixels of the canvas a CSS pixel has. */
function sharpnessOf({ width, height }: Viewport): number {
  const most = Math.sqrt(maxPixels / Math.max(1, width * height));
  return Math.min(devicePixelRatio, most, maxSide / width, maxSide / height);
}

interface Annotation {
  readonly subtype: string;
  readonly rect: readonly number[];
  readonly url?: string;
  readonly dest?: Destination;
}

function linkOf({ url, dest }: Annotation, links: Links): HTMLButtonElement | undefined {
  const outside = outsideOf(url);
  if (outside === undefined && dest == null) return undefined;
  const link = document.createElement('button');
  link.type = 'button';
  // The words of the link are in the text; its name is where it leads.
  link.title = outside?.host ?? '';
  link.ariaLabel = outside?.host ?? links.word;
  link.onclick = () => {
    if (outside !== undefined) links.outside(outside.href);
    else if (dest != null) links.inside(dest);
  };
  return link;
}

function place(link: HTMLElement, rect: readonly number[], viewport: Viewport): void {
  const { width, height } = viewport;
  const corner = (at: 0 | 2): readonly number[] =>
    viewport.convertToViewportPoint(rect[at] ?? 0, rect[at + 1] ?? 0) as readonly number[];
  const [[x1 = 0, y1 = 0], [x2 = 0, y2 = 0]] = [corner(0), corner(2)];
  const share = (part: number, whole: number): string => `${(100 * part) / whole}%`;
  link.style.left = share(Math.min(x1, x2), width);
  link.style.top = share(Math.min(y1, y2), height);
  link.style.width = share(Math.abs(x2 - x1), width);
  link.style.height = share(Math.abs(y2 - y1), height);
}
