import { ReaderError, type ProbeFailure } from '../../../plugin-api/index.ts';

/** What is wrong with a file, as a message for its owner. */
export class ProbeError extends Error {
  readonly code: ProbeFailure;

  constructor(code: ProbeFailure, message: string) {
    super(message);
    this.name = 'ProbeError';
    this.code = code;
  }
}

/** A file with invalid content. */
export const malformed = (message: string): ProbeError => new ProbeError('malformed', message);

/** A file that is shorter than announced. */
export const truncated = (message: string): ProbeError => new ProbeError('truncated', message);

/**
 * The failure of a file. An unexpected error of a parser also counts as a fault of the file: that
 * file gets an error, and other files are not affected.
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
