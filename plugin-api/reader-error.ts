/** Why a {@link FileReader} could not give the bytes. */
export type ReaderFault = 'truncated' | 'over-budget' | 'unreadable';

/** The only error of reading through a {@link FileReader}. */
export class ReaderError extends Error {
  readonly code: ReaderFault;

  constructor(code: ReaderFault, message: string) {
    super(message);
    this.name = 'ReaderError';
    this.code = code;
  }
}
