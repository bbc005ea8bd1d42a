/** Blocks: packets of a track as a container has them, with their times. */
import type { ByteSource } from '../../media-headers/bytes/byte-source.ts';
import type { Part } from '../media/packets.ts';

/** A packet by its place in the file. */
export interface Frame {
  readonly offset: number;
  readonly size: number;
  /** Its parts, if it does not lie in one place as it is sent; then `size` is that of all of them. */
  readonly parts?: readonly Part[];
}

/** A block of a track. */
export interface Block {
  readonly track: number;
  /** Ticks of the track at which it is shown. */
  readonly ticks: number;
  readonly isKey: boolean;
  readonly frames: readonly Frame[];
  /** Where reading may begin to find it. */
  readonly cluster: number;
  /** Ticks that its last packet lasts, if it says so. */
  readonly length: number | undefined;
}

/** Where a walk goes. */
export interface Walk {
  readonly from: number;
  readonly to: number;
  /** Numbers of the tracks whose blocks are wanted. */
  readonly tracks: ReadonlySet<number>;
  /** Called for each wanted block; `false` ends the walk. */
  readonly visit: (block: Block) => boolean;
}

/** Walks over the blocks of a container. Returns where it ended. */
export type BlockWalker = (source: ByteSource, walk: Walk) => Promise<number>;
