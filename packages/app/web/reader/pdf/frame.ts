/**
 * Runs PDF.js in a frame of an opaque origin, whose policy lets nothing in but its own scripts. It has
 * no network: bytes come over a port from the document around it, and what it tells goes there.
 */
import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import {
  contentsOf,
  isRightToLeft,
  languageOf,
  pageOf,
  type Contents,
  type Destination,
} from './contents.ts';
import { drawPage, type DrawnPage } from './draw-page.ts';
import { turningKeys, type FromFrame, type ToFrame } from './messages.ts';
import { openPdf, type Answers } from './open-pdf.ts';
import { startParser } from './parser.ts';

/** Pixels that a finger moves to turn a page. */
const swipePixels = 50;
/** The way of one press of an arrow key. */
const scrollPixels = 120;
const pageGap = 8;
/** Lines of text longer than this are hard to follow. */
const maxWidth = 1200;

const address = document.querySelector<HTMLMetaElement>('meta[name=parser]')?.content ?? '';
/** The script itself, where the document has all that it needs. */
const given = document.getElementById('parser')?.textContent ?? undefined;
// The worker has no address of its own that the script's could begin with.
const worker = startParser(new URL(address, location.href).href, given);

addEventListener('message', ({ source, data, ports: [port] }) => {
  if (source === parent && data === 'port' && port !== undefined) serve(port);
});

function serve(port: MessagePort): void {
  let answers: Answers | undefined;
  let pdf: PDFDocumentProxy | undefined;
  let contents: Contents = { lines: [], destinations: [] };
  let shown: Extract<ToFrame, { readonly type: 'show' }> | undefined;
  let drawn: readonly DrawnPage[] = [];
  let linkWord = '';
  const send = (message: FromFrame): void => port.postMessage(message);
  const goTo = async (destination: Destination): Promise<void> => {
    const page = pdf === undefined ? undefined : await pageOf(pdf, destination);
    if (page !== undefined) send({ type: 'go', page });
  };

  async function open(size: number): Promise<void> {
    try {
      const opening = openPdf(size, { worker: await worker, send });
      answers = opening.answers;
      const opened = await opening.pdf;
      contents = await contentsOf(opened);
      pdf = opened;
      document.documentElement.lang = await languageOf(opened);
      send({
        type: 'opened',
        pages: opened.numPages,
        contents: contents.lines,
        isRightToLeft: await isRightToLeft(opened),
      });
    } catch {
      send({ type: 'failed', problem: 'damaged' });
    }
  }

  function draw(): void {
    for (const one of drawn) one.stop();
    const [file, wanted] = [pdf, shown];
    if (file === undefined || wanted === undefined) return;
    const { pages, fit } = wanted;
    document.documentElement.dataset['theme'] = wanted.theme;
    document.body.dataset['fit'] = fit;
    document.body.dir = wanted.isRightToLeft ? 'rtl' : 'ltr';
    const { clientWidth, clientHeight } = document.documentElement;
    const width = Math.floor(
      (Math.min(clientWidth, fit === 'width' ? maxWidth : Infinity) - pageGap) / pages.length,
    );
    drawn = pages.map((page) =>
      drawPage(file, page, {
        room: { width, height: clientHeight, fit },
        links: {
          word: linkWord,
          inside: (to) => void goTo(to),
          outside: (url) => send({ type: 'out', url }),
        },
      }),
    );
    document.body.replaceChildren(...drawn.map(({ element }) => element));
    drawn.forEach(({ done }, at) => {
      const page = pages[at] ?? 0;
      done.then(
        () => send({ type: 'drawn', page, isBroken: false }),
        () => send({ type: 'drawn', page, isBroken: true }),
      );
    });
  }

  port.onmessage = ({ data }) => {
    const message = data as ToFrame;
    switch (message.type) {
      case 'open':
        linkWord = message.linkWord;
        void open(message.size);
        break;
      case 'bytes':
        answers?.bytes(message.start, message.bytes);
        break;
      case 'asset':
        answers?.asset(message.id, message.bytes);
        break;
      case 'password':
        answers?.password(message.text);
        break;
      case 'show':
        if (message.pages.join() !== shown?.pages.join()) scrollTo(0, 0);
        shown = message;
        draw();
        break;
      case 'follow':
        void goTo(contents.destinations[message.line] ?? null);
        break;
      case 'scroll':
        scrollBy({ top: (message.isDown ? 1 : -1) * scrollPixels });
    }
  };
  followPerson(send);
  followSize(draw);
}

/** Keys and fingers that turn pages go to the document: it turns them. */
function followPerson(send: (message: FromFrame) => void): void {
  addEventListener('keydown', (event) => {
    const { key, ctrlKey, metaKey, altKey, target } = event;
    if (!turningKeys.has(key) || ctrlKey || metaKey || altKey) return;
    if (key === ' ' && target instanceof HTMLButtonElement) return;
    event.preventDefault();
    send({ type: 'key', key });
  });
  let from: number | null = null;
  addEventListener('pointerdown', ({ pointerType, clientX }) => {
    const isWide = document.documentElement.scrollWidth > document.documentElement.clientWidth;
    from = pointerType === 'touch' && !isWide ? clientX : null;
  });
  addEventListener('pointerup', ({ clientX }) => {
    const moved = from === null ? 0 : clientX - from;
    from = null;
    if (Math.abs(moved) > swipePixels) send({ type: 'swipe', isRight: moved < 0 });
  });
}

/** Draws again when the window has another size, once it has settled. */
function followSize(draw: () => void): void {
  const settleMs = 150;
  let timer: ReturnType<typeof setTimeout> | undefined;
  addEventListener('resize', () => {
    clearTimeout(timer);
    timer = setTimeout(draw, settleMs);
  });
}
