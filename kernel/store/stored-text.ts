import { KernelError } from '../errors.ts';

/** Refuses text that a database would not return unchanged. */
export function assertStorable(text: string, name: string): void {
  if (text.includes('\0')) {
    throw new KernelError('invalid_argument', `The ${name} has a NUL character in it.`);
  }
  if (!text.isWellFormed()) {
    throw new KernelError(
      'invalid_argument',
      `The ${name} is not valid text: it has half of a surrogate pair alone.`,
    );
  }
}

/** Whether every database returns the text unchanged. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** Display text without characters that databases cannot store. */
export function toStorable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '');
}
