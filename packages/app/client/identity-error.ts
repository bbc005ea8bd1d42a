import { errorCodes, type IdentityErrorCode } from './error-codes.ts';

/** Details besides the code. */
export interface ErrorDetails {
  /** The exact fault, as a sentence. */
  readonly detail?: string;
  readonly cause?: unknown;
  /** The HTTP status, when there was a reply. */
  readonly status?: number;
  /** The code on the wire, when it is not a known one. */
  readonly wireCode?: string;
  /** The wait that the other side requested. */
  readonly retryAfterMs?: number;
  /** For `clock_skew`: the time by the other side's clock. */
  readonly serverTimeMs?: number;
  /** For `renewal_too_early`: the earliest time. */
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

/** Any exception as an {@link IdentityError}. */
export const toIdentityError = (
  error: unknown,
  code: IdentityErrorCode = 'failed',
): IdentityError =>
  error instanceof IdentityError ? error : new IdentityError(code, { cause: error });
