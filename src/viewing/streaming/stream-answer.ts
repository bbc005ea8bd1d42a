import type { Readable } from 'node:stream';
import type { ClientVersion } from './file-version.ts';

/** A client's request for a file. */
export interface StreamRequest extends ClientVersion {
  /** Only the headers are requested. */
  readonly isHead: boolean;
  readonly range?: string | undefined;
}

/** The answer. Its body, if any, closes its file when it ends or is destroyed. */
export interface StreamAnswer {
  /** 416: the range begins after the end of the file. */
  readonly status: 200 | 206 | 304 | 416;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: Readable | Buffer | null;
}
