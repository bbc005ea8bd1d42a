/** The packets of one track in one segment, in the order in which they are decoded. */
export interface Packets {
  /** Bytes from the start of the file. */
  readonly offsets: readonly number[];
  readonly sizes: readonly number[];
  /** The parts of each packet, if they do not lie in one place as they are sent. */
  readonly parts?: readonly (readonly Part[])[] | undefined;
  /** Ticks from the start of the session at which each is shown; may be negative. */
  readonly times: readonly number[];
  /** Whether decoding may begin at each; absent when it may at all. */
  readonly isSync?: readonly boolean[];
  /** Ticks at which the last one ends. */
  readonly end: number;
  /** Bytes with which every packet begins and that the file does not repeat. */
  readonly prefix?: Uint8Array | undefined;
}

/** A part of a segment: bytes that were made, or a place in the file. */
export type Part = Uint8Array | readonly [offset: number, length: number];
