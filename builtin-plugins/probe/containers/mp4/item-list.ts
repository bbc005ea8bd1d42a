/** `ilst`: tags and pictures in the form of iTunes. */
import { u16, u32, u8 } from '../../../media-headers/bytes/numbers.ts';
import { ascii, utf16, utf8 } from '../../../media-headers/bytes/text.ts';
import type { ByteSource } from '../../../media-headers/bytes/byte-source.ts';
import { storedPicture, type FoundPicture, type TagsDraft } from '../../media.ts';
import { genreName } from '../../tags/genres.ts';
import { setTag } from '../../tags/known-tags.ts';
import { contentOf, findBox, readBoxes, type Box } from '../../../media-headers/mp4/boxes.ts';

export interface ItemList {
  readonly tags: TagsDraft;
  readonly pictures: readonly FoundPicture[];
}

const textBytes = 64 * 1024;

/** Names of items, as the tag names of other formats. */
const names = new Map(
  Object.entries({
    '©nam': 'title',
    '©ART': 'artist',
    aART: 'albumartist',
    '©alb': 'album',
    '©day': 'date',
    '©gen': 'genre',
    '©wrt': 'composer',
    '©nrt': 'narrator',
    '©pub': 'publisher',
    '©lyr': 'lyrics',
    '©cmt': 'comment',
    '©des': 'description',
    desc: 'description',
    ldes: 'synopsis',
    sonm: 'titlesort',
    tvsh: 'show',
    tvsn: 'season',
    tves: 'episode',
    trkn: 'track',
    disk: 'disc',
    cpil: 'compilation',
    gnre: 'genre',
  }),
);

const mimeTypes = new Map([
  [13, 'image/jpeg'],
  [14, 'image/png'],
  [27, 'image/bmp'],
]);

/** Reads the `meta` among the boxes, and ignores an invalid list. */
export async function readItemList(source: ByteSource, boxes: readonly Box[]): Promise<ItemList> {
  const tags: TagsDraft = {};
  const pictures: FoundPicture[] = [];
  const meta = findBox(boxes, 'meta');
  if (meta === undefined) return { tags, pictures };
  try {
    const inMeta = await readBoxes(source, await metaStart(source, meta), meta.end);
    const list = findBox(inMeta, 'ilst');
    if (list === undefined) return { tags, pictures };
    const keys = await readKeys(source, findBox(inMeta, 'keys'));
    for (const item of await readBoxes(source, list.from, list.end)) {
      if (item.type === 'covr') pictures.push(...(await readCovers(source, item)));
      else await readItem(source, item, { tags, keys });
    }
  } catch {
    // The values read so far stay: invalid tags do not fail the film.
  }
  return { tags, pictures };
}

/** QuickTime omits the version that MP4 has in front. */
async function metaStart(source: ByteSource, meta: Box): Promise<number> {
  const head = await source.read(meta.from, Math.min(8, meta.end - meta.from));
  return ascii(head, 4, 4) === 'hdlr' ? meta.from : meta.from + 4;
}

/** The names of items that are numbers, as QuickTime has them: the type of the first is 1. */
async function readKeys(
  source: ByteSource,
  box: Box | undefined,
): Promise<ReadonlyMap<string, string>> {
  const keys = new Map<string, string>();
  if (box === undefined) return keys;
  const bytes = await contentOf(source, box, textBytes);
  for (let at = 8, number = 1; at + 8 <= bytes.length; number++) {
    const size = u32(bytes, at);
    if (size < 8) break;
    const type = String.fromCharCode(...[24, 16, 8, 0].map((bits) => (number >> bits) & 255));
    keys.set(type, utf8(bytes.subarray(at + 8, at + size)));
    at += size;
  }
  return keys;
}

async function readItem(
  source: ByteSource,
  item: Box,
  { tags, keys }: { readonly tags: TagsDraft; readonly keys: ReadonlyMap<string, string> },
): Promise<void> {
  const isFree = item.type === '----';
  const known = names.get(item.type) ?? keys.get(item.type);
  if (!isFree && known === undefined) return;
  const parts = await readBoxes(source, item.from, item.end);
  const name = isFree ? await freeName(source, parts) : known;
  const values: string[] = [];
  for (const part of parts) {
    if (part.type !== 'data') continue;
    values.push(valueOf(item.type, await contentOf(source, part, textBytes)));
  }
  if (name !== undefined) setTag(tags, name, values.join('\0'));
}

async function freeName(source: ByteSource, parts: readonly Box[]): Promise<string | undefined> {
  const box = findBox(parts, 'name');
  return box && utf8((await contentOf(source, box, 256)).subarray(4));
}

function valueOf(type: string, content: Uint8Array): string {
  const kind = u32(content, 0) & 0xffffff;
  const value = content.subarray(8);
  if (type === 'trkn' || type === 'disk') {
    return value.length < 6 ? '' : `${u16(value, 2)}/${u16(value, 4)}`;
  }
  if (type === 'gnre') return genreName(u16(value, 0) - 1) ?? '';
  if (kind === 21 || kind === 0 || kind === 22) {
    return value.length <= 4 ? String(integer(value)) : kind === 0 ? utf8(value) : '';
  }
  return kind === 2 ? utf16(value, 'be') : utf8(value);
}

function integer(value: Uint8Array): number {
  return value.reduce((sum, byte) => sum * 256 + byte, 0);
}

async function readCovers(source: ByteSource, item: Box): Promise<readonly FoundPicture[]> {
  const covers: FoundPicture[] = [];
  for (const part of await readBoxes(source, item.from, item.end)) {
    const length = part.end - part.from - 8;
    if (part.type !== 'data' || length < 16) continue;
    const head = await source.read(part.from, 10);
    const isPng = u8(head, 8) === 0x89;
    const mimeType = isPng ? 'image/png' : (mimeTypes.get(u32(head, 0) & 255) ?? 'image/jpeg');
    covers.push(
      storedPicture(source, { offset: part.from + 8, length }, { type: 'cover', mimeType }),
    );
  }
  return covers;
}
