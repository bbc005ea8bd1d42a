/**
 * A tolerant reader of XML. It accepts common errors (a bare `&`, an extra end tag, a URL after the
 * document, several roots), resolves no entity that the document defines, opens nothing, and never
 * recurses. Every step moves forward, so its time is linear in the length of the text; a document
 * that is deeper or larger than any real one is refused.
 */
import { decodeEntities } from './entities.ts';
import type { XmlElement } from './xml-element.ts';

/** The parsed document. */
export interface XmlDocument {
  readonly roots: readonly XmlElement[];
  /** The text outside of all elements. */
  readonly outside: string;
}

/** The document, or the reason of the refusal. */
export type XmlReading =
  | { readonly ok: true; readonly document: XmlDocument }
  | { readonly ok: false; readonly reason: string };

const maxDepth = 32;
const maxMarks = 40_000;
const maxAttributes = 32;
/** After so many words in one tag the rest of it is skipped. */
const maxWords = 200;
const maxName = 100;
/** The longest text or value. */
const maxText = 65_536;

interface Growing {
  name: string;
  attributes: ReadonlyMap<string, string>;
  children: Growing[];
  text: string;
}

const noAttributes: ReadonlyMap<string, string> = new Map();

/** Reads a text. */
export function readXml(text: string): XmlReading {
  const top: Growing = { name: '', attributes: noAttributes, children: [], text: '' };
  const open: Growing[] = [top];
  let marks = 0;
  let at = 0;

  const current = (): Growing => open.at(-1) ?? top;
  const refuse = (reason: string): XmlReading => ({ ok: false, reason });

  while (at < text.length) {
    const next = text.indexOf('<', at);
    const end = next === -1 ? text.length : next;
    if (end > at) addText(current(), textAt(text, at, end));
    if (next === -1) break;
    marks += 1;
    if (marks > maxMarks) return refuse(`it has more than ${maxMarks} tags`);
    const second = text.charCodeAt(next + 1);
    if (second === slash) {
      const close = endOf(text, '>', next);
      closeElement(open, localName(text.slice(next + 2, close)));
      at = close + 1;
    } else if (second === bang) {
      at = passDeclaration(text, next, current());
    } else if (second === questionMark) {
      at = endOf(text, '?>', next) + 2;
    } else if (isNameStart(second)) {
      if (open.length > maxDepth) return refuse(`it is nested more than ${maxDepth} levels deep`);
      const tag = readTag(text, next + 1);
      const element = { name: tag.name, attributes: tag.attributes, children: [], text: '' };
      current().children.push(element);
      if (!tag.isClosed) open.push(element);
      at = tag.end;
    } else {
      addText(current(), '<');
      at = next + 1;
    }
  }
  return { ok: true, document: { roots: trimTexts(top.children), outside: top.text.trim() } };
}

const slash = 0x2f;
const bang = 0x21;
const questionMark = 0x3f;
const lessThan = 0x3c;
const equalsSign = 0x3d;
const greaterThan = 0x3e;

function isNameStart(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95 || code > 127;
}

/** The start of `mark`; the end of the text if there is none. */
function endOf(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at === -1 ? text.length : at;
}

const textAt = (text: string, from: number, to: number): string =>
  text.slice(from, Math.min(to, from + maxText));

/** Decodes entities; white space between two tags is dropped. */
function addText(element: Growing, text: string): void {
  if (element.text === '' && spaceEnd(text, 0) === text.length) return;
  element.text += decodeEntities(text);
}

/** Skips comments and document types; CDATA is text as it stands. */
function passDeclaration(text: string, at: number, element: Growing): number {
  if (text.startsWith('<!--', at)) return endOf(text, '-->', at + 4) + 3;
  if (text.startsWith('<![CDATA[', at)) {
    const end = endOf(text, ']]>', at + 9);
    element.text += textAt(text, at + 9, end);
    return end + 3;
  }
  const close = endOf(text, '>', at);
  const subset = text.slice(at, close).includes('[');
  return subset ? endOf(text, ']>', at) + 2 : close + 1;
}

/** Closes the nearest element of that name and everything open in it; does nothing without one. */
function closeElement(open: Growing[], name: string): void {
  for (let depth = open.length - 1; depth > 0; depth -= 1) {
    if (open[depth]?.name === name) {
      open.length = depth;
      return;
    }
  }
}

interface Tag {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly isClosed: boolean;
  readonly end: number;
}

/** Reads from after the `<` to after the `>`. A tag without an end ends where the next begins. */
function readTag(text: string, from: number): Tag {
  let at = wordEnd(text, from);
  const name = localName(text.slice(from, at));
  let found: Map<string, string> | undefined;
  const tag = (isClosed: boolean, end: number): Tag => {
    return { name, attributes: found ?? noAttributes, isClosed, end };
  };
  for (let words = 0; words < maxWords; words += 1) {
    at = spaceEnd(text, at);
    const code = text.charCodeAt(at);
    if (code === greaterThan) return tag(false, at + 1);
    if (code === slash && text.charCodeAt(at + 1) === greaterThan) return tag(true, at + 2);
    if (code === lessThan || at >= text.length) return tag(false, at);
    const wordAt = at;
    at = wordEnd(text, at);
    const value = at === wordAt ? null : valueAfter(text, at);
    if (value !== null) {
      const key = localName(text.slice(wordAt, at));
      found ??= new Map();
      if (found.size < maxAttributes && !found.has(key)) found.set(key, value.text);
      at = value.end;
    } else if (at === wordAt) at += 1;
  }
  return tag(false, endOf(text, '>', at) + 1);
}

/** The value of the attribute whose name ends here; null when it has none. */
function valueAfter(text: string, at: number): Value | null {
  const equals = spaceEnd(text, at);
  return text.charCodeAt(equals) === equalsSign
    ? readValue(text, spaceEnd(text, equals + 1))
    : null;
}

interface Value {
  readonly text: string;
  readonly end: number;
}

/** A value in quotes, or a bare word. */
function readValue(text: string, from: number): Value {
  const quote = text.charAt(from);
  if (quote !== '"' && quote !== "'") {
    const end = wordEnd(text, from);
    return { text: decodeEntities(text.slice(from, end)), end };
  }
  const end = endOf(text, quote, from + 1);
  const value = decodeEntities(textAt(text, from + 1, end)).trim();
  return { text: value, end: Math.min(end + 1, text.length) };
}

/** The end of the word that begins here: at white space, `/`, `>`, `<` or `=`. */
function wordEnd(text: string, from: number): number {
  let at = from;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (isSpace(code) || code === slash || (code >= lessThan && code <= greaterThan)) break;
  }
  return at;
}

function spaceEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && isSpace(text.charCodeAt(at))) at += 1;
  return at;
}

const isSpace = (code: number): boolean => code === 32 || (code >= 9 && code <= 13);

function localName(written: string): string {
  const name = written.slice(0, maxName).trim().toLowerCase();
  return name.slice(name.lastIndexOf(':') + 1);
}

/** Depth is bounded, so this may recurse. */
function trimTexts(elements: readonly Growing[]): readonly XmlElement[] {
  for (const element of elements) {
    element.text = element.text.trim();
    trimTexts(element.children);
  }
  return elements;
}
