/**
 * Limits on foreign JSON, applied before any recursion: to the text before it is parsed, to the value
 * before a schema checks it. Both checks are linear.
 */
import { pathText } from './foreign-text.ts';

export interface JsonTextLimits {
  /** In UTF-16 code units, as `String.length` counts. */
  readonly maxLength: number;
  readonly maxDepth: number;
  /**
   * Scalars, lists, objects and keys together, with the outermost value. Each costs parsing time,
   * however short it is. {@link usualMaxValues} when absent.
   */
  readonly maxValues?: number;
}

/** A text with this many values parses faster than a person notices. */
export const usualMaxValues = 100_000;

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const backslash = 0x5c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
/** Every white space character of JSON is at most this. */
const space = 0x20;

/** Why the text must not be parsed, or `null`. The text may still be invalid JSON. */
export function jsonTextFault(text: string, limits: JsonTextLimits): string | null {
  const { maxLength, maxDepth, maxValues = usualMaxValues } = limits;
  if (text.length > maxLength) return `is ${text.length} characters long, above ${maxLength}`;
  if (text.length <= maxDepth && text.length <= maxValues) return null;
  return excessIn(text, maxDepth, maxValues);
}

/** Values and keys are counted by the character before them: a comma, a colon, or an opening bracket. */
function excessIn(text: string, maxDepth: number, maxValues: number): string | null {
  let depth = 0;
  let values = 1;
  /** The last character other than white space opened a list or an object. */
  let isOpened = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    // Most characters outside strings are digits and white space.
    if (code <= space || (!isOpened && code > comma && code < colon)) continue;
    const isClosing = code === closeBrace || code === closeBracket;
    if (code === comma || code === colon || (isOpened && !isClosing)) {
      values += 1;
      if (values > maxValues) return `holds more than ${maxValues} values`;
    }
    isOpened = code === openBrace || code === openBracket;
    if (code === quote) {
      index = endOfString(text, index);
    } else if (isOpened) {
      depth += 1;
      if (depth > maxDepth) return `is nested more than ${maxDepth} levels deep`;
    } else if (isClosing) {
      depth -= 1;
    }
  }
  return null;
}

/** The index of the quote that closes the string opened at `start`; past the end if none does. */
function endOfString(text: string, start: number): number {
  const end = text.indexOf('"', start + 1);
  if (end === -1) return text.length;
  return isEscaped(text, end) ? endPastEscapes(text, end + 1) : end;
}

/**
 * A text with one escaped quote usually has more, so this steps through characters and does not
 * search.
 */
function endPastEscapes(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) return at;
    if (code === backslash) at += 1;
  }
  return text.length;
}

/** A quote is escaped behind an odd number of backslashes. */
function isEscaped(text: string, at: number): boolean {
  let before = at - 1;
  while (text.charCodeAt(before) === backslash) before -= 1;
  return (at - before) % 2 === 0;
}

const prototypeKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Why a parsed value must not be merged or validated, or `null`. It is nested too deep, or an object
 * in it has a key that reaches a prototype.
 */
export function jsonValueFault(value: unknown, maxDepth: number): string | null {
  const fault = faultIn(value, maxDepth);
  return fault && `${pathText(fault.path)} ${fault.reason}`;
}

interface ValueFault {
  /** Filled from the inside out, so that a valid value costs no path. */
  readonly path: string[];
  readonly reason: string;
}

function faultIn(value: unknown, depthLeft: number): ValueFault | null {
  if (typeof value !== 'object' || value === null) return null;
  if (depthLeft === 0) return { path: [], reason: 'is nested too deep' };
  if (Array.isArray(value)) return faultInList(value, depthLeft);
  const fields = value as Readonly<Record<string, unknown>>;
  for (const key of Object.keys(fields)) {
    if (prototypeKeys.has(key)) return { path: [key], reason: 'is a key that is never allowed' };
    const fault = faultIn(fields[key], depthLeft - 1);
    if (fault) return under(key, fault);
  }
  return null;
}

function faultInList(list: readonly unknown[], depthLeft: number): ValueFault | null {
  for (const [index, inner] of list.entries()) {
    const fault = faultIn(inner, depthLeft - 1);
    if (fault) return under(String(index), fault);
  }
  return null;
}

function under(key: string, fault: ValueFault): ValueFault {
  fault.path.unshift(key);
  return fault;
}
