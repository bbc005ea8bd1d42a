import { errorCodes, type IdentityErrorCode } from './error-codes.ts';

/** What is known beside the code. */
export interface ErrorDetails {
  /** What exactly was wrong, as a sentence. */
  readonly detail?: string;
  readonly cause?: unknown;
  /** The HTTP status, when there was an answer. */
  readonly status?: number;
  /** The code on the wire, when it is not one of ours. */
  readonly wireCode?: string;
  /** How long the other side asked to wait. */
  readonly retryAfterMs?: number;
  /** Of `clock_skew`: the time by the other side's clock. */
  readonly serverTimeMs?: number;
  /** Of `renewal_too_early`: when it is time. */
  readonly renewableAtMs?: number;
}

/** The one error that this package throws. Switch over `code`; the message is for logs. */
export class IdentityError extends Error {
  override readonly name = 'IdentityError';
  readonly code: IdentityErrorCode;
  readonly details: ErrorDetails;

  constructor(code: IdentityErrorCode, details: ErrorDetails = {}) {
    const { detail, cause } = details;
    super(detail === undefined ? errorCodes[code] : `${errorCodes[code]} ${detail}`, { cause });
    this.code = code;
    this.details = details;
  }
}

/** Whatever was thrown, as an {@link IdentityError}. */
export const toIdentityError = (
  error: unknown,
  code: IdentityErrorCode = 'failed',
): IdentityError =>
  error instanceof IdentityError ? error : new IdentityError(code, { cause: error });
