import type { DiskErrorCode } from '../../../plugin-api/index.ts';

/** An expected failure of the disk. `what` fills the template of the `KernelError` of that code. */
export class DiskFault extends Error {
  readonly code: DiskErrorCode;
  readonly what: string;

  constructor(code: DiskErrorCode, what: string, options?: { readonly cause?: unknown }) {
    super(what, options);
    this.name = 'DiskFault';
    this.code = code;
    this.what = what;
  }
}

const codes: Readonly<Record<string, DiskErrorCode>> = {
  ENOENT: 'not_found',
  ENOTDIR: 'not_found',
  ENODEV: 'not_found',
  ENXIO: 'not_found',
  ELOOP: 'symlink_loop',
};

/** The fault for a failed system call; `what` names the thing, such as `The folder`. */
export function toDiskFault(error: unknown, what: string): DiskFault {
  if (error instanceof DiskFault) return error;
  return new DiskFault(codes[errnoOf(error)] ?? 'unreadable', what, { cause: error });
}

/** `ENOENT` and so on; empty for other errors. */
export function errnoOf(error: unknown): string {
  if (!(error instanceof Error) || !('code' in error)) return '';
  return typeof error.code === 'string' ? error.code : '';
}
