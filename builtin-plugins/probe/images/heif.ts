/** HEIC and AVIF: a picture is an item of a box; its size and rotation are properties of the item. */
import { u16, u32, u64, u8 } from '../../media-headers/bytes/numbers.ts';
import { malformed, truncated } from '../../media-headers/bytes/probe-error.ts';
import { ascii } from '../../media-headers/bytes/text.ts';
import type { ByteSource } from '../../media-headers/bytes/byte-source.ts';
import {
  boxesIn,
  contentOf,
  findBox,
  readBox,
  readBoxes,
  type Box,
} from '../../media-headers/mp4/boxes.ts';
import type { FormatReader } from '../media.ts';
import type { Exif } from './exif.ts';
import { readSafely } from './jpeg.ts';
import { pictureMedia } from './picture.ts';

const exifBytes = 256 * 1024;

export const readHeif: FormatReader = async (source) => {
  const type = await readBox(source, 0, source.size);
  const brand = type === undefined ? '' : ascii(await contentOf(source, type, 4), 0, 4);
  const meta = await findMeta(source, type?.end ?? 0);
  if (meta.end > source.size) throw truncated('The picture ends inside of its headers.');
  const boxes = await readBoxes(source, meta.from + 4, meta.end);
  const main = findBox(boxes, 'pitm');
  const mainId = main === undefined ? 1 : u16(await contentOf(source, main), 4);
  const properties = await readProperties(source, boxes, mainId);
  const size = properties.find((box) => box.type === 'ispe')?.content;
  if (size === undefined || size.length < 12) throw malformed('The picture has no size.');
  const turn = properties.find((box) => box.type === 'irot')?.content;
  const pixel = properties.find((box) => box.type === 'pixi')?.content;
  const exif = await readCameraData(source, boxes);
  const film = await findBoxFrom(source, meta.end, 'mpvd');
  const isAv1 = properties.some((box) => box.type === 'av1C');
  return pictureMedia({
    container: isAv1 || brand.startsWith('avi') ? 'avif' : 'heic',
    codec: isAv1 ? 'av1' : 'hevc',
    width: u32(size, 4),
    height: u32(size, 8),
    bitDepth: pixel !== undefined && pixel.length > 5 ? u8(pixel, 5) : undefined,
    // The box turns counterclockwise; the orientation in EXIF is a copy.
    rotation: turn === undefined ? 0 : (360 - (u8(turn, 0) & 3) * 90) % 360,
    tags: exif?.tags,
    motion: film && { offset: film.from, length: film.end - film.from },
  });
};

async function findMeta(source: ByteSource, from: number): Promise<Box> {
  const meta = await findBoxFrom(source, from, 'meta');
  if (meta === undefined) throw truncated('The picture has no index; it was cut off.');
  return meta;
}

async function findBoxFrom(
  source: ByteSource,
  from: number,
  type: string,
): Promise<Box | undefined> {
  for (let at = from, count = 0; at < source.size && count < 50; count++) {
    const box = await readBox(source, at, source.size);
    if (box === undefined) return undefined;
    if (box.type === type) return box;
    at = box.end;
  }
  return undefined;
}

interface Property {
  readonly type: string;
  readonly content: Uint8Array;
}

/** The properties of an item. */
async function readProperties(
  source: ByteSource,
  boxes: readonly Box[],
  item: number,
): Promise<readonly Property[]> {
  const outer = findBox(boxes, 'iprp');
  if (outer === undefined) return [];
  const inner = await readBoxes(source, outer.from, outer.end);
  const container = findBox(inner, 'ipco');
  const ties = findBox(inner, 'ipma');
  if (container === undefined || ties === undefined) return [];
  const bytes = await contentOf(source, container);
  const all = boxesIn(bytes, 0).map((box) => ({
    type: box.type,
    content: bytes.subarray(box.from, box.end),
  }));
  return readTies(await contentOf(source, ties), item).flatMap((index) => all[index - 1] ?? []);
}

function readTies(bytes: Uint8Array, item: number): readonly number[] {
  const isWide = (u8(bytes, 3) & 1) !== 0;
  const hasLongIds = u8(bytes, 0) > 0;
  let at = 8;
  for (let left = u32(bytes, 4); left > 0; left--) {
    const id = hasLongIds ? u32(bytes, at) : u16(bytes, at);
    at += hasLongIds ? 4 : 2;
    const count = u8(bytes, at++);
    const indexes: number[] = [];
    for (let tie = 0; tie < count; tie++) {
      indexes.push(isWide ? u16(bytes, at) & 0x7fff : u8(bytes, at) & 0x7f);
      at += isWide ? 2 : 1;
    }
    if (id === item) return indexes;
  }
  return [];
}

async function readCameraData(
  source: ByteSource,
  boxes: readonly Box[],
): Promise<Exif | undefined> {
  try {
    const items = findBox(boxes, 'iinf');
    const places = findBox(boxes, 'iloc');
    if (items === undefined || places === undefined) return undefined;
    const id = findExifItem(await contentOf(source, items));
    const place = id === undefined ? undefined : placeOf(await contentOf(source, places), id);
    if (place === undefined || place.length > exifBytes || place.length < 12) return undefined;
    const bytes = await source.read(place.offset, place.length);
    return readSafely(bytes.subarray(4 + u32(bytes, 0)));
  } catch {
    return undefined;
  }
}

function findExifItem(bytes: Uint8Array): number | undefined {
  for (const box of boxesIn(bytes, u8(bytes, 0) === 0 ? 6 : 8)) {
    const isLong = u8(bytes, box.from) >= 3;
    const at = box.from + (isLong ? 10 : 8);
    if (box.type === 'infe' && ascii(bytes, at, 4) === 'Exif') {
      return isLong ? u32(bytes, box.from + 4) : u16(bytes, box.from + 4);
    }
  }
  return undefined;
}

/** The first extent of an item inside the file itself. */
function placeOf(
  bytes: Uint8Array,
  wanted: number,
): { readonly offset: number; readonly length: number } | undefined {
  const version = u8(bytes, 0);
  const widths = u16(bytes, 4);
  const [offsetWidth, lengthWidth] = [widths >> 12, (widths >> 8) & 15];
  const [baseWidth, indexWidth] = [(widths >> 4) & 15, version > 0 ? widths & 15 : 0];
  const isLong = version === 2;
  let at = 6;
  const take = (width: number): number => {
    const value =
      width === 8
        ? u64(bytes, at)
        : width === 4
          ? u32(bytes, at)
          : width === 2
            ? u16(bytes, at)
            : 0;
    at += width;
    return value;
  };
  for (let left = take(isLong ? 4 : 2); left > 0; left--) {
    const id = take(isLong ? 4 : 2);
    const method = version > 0 ? take(2) & 15 : 0;
    at += 2;
    const base = take(baseWidth);
    const extents = take(2);
    for (let extent = 0; extent < extents; extent++) {
      take(indexWidth);
      const offset = base + take(offsetWidth);
      const length = take(lengthWidth);
      if (id === wanted && extent === 0) return method === 0 ? { offset, length } : undefined;
    }
  }
  return undefined;
}
