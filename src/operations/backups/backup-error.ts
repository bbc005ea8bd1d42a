import { guestWords } from '../../../kernel/index.ts';

/**
 * A backup that cannot be created or used. The message gives the reason; nothing was changed. It may
 * quote the file, which is untrusted, so it has no characters that act on a terminal.
 */
export class BackupError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(guestWords(message, 2000), options);
  }
}
