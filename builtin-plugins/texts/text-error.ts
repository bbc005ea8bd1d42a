import type { TextFailureCode } from '../../plugin-api/index.ts';

/** Why a text was not converted. The message is shown to clients. */
export class TextError extends Error {
  readonly code: TextFailureCode;

  constructor(code: TextFailureCode, message: string) {
    super(message);
    this.name = 'TextError';
    this.code = code;
  }
}

/** The content contradicts the format. */
export const malformed = (message: string): TextError => new TextError('malformed', message);

/** Converting it would cost more than one text may. */
export const overBudget = (message: string): TextError => new TextError('over-budget', message);

/** The format, or this kind of it, is not converted. */
export const unsupported = (message: string): TextError => new TextError('unsupported', message);
