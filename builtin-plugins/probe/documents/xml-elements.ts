/**
 * The elements of a small XML document, flat and in order. It makes one pass without recursion, so
 * depth, length and entities of the document do not make it slow. Prefixes of names are dropped.
 */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** The text directly in it, before any child element. */
  readonly text: string;
}

const mostElements = 20_000;
const longestText = 64_000;

export function readXmlElements(xml: string): readonly XmlElement[] {
  const elements: XmlElement[] = [];
  for (let at = xml.indexOf('<'); at >= 0 && elements.length < mostElements;) {
    const behind = skipOther(xml, at);
    if (behind !== undefined) {
      at = xml.indexOf('<', behind);
      continue;
    }
    const end = endOfTag(xml, at);
    if (end < 0) break;
    const next = xml.indexOf('<', end + 1);
    if (xml[at + 1] !== '/') {
      const tag = xml.slice(at + 1, end);
      const isEmpty = tag.endsWith('/');
      elements.push({ ...readTag(tag), text: isEmpty ? '' : textFrom(xml, end + 1) });
    }
    at = next;
  }
  return elements;
}

/** The end of a comment, a CDATA section, a declaration or an instruction. */
function skipOther(xml: string, at: number): number | undefined {
  if (xml.startsWith('<!--', at)) return behindOf(xml, '-->', at + 4);
  if (xml.startsWith('<![CDATA[', at)) return behindOf(xml, ']]>', at + 9);
  if (xml.startsWith('<?', at)) return behindOf(xml, '?>', at + 2);
  if (xml.startsWith('<!', at)) return behindOf(xml, '>', at + 2);
  return undefined;
}

function behindOf(xml: string, mark: string, from: number): number {
  const at = xml.indexOf(mark, from);
  return at < 0 ? xml.length : at + mark.length;
}

/** The `>` outside of quotes. */
function endOfTag(xml: string, from: number): number {
  let quote = '';
  for (let at = from + 1; at < xml.length; at++) {
    const character = xml.charAt(at);
    if (quote !== '') {
      if (character === quote) quote = '';
    } else if (character === '"' || character === "'") quote = character;
    else if (character === '>') return at;
  }
  return -1;
}

function readTag(tag: string): Omit<XmlElement, 'text'> {
  const name = /^[^\s/>]+/.exec(tag)?.[0] ?? '';
  const attributes: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const match of tag
    .slice(name.length)
    .matchAll(/([^\s=/"'<>]{1,100})\s*=\s*("[^"]*"|'[^']*')/g)) {
    attributes[localName(match[1] ?? '')] = decodeEntities((match[2] ?? '').slice(1, -1));
  }
  return { name: localName(name), attributes };
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** Text and CDATA sections up to the next tag. */
function textFrom(xml: string, from: number): string {
  let text = '';
  for (let at = from; at < xml.length && text.length < longestText;) {
    const next = xml.indexOf('<', at);
    text += decodeEntities(xml.slice(at, next < 0 ? xml.length : next));
    if (next < 0 || !xml.startsWith('<![CDATA[', next)) break;
    const end = behindOf(xml, ']]>', next);
    text += xml.slice(next + 9, end - 3);
    at = end;
  }
  return text.slice(0, longestText).trim();
}

const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

/** The entities of XML itself, and numbers. */
function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|[a-z]{1,8});/gi, (whole, body: string) => {
    if (!body.startsWith('#')) return named[body.toLowerCase()] ?? whole;
    const point = /^#x/i.test(body) ? Number.parseInt(body.slice(2), 16) : Number(body.slice(1));
    return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : '';
  });
}
