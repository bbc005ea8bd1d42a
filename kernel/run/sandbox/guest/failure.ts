import { define, PlainError, codeAt, readData, readStack, slice } from './primordials.ts';

/** The part of an error that leaves the isolate. */
export interface Failure {
  readonly code: string;
  readonly message: string;
}

const messageLength = 500;
const codeLength = 64;
const stackLength = 2000;
const longestWithStack = 100_000;

/**
 * Describes what a plugin threw, which may be any value. It reads only data properties and runs no
 * getter. A proxy whose traps throw becomes an error without a message.
 */
export function describeFailure(thrown: unknown): Failure {
  try {
    if (typeof thrown === 'string') return { code: 'plugin_error', message: cut(thrown) };
    const code = readData(thrown, 'code');
    const message = readData(thrown, 'message');
    return {
      code: typeof code === 'string' && isSnakeCase(code) ? code : 'plugin_error',
      message:
        typeof message === 'string' ? cut(message) : 'The plugin threw a value without a message.',
    };
  } catch {
    return { code: 'plugin_error', message: 'The plugin threw a value that cannot be read.' };
  }
}

/**
 * The stack of the error from V8; empty when there is none. V8 puts the message into the stack, so an
 * error with a very long message gets none.
 */
export function stackOf(thrown: unknown): string {
  try {
    const message = readData(thrown, 'message');
    if (typeof message === 'string' && message.length > longestWithStack) return '';
    const stack = readStack(thrown);
    return typeof stack === 'string' ? slice(stack, 0, stackLength) : '';
  } catch {
    return '';
  }
}

/** The error with which a refused host call rejects. */
export function hostError(code: string, message: string): Error {
  const error = new PlainError(message);
  define(error, 'name', 'HostError');
  define(error, 'code', code);
  return error;
}

function cut(text: string): string {
  return text.length > messageLength ? slice(text, 0, messageLength) : text;
}

function isSnakeCase(text: string): boolean {
  if (text.length === 0 || text.length > codeLength) return false;
  for (let index = 0; index < text.length; index++) {
    const code = codeAt(text, index);
    const isLetter = code >= 97 && code <= 122;
    const isDigit = code >= 48 && code <= 57;
    if (!isLetter && !isDigit && code !== 95) return false;
  }
  return true;
}
