import { KernelError } from '../errors.ts';

/** Refuses text that no database would give back exactly as it came. */
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

/** Whether every database gives the text back exactly as it came. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** Text for people to read, without what no database would keep. */
export function toStorable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '');
}
