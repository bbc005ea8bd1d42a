import type { MediaItem } from '@vitrine/plugin-api';

/** What a comparison needs of an item. It is stored by the thousand, so it is small. */
export interface Copy {
  readonly itemId: string;
  /** Quality and edition in words, such as `2160p HDR`: copies that differ here are told apart. */
  readonly version: string;
  /** Lines of the picture; 0 = unknown, or no picture. */
  readonly height: number;
  /** Bytes of all parts. */
  readonly size: number;
}

/** Summarizes an item. */
export function copyOf(item: MediaItem): Copy {
  const files = partsOf(item);
  const picture = pictureOf(files[0]?.fileInfo['streams']);
  const height = linesOf(picture);
  const edition = files[0]?.edition ?? textOf(item.metadata['edition']);
  const words = [height > 0 ? `${height}p` : '', picture?.['hdr'] ? 'HDR' : '', edition];
  return {
    itemId: item.id,
    version: words.filter((word) => word !== '').join(' '),
    height,
    size: files.reduce((sum, { size }) => sum + size, 0),
  };
}

/** The files that are the item itself, without its extras. */
export const partsOf = ({ files }: MediaItem): MediaItem['files'] =>
  files.filter(({ classification }) => classification === 'primary');

/** The better copy first: more lines, then more bytes. The id makes the order the same every time. */
export const byQuality = (one: Copy, other: Copy): number =>
  other.height - one.height || other.size - one.size || (one.itemId < other.itemId ? -1 : 1);

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

function pictureOf(streams: unknown): Fields | undefined {
  if (!Array.isArray(streams)) return undefined;
  return streams.filter(isFields).find(({ kind }) => kind === 'video');
}

/** The usual heights. A wide film has fewer lines than its name says, so its width counts, too. */
const heights = [2160, 1080, 720, 480];

function linesOf(picture: Fields | undefined): number {
  const lines = Math.max(numberOf(picture?.['height']), numberOf(picture?.['width']) * (9 / 16));
  return heights.find((height) => lines >= height * 0.9) ?? Math.round(lines);
}

const numberOf = (value: unknown): number =>
  typeof value === 'number' && Number.isFinite(value) ? value : 0;

const textOf = (value: unknown): string => (typeof value === 'string' ? value.slice(0, 50) : '');
