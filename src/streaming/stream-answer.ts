import type { Readable } from 'node:stream';
import type { ClientVersion } from './file-version.ts';

/** What a client asks of a file. */
export interface StreamRequest extends ClientVersion {
  /** Only the headers are wanted. */
  readonly isHead: boolean;
  readonly range?: string | undefined;
}

/** What it gets. The body, where there is one, closes its file when it ends or is destroyed. */
export interface StreamAnswer {
  /** 416: the range lies behind the end of the file. */
  readonly status: 200 | 206 | 304 | 416;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: Readable | Buffer | null;
}
