/**
 * Comics: pictures in an archive, in the order of their names, sometimes with a ComicInfo.xml. ZIP
 * is read; archives of other kinds are recognized by their first bytes, and refused by name.
 */
import { malformed, ProbeError } from '../../media-headers/bytes/probe-error.ts';
import type { FormatReader, TagsDraft } from '../media.ts';
import { setTag } from '../tags/known-tags.ts';
import { readXml, zippedPicture } from './epub.ts';
import type { XmlElement } from './xml-elements.ts';
import { ascii } from '../../media-headers/bytes/text.ts';
import { beginsAsZip, readZipEntries, type ZipEntry } from './zip.ts';

const pictureTypes = new Map([
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['png', 'image/png'],
  ['webp', 'image/webp'],
  ['gif', 'image/gif'],
  ['avif', 'image/avif'],
  ['jxl', 'image/jxl'],
]);

const names = new Map(
  Object.entries({
    Title: 'title',
    Series: 'series',
    Number: 'issuenumber',
    Publisher: 'publisher',
    Summary: 'description',
    LanguageISO: 'language',
    GTIN: 'isbn',
  }),
);

/** How archives of other kinds begin. */
const otherArchives: Readonly<Record<string, (head: Uint8Array) => boolean>> = {
  RAR: (head) => ascii(head, 0, 6) === 'Rar!\x1a\x07',
  '7z': (head) => ascii(head, 0, 6) === '7z\xbc\xaf\x27\x1c',
  TAR: (head) => ascii(head, 257, 5) === 'ustar',
  ACE: (head) => ascii(head, 7, 7) === '**ACE**',
};

function archiveOf(head: Uint8Array): string | undefined {
  if (beginsAsZip(head)) return 'ZIP';
  return Object.entries(otherArchives).find(([, begins]) => begins(head))?.[0];
}

/** Whether a file is an archive of a kind that is known here, be it read or not. */
export const beginsAsArchive = (head: Uint8Array): boolean => archiveOf(head) !== undefined;

export const readComicArchive: FormatReader = async (source) => {
  const kind = archiveOf(await source.read(0, Math.min(source.size, 512))) ?? 'ZIP';
  if (kind !== 'ZIP')
    throw new ProbeError(
      'unsupported',
      `The archive is packed as ${kind}, which is not read. Pack it as CBZ (ZIP).`,
    );
  const entries = await readZipEntries(source);
  const pages = entries
    .filter(({ name }) => typeOf(name) !== undefined && !/(^|\/)(\.|__MACOSX)/.test(name))
    .sort((one, other) => compareNames(one.name, other.name));
  const first = pages.find(({ name }) => /(^|\/)(front)?cover\.[a-z]+$/i.test(name)) ?? pages[0];
  if (first === undefined) throw malformed('The archive has no pictures in it.');
  const note = entries.find(({ name }) => /(^|\/)ComicInfo\.xml$/i.test(name));
  const warnings: string[] = [];
  const elements = await readXmlOf(note, async (name) => readXml(source, entries, name), warnings);
  return {
    container: 'cbz',
    pages: pages.length,
    streams: [],
    tags: readComicTags(elements),
    pictures: [zippedPicture(source, first, typeOf(first.name) ?? 'image/jpeg')],
    warnings,
  };
};

/** An invalid ComicInfo.xml costs only itself. */
async function readXmlOf(
  note: ZipEntry | undefined,
  read: (name: string) => Promise<readonly XmlElement[]>,
  warnings: string[],
): Promise<readonly XmlElement[]> {
  try {
    return note === undefined ? [] : await read(note.name);
  } catch {
    warnings.push('ComicInfo.xml could not be read.');
    return [];
  }
}

function readComicTags(elements: readonly XmlElement[]): TagsDraft {
  const tags: TagsDraft = {};
  const parts: Record<string, string> = {};
  for (const { name, text } of elements) {
    const known = names.get(name);
    if (known !== undefined) setTag(tags, known, text);
    // Western comics number their volumes by years.
    if (name === 'Volume' && /^[1-9]\d{0,2}$/.test(text)) setTag(tags, 'seriespart', text);
    if (name === 'Writer') setTag(tags, 'author', text.replaceAll(',', ';'));
    if (name === 'Genre') setTag(tags, 'genre', text.replaceAll(',', ';'));
    if (name === 'Year' || name === 'Month' || name === 'Day') parts[name] = text;
  }
  const { Year: year = '', Month: month = '', Day: day = '' } = parts;
  if (/^\d{4}$/.test(year)) setTag(tags, 'date', [year, month, day].filter(Boolean).join('-'));
  return tags;
}

function typeOf(name: string): string | undefined {
  return pictureTypes.get(name.slice(name.lastIndexOf('.') + 1).toLowerCase());
}

/** Numbers in names compare as numbers: `page 2` is before `page 10`. */
function compareNames(one: string, other: string): number {
  return sortKey(one) < sortKey(other) ? -1 : 1;
}

function sortKey(name: string): string {
  return name
    .toLowerCase()
    .slice(0, 500)
    .replace(/\d+/g, (digits) => digits.padStart(12, '0'));
}
