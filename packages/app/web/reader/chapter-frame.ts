/**
 * A chapter in a frame, in pages beside each other. The frame is `about:blank` in a sandbox without
 * scripts, and has the policy of the app, so nothing in it reaches out. A browser draws no canvas in
 * such a frame, so pictures lie over it, where the chapter leaves room for them.
 */
import { t } from '../core/messages.ts';
import { drawChapter, type DrawnChapter } from './chapter.ts';
import { chapterStyle, pageGap, type PageBox } from './chapter-style.ts';
import type { ContentsTarget, Epub } from './epub.ts';
import { settings } from './settings.ts';
import { elementsOf } from './xml.ts';
import type { Zip } from './zip.ts';

/** The chapter that is shown. */
export interface ChapterFrame {
  /** Shows a chapter at a share of its length, or at a place by its id. */
  readonly open: (chapter: number, at: number | string) => Promise<void>;
  /** Turns a page; `false` = the chapter has no such page. */
  readonly turn: (by: -1 | 1) => boolean;
  readonly chapter: () => number;
  /** Draws the same place with the present settings. */
  readonly restyle: () => void;
  readonly close: () => void;
}

interface Parts {
  readonly zip: Zip;
  readonly epub: Epub;
  readonly moved: (chapter: number, share: number) => void;
  readonly follow: (target: ContentsTarget) => void;
}

/** The widest line of text that is read with ease, in pixels at the usual size. */
const maxLine = 680;

/** Creates it over a frame that is in the page. */
export function createChapterFrame(
  frame: HTMLIFrameElement,
  over: HTMLElement,
  parts: Parts,
): ChapterFrame {
  const { epub, zip } = parts;
  const page = frame.contentDocument;
  const view = frame.contentWindow;
  if (page === null || view === null) throw new Error('The frame is not in a page.');
  const sheet = new (view as Window & typeof globalThis).CSSStyleSheet();
  page.adoptedStyleSheets = [sheet];
  let chapter = 0;
  let at = 0;
  let serial = 0;
  let drawn: DrawnChapter | undefined;
  /** What is drawn over the room of each picture. */
  const overlays = new Map<HTMLCanvasElement, HTMLCanvasElement>();

  const box = (): PageBox => ({ width: frame.clientWidth, height: frame.clientHeight });
  const step = (): number => box().width + pageGap;
  const count = (): number =>
    Math.max(1, Math.round((page.documentElement.scrollWidth + pageGap) / step()));
  const share = (): number => (count() === 1 ? 0 : at / count());

  function show(to: number): void {
    at = Math.min(count() - 1, Math.max(0, to));
    const isRight = page?.documentElement.dir === 'rtl';
    view?.scrollTo({ left: at * step() * (isRight ? -1 : 1), top: 0, behavior: 'instant' });
    placePictures();
    parts.moved(chapter, at === count() - 1 ? 1 : share());
  }

  function placePictures(): void {
    for (const [room, picture] of overlays) {
      const { left, top, width, height } = room.getBoundingClientRect();
      const isSeen = left < box().width && left + width > 0;
      picture.hidden = !isSeen;
      if (!isSeen) continue;
      const measures = { left, top, width, height };
      for (const [name, value] of Object.entries(measures))
        picture.style.setProperty(name, `${value}px`);
    }
  }

  function restyle(): void {
    const before = share();
    if (frame.parentElement !== null)
      frame.parentElement.style.maxWidth = `${(maxLine * settings.peek().textSize) / 100}px`;
    sheet.replaceSync(chapterStyle(settings.peek().theme, settings.peek().textSize, box()));
    if (drawn !== undefined) show(Math.round(before * count()));
  }

  /** Pictures come in the order of the chapter; one that is damaged stays a word. */
  async function drawPictures(mine: number, { pictures }: DrawnChapter): Promise<void> {
    const from = epub.chapters[chapter];
    if (from === undefined) return;
    for (const [canvas, name] of pictures) {
      const entry = epub.picture(from, name);
      if (entry === undefined || mine !== serial) continue;
      const before = share();
      const picture = await zip
        .read(entry)
        .then((bytes) => createImageBitmap(new Blob([bytes])))
        .catch(() => null);
      if (picture === null || mine !== serial) continue;
      const overlay = document.createElement('canvas');
      for (const one of [canvas, overlay])
        [one.width, one.height] = [picture.width, picture.height];
      overlay.getContext('2d')?.drawImage(picture, 0, 0);
      overlays.set(canvas, overlay);
      over.append(overlay);
      picture.close();
      show(Math.round(before * count()));
    }
  }

  function pageOf(place: string): number {
    const element = drawn?.places.get(place);
    if (element === undefined) return 0;
    const { left, right } = element.getBoundingClientRect();
    const isRight = page?.documentElement.dir === 'rtl';
    return at + Math.floor(isRight ? (box().width - right) / step() : left / step());
  }

  async function open(wanted: number, place: number | string): Promise<void> {
    const mine = ++serial;
    const next = epub.chapters[wanted];
    if (next === undefined || page === null) return;
    if (drawn === undefined || wanted !== chapter) {
      const text = await epub.read(next);
      if (mine !== serial) return;
      const [body = text] = elementsOf(text, 'body');
      page.documentElement.lang = epub.language;
      page.documentElement.dir = epub.isRightToLeft ? 'rtl' : 'ltr';
      [chapter, at] = [wanted, 0];
      overlays.clear();
      over.replaceChildren();
      drawn = drawChapter(body, page.body, t('read.picture'));
      restyle();
      view?.scrollTo(0, 0);
      void drawPictures(mine, drawn);
    }
    show(typeof place === 'string' ? pageOf(place) : Math.floor(place * count()));
  }

  const press = (event: MouseEvent): void => {
    const from = epub.chapters[chapter];
    for (let element = event.target as Element | null; element !== null;) {
      const href = drawn?.links.get(element);
      if (href !== undefined && from !== undefined) {
        const target = epub.follow(from, href);
        if (target !== undefined) parts.follow(target);
        return;
      }
      element = element.parentElement;
    }
  };
  const pass = (event: KeyboardEvent): void => {
    const { key, ctrlKey, metaKey, altKey } = event;
    const copy = new KeyboardEvent('keydown', { key, ctrlKey, metaKey, altKey, cancelable: true });
    if (!window.dispatchEvent(copy)) event.preventDefault();
  };
  page.addEventListener('click', press);
  page.addEventListener('keydown', pass);
  const resized = new ResizeObserver(restyle);
  resized.observe(frame);
  return {
    open,
    turn: (by) => {
      const to = at + by;
      if (to < 0 || to >= count()) return false;
      show(to);
      return true;
    },
    chapter: () => chapter,
    restyle,
    close: () => {
      serial += 1;
      resized.disconnect();
    },
  };
}
