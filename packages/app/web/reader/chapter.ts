/**
 * Draws a chapter into a document. Elements are made from a list of known ones, without their
 * attributes, so nothing of a book is script, style, form or address. A picture is room
 * for one; a link keeps its target in a map beside the document.
 */
import type { XmlElement } from './xml.ts';

/** What came of a chapter. */
export interface DrawnChapter {
  /** Where the links lead, as the book says it. */
  readonly links: ReadonlyMap<Element, string>;
  /** The elements of places by the id that the book gives them. */
  readonly places: ReadonlyMap<string, Element>;
  /** The canvases that keep the room of a picture, with its name. */
  readonly pictures: ReadonlyMap<HTMLCanvasElement, string>;
}

const known = new Set(
  (
    'a abbr address article aside b bdi bdo big blockquote br caption cite code dd del details dfn div dl dt ' +
    'em figcaption figure footer h1 h2 h3 h4 h5 h6 header hr i ins kbd li main mark nav ol p pre q rp rt ruby ' +
    's samp section small span strong sub summary sup table tbody td tfoot th thead time tr u ul var wbr'
  ).split(' '),
);
/** Left out with all that is in them. */
const dropped = new Set(
  'script style head title template iframe object embed audio video noscript form input button select textarea math'.split(
    ' ',
  ),
);
const direction = /^(ltr|rtl|auto)$/;
const language = /^[a-z]{2,3}(-[a-z\d]{2,8})*$/i;
const span = /^([1-9]|[1-9]\d)$/;

/** Puts a chapter in a body. `pictureWord` is said for a picture without words. */
export function drawChapter(
  chapter: XmlElement,
  body: HTMLElement,
  pictureWord: string,
): DrawnChapter {
  const links = new Map<Element, string>();
  const places = new Map<string, Element>();
  const pictures = new Map<HTMLCanvasElement, string>();
  const page = body.ownerDocument;

  function addPicture(into: Element, attributes: ReadonlyMap<string, string>): void {
    const canvas = page.createElement('canvas');
    canvas.setAttribute('role', 'img');
    canvas.setAttribute('aria-label', attributes.get('alt')?.slice(0, 500) ?? pictureWord);
    [canvas.width, canvas.height] = [0, 0];
    pictures.set(canvas, attributes.get('src') ?? attributes.get('href') ?? '');
    into.append(canvas);
  }

  function keep(element: Element, { attributes, name }: XmlElement): void {
    const id = attributes.get('id');
    if (id !== undefined && !places.has(id)) places.set(id, element);
    const checked = { dir: direction, lang: language, colspan: span, rowspan: span };
    for (const [key, pattern] of Object.entries(checked)) {
      const value = attributes.get(key);
      if (value !== undefined && pattern.test(value)) element.setAttribute(key, value);
    }
    const href = attributes.get('href');
    if (name !== 'a' || href === undefined) return;
    links.set(element, href);
    element.setAttribute('role', 'link');
  }

  function add(into: Element, { children }: XmlElement): void {
    for (const child of children) {
      if (typeof child === 'string') into.append(child);
      else if (child.name === 'img' || child.name === 'image') addPicture(into, child.attributes);
      else if (dropped.has(child.name)) continue;
      else if (known.has(child.name)) {
        const element = page.createElement(child.name);
        keep(element, child);
        into.append(element);
        add(element, child);
      } else add(into, child);
    }
  }

  body.replaceChildren();
  add(body, chapter);
  return { links, places, pictures };
}
