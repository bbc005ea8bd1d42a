/** Files that are attached to a Matroska file: pictures and fonts. Their content is not read here. */
import { utf8 } from '../../../media-headers/bytes/text.ts';
import type { ByteSource } from '../../../media-headers/bytes/byte-source.ts';
import { pictureTypeNamed } from '../../../media-headers/bytes/picture-type.ts';
import { storedPicture, type FoundPicture } from '../../media.ts';
import { readElement, type ElementPlace } from '../../../media-headers/matroska/elements.ts';
import { ids } from '../../../media-headers/matroska/ids.ts';

const mostFiles = 200;

/** A file in the file. */
export interface Attachment {
  readonly name: string;
  readonly mediaType: string;
  readonly offset: number;
  readonly length: number;
}

/** The pictures among the attached files. */
export async function readPictures(
  source: ByteSource,
  place: ElementPlace | undefined,
): Promise<readonly FoundPicture[]> {
  const files = await readAttachments(source, place);
  return files.flatMap(({ name, mediaType, offset, length }) => {
    if (!mediaType.toLowerCase().startsWith('image/')) return [];
    const about = { type: roleOf(name), mimeType: pictureTypeNamed(mediaType) };
    return [storedPicture(source, { offset, length }, about)];
  });
}

/** All attached files, in their order. */
export async function readAttachments(
  source: ByteSource,
  place: ElementPlace | undefined,
): Promise<readonly Attachment[]> {
  const attached: Attachment[] = [];
  if (place === undefined || place.end > source.size) return attached;
  for (let at = place.from, count = 0; at < place.end && count < mostFiles; count++) {
    const file = await readElement(source, at);
    if (file === undefined || file.end > place.end) break;
    const one = file.id === ids.attachedFile ? await readFile(source, file) : undefined;
    if (one !== undefined) attached.push(one);
    at = file.end;
  }
  return attached;
}

async function readFile(source: ByteSource, file: ElementPlace): Promise<Attachment | undefined> {
  let [name, mediaType] = ['', ''];
  let content: ElementPlace | undefined;
  for (let at = file.from; at < file.end;) {
    const part = await readElement(source, at);
    if (part === undefined || part.end > file.end) break;
    const text = async () =>
      utf8(await source.read(part.from, Math.min(512, part.end - part.from)));
    if (part.id === ids.fileName) name = await text();
    if (part.id === ids.fileMediaType) mediaType = await text();
    if (part.id === ids.fileContent) content = part;
    at = part.end;
  }
  if (content === undefined) return undefined;
  return { name, mediaType, offset: content.from, length: content.end - content.from };
}

/** `cover` and `small_cover`, with `_land` for wide ones, are the usual names. */
function roleOf(name: string): string {
  const lower = name.toLowerCase();
  if (lower.includes('land')) return 'backdrop';
  return /back(drop|ground)|fanart/.test(lower) ? 'backdrop' : 'cover';
}
