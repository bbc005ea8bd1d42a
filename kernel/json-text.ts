/**
 * Whether a text is JSON, without building its value: for text that is only passed on. Linear, and
 * without recursion at any depth.
 */
const quote = 0x22;
const comma = 0x2c;
const minus = 0x2d;
const dot = 0x2e;
const zero = 0x30;
const nine = 0x39;
const colon = 0x3a;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
/** The result of a step where the text is not JSON. */
const nowhere = -1;

/** True exactly when `JSON.parse` accepts the text. */
export function isJson(text: string): boolean {
  /** The closing brackets of the lists and objects that are open. */
  const closers: number[] = [];
  let at = spaceEnd(text, 0);
  for (;;) {
    const closer = closerOf(text.charCodeAt(at));
    const inside = closer === undefined ? nowhere : spaceEnd(text, at + 1);
    if (closer !== undefined && text.charCodeAt(inside) !== closer) {
      closers.push(closer);
      at = memberStart(text, inside, closer);
      if (at === nowhere) return false;
      continue;
    }
    at = closer === undefined ? scalarEnd(text, at) : inside + 1;
    at = at === nowhere ? nowhere : nextValue(text, at, closers);
    if (at === nowhere) return false;
    if (closers.length === 0) return at === text.length;
  }
}

/** Steps from the end of a value to the next value or to the end of the text; closes what ends there. */
function nextValue(text: string, from: number, closers: number[]): number {
  let at = spaceEnd(text, from);
  for (let closer = closers.at(-1); closer !== undefined; closer = closers.at(-1)) {
    const code = text.charCodeAt(at);
    if (code === comma) return memberStart(text, spaceEnd(text, at + 1), closer);
    if (code !== closer) return nowhere;
    closers.pop();
    at = spaceEnd(text, at + 1);
  }
  return at;
}

function closerOf(code: number): number | undefined {
  if (code === openBrace) return closeBrace;
  return code === openBracket ? closeBracket : undefined;
}

/** Where the value of a member begins: in an object, after its key. */
function memberStart(text: string, at: number, closer: number): number {
  if (closer === closeBracket) return at;
  const keyEnd = text.charCodeAt(at) === quote ? stringEnd(text, at) : nowhere;
  if (keyEnd === nowhere) return nowhere;
  const between = spaceEnd(text, keyEnd);
  return text.charCodeAt(between) === colon ? spaceEnd(text, between + 1) : nowhere;
}

function spaceEnd(text: string, from: number): number {
  let at = from;
  while (isSpace(text.charCodeAt(at))) at += 1;
  return at;
}

const isSpace = (code: number): boolean =>
  code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;

function scalarEnd(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code === quote) return stringEnd(text, at);
  if (code === minus || isDigit(code)) return numberEnd(text, at);
  const word = words.find((one) => text.startsWith(one, at));
  return word === undefined ? nowhere : at + word.length;
}

const words = ['true', 'false', 'null'];

function stringEnd(text: string, start: number): number {
  for (let at = start + 1; ; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) return at + 1;
    // Also true at the end of the text, where the code is NaN.
    if (!(code >= 0x20)) return nowhere;
    if (code !== backslash) continue;
    at += 1;
    if (text.charAt(at) === 'u' && isHex(text.slice(at + 1, at + 5))) at += 4;
    else if (!isEscape(text.charAt(at))) return nowhere;
  }
}

const isHex = (digits: string): boolean => /^[0-9a-fA-F]{4}$/.test(digits);
const isEscape = (letter: string): boolean => letter !== '' && '"\\/bfnrt'.includes(letter);
const isDigit = (code: number): boolean => code >= zero && code <= nine;

function numberEnd(text: string, start: number): number {
  const first = text.charCodeAt(start) === minus ? start + 1 : start;
  let at = text.charCodeAt(first) === zero ? first + 1 : digitsEnd(text, first);
  if (at !== nowhere && text.charCodeAt(at) === dot) at = digitsEnd(text, at + 1);
  if (at === nowhere || !/^[eE]/.test(text.charAt(at))) return at;
  return digitsEnd(text, /^[+-]/.test(text.charAt(at + 1)) ? at + 2 : at + 1);
}

/** The end of at least one digit, or `nowhere`. */
function digitsEnd(text: string, start: number): number {
  let at = start;
  while (isDigit(text.charCodeAt(at))) at += 1;
  return at > start ? at : nowhere;
}
