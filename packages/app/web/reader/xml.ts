/**
 * A small XML reader for books. `trusted-types 'none'` shuts the one of the browser, and a book needs
 * little: elements, attributes, text. It knows no document types, so no entity grows; what is not
 * well-formed is read as well as it can be.
 */

/** An element of a document. Names are in lower case and without prefix. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlNode[];
}
export type XmlNode = XmlElement | string;

interface Open {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: XmlNode[];
}

const maxDepth = 200;
const maxElements = 200_000;
const token =
  /<!--[\s\S]*?-->|<!\[CDATA\[([\s\S]*?)\]\]>|<\?[\s\S]*?\?>|<![^>]*>|<\/\s*([^\s>]+)\s*>|<([^\s/>!?]+)((?:[^>"']|"[^"]*"|'[^']*'){0,4096}?)(\/?)>/g;
const attribute = /([^\s=/]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const empty = new Set(['area', 'base', 'br', 'col', 'hr', 'img', 'input', 'link', 'meta', 'wbr']);
const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  shy: '\u00ad',
  mdash: '—',
  ndash: '–',
  hellip: '…',
  copy: '©',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  laquo: '«',
  raquo: '»',
  bdquo: '„',
  sbquo: '‚',
};

const localName = (name: string): string => name.slice(name.lastIndexOf(':') + 1).toLowerCase();

/** Replaces the references of a text by what they mean. */
function unescape(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|(\w{2,8}));/g,
    (all, ten, hex, name) => {
      if (typeof name === 'string')
        return Object.hasOwn(entities, name) ? (entities[name] ?? all) : all;
      const code = typeof ten === 'string' ? Number(ten) : Number.parseInt(String(hex), 16);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
    },
  );
}

function attributesOf(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [, name = '', double, single] of text.matchAll(attribute))
    // `xlink:href` is as good as `href`; `epub:type` has to be told from `type`.
    found.set(
      name.startsWith('xlink:') ? localName(name) : name.toLowerCase(),
      unescape(double ?? single ?? ''),
    );
  return found;
}

/** Reads a document; the root has the name `#document`. */
export function parseXml(text: string): XmlElement {
  const root: Open = { name: '#document', attributes: new Map(), children: [] };
  const open: Open[] = [root];
  const top = (): Open => open.at(-1) ?? root;
  let last = 0;
  let elements = 0;
  const tell = (words: string): void => void (words !== '' && top().children.push(words));
  for (const match of text.matchAll(token)) {
    tell(unescape(text.slice(last, match.index)));
    last = match.index + match[0].length;
    const [, data, closed, opened, attributes = '', slash] = match;
    if (data !== undefined) tell(data);
    else if (closed !== undefined) close(open, localName(closed));
    else if (opened !== undefined && (elements += 1) <= maxElements) {
      const name = localName(opened);
      const element: Open = { name, attributes: attributesOf(attributes), children: [] };
      top().children.push(element);
      if (slash !== '/' && !empty.has(name) && open.length < maxDepth) open.push(element);
    }
  }
  tell(unescape(text.slice(last)));
  return root;
}

/** Closes the innermost element of the name with all in it; an end without a beginning is nothing. */
function close(open: Open[], name: string): void {
  const at = open.findLastIndex((element) => element.name === name);
  if (at > 0) open.length = at;
}

/** All elements of a name, in the order of the document. */
export function elementsOf(from: XmlElement, name: string): readonly XmlElement[] {
  const found: XmlElement[] = [];
  const walk = ({ children }: XmlElement): void => {
    for (const child of children) {
      if (typeof child === 'string') continue;
      if (child.name === name) found.push(child);
      walk(child);
    }
  };
  walk(from);
  return found;
}

/** The text of an element and of all in it, with single spaces. */
export function textOf(element: XmlElement): string {
  const parts: string[] = [];
  const walk = ({ children }: XmlElement): void => {
    for (const child of children)
      if (typeof child === 'string') parts.push(child);
      else walk(child);
  };
  walk(element);
  return parts.join('').replace(/\s+/g, ' ').trim();
}
