/** Motion photos: a JPEG with a short MP4 film behind it, as its XMP says. */
import type { MediaPlace } from '../../../plugin-api/index.ts';
import type { ByteSource } from '../../media-headers/bytes/byte-source.ts';
import { ascii } from '../../media-headers/bytes/text.ts';

/** The older form: how many bytes the film has, at the end of the file. */
const microVideo = /\bMicroVideoOffset\s*(?:=\s*["']|>\s*)(\d{1,15})/;
/** The newer form: items in their order in the file. */
const itemsOfContainer = /<Container:Item\b[^>]{0,2000}>/g;
const mostItems = 50;

/** The film that an XMP packet names, if it is there. */
export async function findMotion(source: ByteSource, xmp: string): Promise<MediaPlace | undefined> {
  const length = Number(microVideo.exec(xmp)?.[1] ?? lengthInContainer(xmp) ?? 0);
  const offset = source.size - length;
  if (length < 16 || offset < 16) return undefined;
  // People edit photos with programs that drop the film and keep the XMP.
  const isThere = ascii(await source.read(offset, 8), 4, 4) === 'ftyp';
  return isThere ? { offset, length } : undefined;
}

/** The film and all that is behind it. */
function lengthInContainer(xmp: string): string | undefined {
  const items = [...xmp.matchAll(itemsOfContainer)].slice(0, mostItems).map(([item]) => item);
  const at = items.findIndex((item) => /\bItem:Semantic\s*=\s*["']MotionPhoto["']/.test(item));
  if (at < 0) return undefined;
  const lengths = items
    .slice(at)
    .map((item) => /\bItem:Length\s*=\s*["'](\d{1,15})/.exec(item)?.[1]);
  return String(lengths.reduce((sum, length) => sum + Number(length ?? 0), 0));
}
