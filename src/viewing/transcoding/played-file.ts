import type { MediaStream } from '../../../plugin-api/index.ts';

/** A media file that is played, as it was when it was looked at. Only the server may know its place. */
export interface PlayedFile {
  readonly id: string;
  readonly uri: string;
  /** Where it may be read. */
  readonly roots: readonly string[];
  /** Lower case, without dot. */
  readonly extension: string;
  /** Bytes. */
  readonly size: number;
  /** Unix milliseconds. */
  readonly modifiedAt: number;
  /** Names its content: two files with equal bytes have the same, wherever they lie. */
  readonly contentKey: string;
  /** `ProbeReport.container`; `null` while it is not known. */
  readonly container: string | null;
  /** Seconds; `null` while it is not known. */
  readonly duration: number | null;
  /** Bits per second, over all. */
  readonly bitrate: number | null;
  readonly streams: readonly MediaStream[];
  /** No disk of this server has it: what is known of it comes from a scan, and others convert it. */
  readonly isAway?: boolean;
}

/** The name of a content whose bytes were not read. */
export const plainKeyOf = ({
  uri,
  size,
  modifiedAt,
}: Pick<PlayedFile, 'uri' | 'size' | 'modifiedAt'>): string =>
  JSON.stringify([uri, size, modifiedAt]);
