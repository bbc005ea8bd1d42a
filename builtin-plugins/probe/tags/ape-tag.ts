/** APEv2: items at the end of a file, after the sound and before an ID3v1. */
import { u32le } from '../../media-headers/bytes/numbers.ts';
import { ascii, untilZero, utf8 } from '../../media-headers/bytes/text.ts';
import type { ByteSource } from '../../media-headers/bytes/byte-source.ts';
import { pictureType } from '../../media-headers/bytes/picture-type.ts';
import { storedPicture, type FoundPicture, type TagsDraft } from '../media.ts';
import { addMissing, setTag } from './known-tags.ts';

const footerBytes = 32;
const mostItems = 500;
const longestValue = 64 * 1024;

/** Fills in missing values. `end` is the end of the tag's footer. */
export async function readApeTag(
  source: ByteSource,
  end: number,
  tags: TagsDraft,
): Promise<{ readonly length: number; readonly pictures: readonly FoundPicture[] }> {
  const pictures: FoundPicture[] = [];
  if (end < footerBytes) return { length: 0, pictures };
  const footer = await source.read(end - footerBytes, footerBytes);
  const size = u32le(footer, 12);
  if (ascii(footer, 0, 8) !== 'APETAGEX' || size < footerBytes || size > end) {
    return { length: 0, pictures };
  }
  const hasHeader = (u32le(footer, 20) & 0x80000000) !== 0;
  const from = end - size;
  const found: TagsDraft = {};
  await readItems(source, { from, end: end - footerBytes }, { tags: found, pictures }).catch(
    () => undefined,
  );
  addMissing(tags, found);
  return { length: size + (hasHeader ? footerBytes : 0), pictures };
}

async function readItems(
  source: ByteSource,
  place: { readonly from: number; readonly end: number },
  into: { readonly tags: TagsDraft; readonly pictures: FoundPicture[] },
): Promise<void> {
  for (let at = place.from, count = 0; at + 10 < place.end && count < mostItems; count++) {
    const head = await source.read(at, Math.min(8 + 256, place.end - at));
    const length = u32le(head, 0);
    const isText = ((u32le(head, 4) >> 1) & 3) === 0;
    const name = ascii(untilZero(head.subarray(8)), 0, 255);
    const from = at + 8 + name.length + 1;
    if (from + length > place.end) return;
    if (isText && length <= longestValue) {
      setTag(into.tags, name, utf8(await source.read(from, length)));
    } else if (!isText && /^cover art/i.test(name)) {
      const picture = await readPicture(source, name, from, length);
      if (picture !== undefined) into.pictures.push(picture);
    }
    at = from + length;
  }
}

async function readPicture(
  source: ByteSource,
  name: string,
  from: number,
  length: number,
): Promise<FoundPicture | undefined> {
  const head = await source.read(from, Math.min(length, 300));
  const start = head.indexOf(0) + 1;
  if (start === 0) return undefined;
  return storedPicture(
    source,
    { offset: from + start, length: length - start },
    {
      type: /back/i.test(name) ? 'back' : 'cover',
      mimeType: pictureType(head.subarray(start)) ?? 'image/jpeg',
    },
  );
}
