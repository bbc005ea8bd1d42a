import type { PictureFailure } from '../../plugin-api/index.ts';

/** Why no picture was made. The message is shown to clients. */
export class PictureError extends Error {
  readonly code: PictureFailure;

  constructor(code: PictureFailure, message: string) {
    super(message);
    this.name = 'PictureError';
    this.code = code;
  }
}

/** The bytes contradict the format. */
export const malformed = (message: string): PictureError => new PictureError('malformed', message);

/** The bytes end too early. */
export const truncated = (message: string): PictureError => new PictureError('truncated', message);

/** Decoding would cost more than one picture may. */
export const overBudget = (message: string): PictureError =>
  new PictureError('over-budget', message);

/** The format, or this kind of it, is not decoded. */
export const unsupported = (message: string): PictureError =>
  new PictureError('unsupported', message);
