/** PDF: title, author, number of pages; the cover when the first page is a picture. */
import { malformed } from '../../../media-headers/bytes/probe-error.ts';
import { ascii, latin1, utf16, utf8 } from '../../../media-headers/bytes/text.ts';
import type { ByteSource } from '../../../media-headers/bytes/byte-source.ts';
import {
  storedPicture,
  type FormatReader,
  type FoundPicture,
  type TagsDraft,
} from '../../media.ts';
import { setTag } from '../../tags/known-tags.ts';
import { filtersOf, openPdf, type PdfObjects } from './pdf-objects.ts';
import { PdfReference, type PdfDictionary, type PdfValue } from './pdf-values.ts';

const deepestPages = 20;
const mostPictures = 12;
/** A cover fills its page; a smaller picture is decoration. */
const smallestSide = 200;

export const readPdf: FormatReader = async (source) => {
  const objects = await openPdf(source);
  const root = await objects.dictionary(objects.trailer.get('Root'));
  const pages = await objects.dictionary(root.get('Pages'));
  const count = await objects.resolve(pages.get('Count'));
  if (root.size === 0) throw malformed('The file lacks the header of a PDF.');
  const isEncrypted = objects.trailer.has('Encrypt');
  const notes = isEncrypted ? undefined : await optional(() => readNotes(objects));
  const cover = isEncrypted ? undefined : await optional(() => findCover(source, objects, pages));
  return {
    container: 'pdf',
    pages: typeof count === 'number' ? count : undefined,
    streams: [],
    tags: notes,
    pictures: cover === undefined ? [] : [cover],
    warnings: isEncrypted ? ['The PDF is encrypted; its title and author cannot be read.'] : [],
  };
};

/** An error beside the pages costs only that part. */
async function optional<Value>(read: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await read();
  } catch {
    return undefined;
  }
}

async function readNotes(objects: PdfObjects): Promise<TagsDraft> {
  const notes = await objects.dictionary(objects.trailer.get('Info'));
  const tags: TagsDraft = {};
  const text = async (key: string) => textOf(await objects.resolve(notes.get(key)));
  const title = await text('Title');
  // Placeholders of word processors for a missing title.
  if (!/^(untitled|microsoft word - .*|.*\.(docx?|indd|tex|dvi|qxd))$/i.test(title)) {
    setTag(tags, 'title', title);
  }
  setTag(tags, 'author', (await text('Author')).replace(/\s+(and|&)\s+/g, ';'));
  setTag(tags, 'description', await text('Subject'));
  const made = /^D:(\d{4})(\d{2})?(\d{2})?/.exec(await text('CreationDate'));
  if (made !== null) setTag(tags, 'date', made.slice(1).filter(Boolean).join('-'));
  return tags;
}

/** UTF-16 or UTF-8 by their byte order marks, else PDFDocEncoding, which is nearly Latin-1. */
function textOf(value: PdfValue): string {
  if (!(value instanceof Uint8Array)) return '';
  const mark = ascii(value, 0, 3);
  if (mark === '\xef\xbb\xbf') return utf8(value);
  return /^(\xfe\xff|\xff\xfe)/.test(mark) ? utf16(value) : latin1(value);
}

async function findCover(
  source: ByteSource,
  objects: PdfObjects,
  pages: PdfDictionary,
): Promise<FoundPicture | undefined> {
  let page = pages;
  let resources = page.get('Resources');
  for (let depth = 0; depth < deepestPages; depth++) {
    const kids = await objects.resolve(page.get('Kids'));
    if (!Array.isArray(kids)) break;
    page = await objects.dictionary((kids as readonly PdfValue[])[0]);
    resources = page.get('Resources') ?? resources;
  }
  const named = await objects.dictionary((await objects.dictionary(resources)).get('XObject'));
  let best: { readonly area: number; readonly picture: FoundPicture } | undefined;
  for (const value of [...named.values()].slice(0, mostPictures)) {
    const found = await readPicture(source, objects, value);
    if (found !== undefined && found.area > (best?.area ?? 0)) best = found;
  }
  return best?.picture;
}

/** A picture that is stored as JPEG. */
async function readPicture(source: ByteSource, objects: PdfObjects, value: PdfValue) {
  const stream = value instanceof PdfReference ? await objects.stream(value) : undefined;
  if (stream === undefined) return undefined;
  const { dictionary, offset } = stream;
  const number = async (key: string): Promise<number> => {
    const found = await objects.resolve(dictionary.get(key));
    return typeof found === 'number' ? found : 0;
  };
  const filters = filtersOf(dictionary);
  if (filters.length !== 1 || filters[0] !== 'DCTDecode') return undefined;
  const [width, height, length] = [
    await number('Width'),
    await number('Height'),
    await number('Length'),
  ];
  if (Math.min(width, height) < smallestSide || offset + length > source.size) return undefined;
  const picture = storedPicture(
    source,
    { offset, length },
    { type: 'cover', mimeType: 'image/jpeg' },
  );
  return { area: width * height, picture };
}
