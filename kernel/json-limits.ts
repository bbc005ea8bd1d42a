/**
 * Limits on JSON that comes from outside, applied before anything recurses over it: the text before
 * it is parsed, the value before a schema sees it. Both checks are linear.
 */
import { pathText } from './foreign-text.ts';

/** What a JSON text may be at most. */
export interface JsonTextLimits {
  /** In UTF-16 code units, as `String.length` counts. */
  readonly maxLength: number;
  readonly maxDepth: number;
}

const quote = 0x22;
const backslash = 0x5c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** Why the text must not be parsed, or `null`. It may still be no JSON. */
export function jsonTextFault(text: string, limits: JsonTextLimits): string | null {
  const { maxLength, maxDepth } = limits;
  if (text.length > maxLength) return `is ${text.length} characters long, above ${maxLength}`;
  if (text.length > maxDepth && isDeeperThan(text, maxDepth)) {
    return `is nested more than ${maxDepth} levels deep`;
  }
  return null;
}

function isDeeperThan(text: string, maxDepth: number): boolean {
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === quote) {
      index = endOfString(text, index);
    } else if (code === openBrace || code === openBracket) {
      depth += 1;
      if (depth > maxDepth) return true;
    } else if (code === closeBrace || code === closeBracket) {
      depth -= 1;
    }
  }
  return false;
}

/** The index of the quote that closes the string opened at `start`; past the end if none does. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    if (!isEscaped(text, end)) return end;
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
 * Why a parsed value must not be merged or validated, or `null`: it is nested too deep, or holds a
 * key at any depth through which a careless reader would reach a prototype.
 */
export function jsonValueFault(value: unknown, maxDepth: number): string | null {
  const fault = faultIn(value, maxDepth);
  return fault && `${pathText(fault.path)} ${fault.reason}`;
}

interface ValueFault {
  /** Filled from the inside out, so that a value without fault costs no path. */
  readonly path: string[];
  readonly reason: string;
}

function faultIn(value: unknown, depthLeft: number): ValueFault | null {
  if (typeof value !== 'object' || value === null) return null;
  if (depthLeft === 0) return { path: [], reason: 'is nested too deep' };
  if (Array.isArray(value)) return faultInList(value, depthLeft);
  for (const [key, inner] of Object.entries(value)) {
    if (prototypeKeys.has(key)) return { path: [key], reason: 'is a key that is never allowed' };
    const fault = faultIn(inner, depthLeft - 1);
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
