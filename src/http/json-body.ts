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
  try {
    const value: unknown = JSON.parse(text);
    return { value, fault: faultIn(value) };
  } catch {
    return { value: undefined, fault: 'is not valid JSON' };
  }
}

/** Breadth first, so that deep nesting uses no stack. */
function faultIn(value: unknown): string | null {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxDepth) return `is nested more than ${maxDepth} levels deep`;
    const objects = level.filter((one): one is object => typeof one === 'object' && one !== null);
    if (objects.some((one) => Object.hasOwn(one, '__proto__'))) return 'has a key __proto__';
    level = objects.flatMap((one): unknown[] => Object.values(one));
  }
  return null;
}
