/** JPEG: segments up to the first one with the size. */
import { u16, u8 } from '../../media-headers/bytes/numbers.ts';
import { malformed, truncated } from '../../media-headers/bytes/probe-error.ts';
import { ascii, utf8 } from '../../media-headers/bytes/text.ts';
import type { MediaPlace } from '../../../plugin-api/index.ts';
import type { FormatReader } from '../media.ts';
import { readExif, type Exif } from './exif.ts';
import { findMotion } from './motion.ts';
import { pictureMedia } from './picture.ts';

const mostSegments = 1000;

export const readJpeg: FormatReader = async (source) => {
  let exif: Exif | undefined;
  let motion: MediaPlace | undefined;
  for (let at = 2, count = 0; count < mostSegments; count++) {
    if (at + 4 > source.size) throw truncated('The picture ends inside of its headers.');
    const head = await source.read(at, Math.min(10, source.size - at));
    if (head[0] !== 0xff) throw malformed('The picture has no marker where one must be.');
    const marker = u8(head, 1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === 0xd9 || marker === 0xda) {
      throw malformed('The picture begins without its size.');
    }
    const length = u16(head, 2);
    if (length < 2) throw malformed('The picture has a header without a length.');
    if (isFrame(marker)) {
      return pictureMedia({
        container: 'jpeg',
        codec: 'mjpeg',
        bitDepth: u8(head, 4),
        height: u16(head, 5),
        width: u16(head, 7),
        rotation: exif?.rotation,
        tags: exif?.tags,
        motion,
      });
    }
    if (marker === 0xe1 && exif === undefined && ascii(head, 4, 4) === 'Exif') {
      const room = Math.min(length - 8, source.size - at - 10);
      exif = readSafely(await source.read(at + 10, Math.max(0, room)));
    }
    if (marker === 0xe1 && motion === undefined && ascii(head, 4, 5) === 'http:') {
      const packet = await source.read(at + 4, Math.min(length - 2, source.size - at - 4));
      motion = await findMotion(source, utf8(packet));
    }
    at += 2 + length;
  }
  throw malformed('The picture has too many headers.');
};

/** A picture with invalid EXIF is still a picture. */
export function readSafely(bytes: Uint8Array): Exif | undefined {
  try {
    return readExif(bytes);
  } catch {
    return undefined;
  }
}

function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}
