import { ReaderError, type ProbeFailure } from '../../../plugin-api/index.ts';

/** What is wrong with a file, in words for its owner. */
export class ProbeError extends Error {
  readonly code: ProbeFailure;

  constructor(code: ProbeFailure, message: string) {
    super(message);
    this.name = 'ProbeError';
    this.code = code;
  }
}

/** A file that says what cannot be. */
export const malformed = (message: string): ProbeError => new ProbeError('malformed', message);

/** A file that ends before what it announces. */
export const truncated = (message: string): ProbeError => new ProbeError('truncated', message);

/**
 * What went wrong, as the file's own failure. Whatever a parser stumbles over that it did not expect
 * is the file's doing too: it costs that file an answer, and no other file anything.
 */
export function failureOf(error: unknown): {
  readonly code: ProbeFailure;
  readonly message: string;
} {
  if (error instanceof ProbeError || error instanceof ReaderError) {
    return { code: error.code, message: error.message };
  }
  return { code: 'malformed', message: 'The file could not be understood.' };
}
