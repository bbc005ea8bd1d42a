/** Why a {@link FileReader} could not give the bytes. */
export type ReaderFault = 'truncated' | 'over-budget' | 'unreadable';

/** What reading through a {@link FileReader} fails with, and nothing else. */
export class ReaderError extends Error {
  readonly code: ReaderFault;

  constructor(code: ReaderFault, message: string) {
    super(message);
    this.name = 'ReaderError';
    this.code = code;
  }
}
