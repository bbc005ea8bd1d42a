import { jsonTextFault } from '../../kernel/index.ts';
import { AppError } from '../platform/errors.ts';
import type { HttpApp } from './http-app.ts';

/** The nesting limit of a body; deeper ones could exhaust the stack of recursive code. */
const maxDepth = 64;

/**
 * Bodies are JSON only. An empty body counts as absent, so a POST without one may have the header.
 * Keys that reach a prototype are refused at every depth.
 */
export function takeJsonBodies(app: HttpApp): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<string>(
    'application/json',
    { parseAs: 'string' },
    async (_request: unknown, text: string) => (text === '' ? undefined : parsed(text)),
  );
}

function parsed(text: string): unknown {
  const { value, fault } = parse(text);
  if (fault === null) return value;
  throw new AppError('invalid_request', { what: `The body ${fault}.` });
}

function parse(text: string): { readonly value: unknown; readonly fault: string | null } {
  // Before the text is parsed, since deep nesting costs time and memory in it.
  const excess = jsonTextFault(text, { maxLength: Infinity, maxDepth });
  if (excess !== null) return { value: undefined, fault: excess };
  try {
    const value: unknown = JSON.parse(text);
    return { value, fault: hasPrototypeKey(value) ? 'has a key __proto__' : null };
  } catch {
    return { value: undefined, fault: 'is not valid JSON' };
  }
}

function hasPrototypeKey(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.hasOwn(value, '__proto__') || Object.values(value).some(hasPrototypeKey);
}
