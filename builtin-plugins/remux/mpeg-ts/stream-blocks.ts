/** Blocks of a transport stream: pictures with the length of each unit in front, and frames of sound. */
import type { PacketLayout } from '../../media-headers/mpeg-ts/packets.ts';
import type { Block, BlockWalker } from '../blocks/block.ts';
import { numbers } from '../fmp4/boxes.ts';
import { mostPictureBytes } from '../limits.ts';
import type { Part } from '../media/packets.ts';
import { Elementary } from './elementary.ts';
import { walkPackets, type StreamPiece } from './packet-walk.ts';
import { soundFrame, type SoundCodec } from './sound-frames.ts';
import { isKeyPicture, unitsIn, type PictureCodec } from './units.ts';

/** A stream that is taken out. */
export type TakenStream =
  | { readonly kind: 'video'; readonly codec: PictureCodec }
  | { readonly kind: 'audio'; readonly codec: SoundCodec };

/** What is known of a transport stream. */
export interface StreamProgram {
  readonly layout: PacketLayout;
  readonly streams: ReadonlyMap<number, TakenStream>;
  /** The first time in the file, in ticks. */
  readonly first: number;
}

const wrap = 2 ** 33;
const clock = 90_000;
/** Enough of a picture to see whether it is a key picture. */
const headBytes = 8192;

/** Times count in 33 bits; they are put near the first one. */
export function unwrapped(time: number, first: number): number {
  const gap = (((time - first) % wrap) + wrap) % wrap;
  return first + (gap > wrap / 2 ? gap - wrap : gap);
}

/** Walks over all streams; `isShallow` sees only where pictures begin, and of which kind they are. */
export function streamWalker(program: StreamProgram, isShallow: boolean): BlockWalker {
  const { layout, streams, first } = program;
  return (source, { from, to, tracks, visit }) => {
    const sounds = new Map<number, SoundStream>();
    return walkPackets(source, {
      layout,
      from,
      to,
      pids: tracks,
      mostBytes: isShallow ? headBytes : mostPictureBytes,
      isWantedBehind: (pid) => sounds.get(pid)?.isCut === true,
      visit: (piece) => {
        const stream = streams.get(piece.pid);
        if (stream === undefined) return true;
        const time = piece.time === undefined ? undefined : unwrapped(piece.time, first);
        if (stream.kind === 'video') {
          return time === undefined || visit(pictureBlock(piece, time, stream.codec));
        }
        const sound = sounds.get(piece.pid) ?? new SoundStream(stream.codec);
        sounds.set(piece.pid, sound);
        return sound.take(piece, { time, to }).every((block) => visit(block));
      },
    });
  };
}

function pictureBlock(
  { pid, start, content }: StreamPiece,
  ticks: number,
  codec: PictureCodec,
): Block {
  const units = unitsIn(content.bytes, codec);
  const parts: Part[] = [];
  let size = 0;
  for (const { from, to } of units) {
    parts.push(numbers(4, to - from), ...content.places(from, to));
    size += 4 + to - from;
  }
  return {
    track: pid,
    ticks,
    isKey: isKeyPicture(units, codec),
    frames: [{ offset: start, size, parts }],
    cluster: start,
    length: undefined,
  };
}

/** Frames of sound, which may begin in one piece and end in the next. */
class SoundStream {
  readonly #codec: SoundCodec;
  #left: Elementary | undefined;
  #next = 0;
  #leftStart = 0;

  constructor(codec: SoundCodec) {
    this.#codec = codec;
  }

  /** Whether a frame waits for its end. */
  get isCut(): boolean {
    return this.#left !== undefined;
  }

  take(
    piece: StreamPiece,
    { time, to }: { time: number | undefined; to: number },
  ): readonly Block[] {
    const blocks: Block[] = [];
    const before = this.#left?.length ?? 0;
    const all = this.#left ?? new Elementary();
    all.addAll(piece.content);
    const bytes = all.bytes;
    let at = 0;
    this.#left = undefined;
    let hasTime = false;
    while (at < bytes.length) {
      if (at >= before && piece.start >= to) return blocks;
      const frame = soundFrame(bytes, at, this.#codec);
      if (frame === undefined && bytes.length - at >= 16) {
        at++;
        continue;
      }
      if (at >= before && !hasTime && time !== undefined) {
        this.#next = time;
        hasTime = true;
      }
      if (frame === undefined || at + frame.length > bytes.length) {
        this.#left = all.rest(at);
        if (at >= before) this.#leftStart = piece.start;
        break;
      }
      const start = at < before ? this.#leftStart : piece.start;
      const parts = all.places(at + frame.header, at + frame.length);
      const size = frame.length - frame.header;
      blocks.push({
        track: piece.pid,
        ticks: this.#next,
        isKey: true,
        frames: [{ offset: start, size, parts }],
        cluster: start,
        length: undefined,
      });
      this.#next += (frame.samples * clock) / frame.rate;
      at += frame.length;
    }
    return blocks;
  }
}
