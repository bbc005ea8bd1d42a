/** EPUB: an archive with a package document about the book. */
import { malformed } from '../../media-headers/bytes/probe-error.ts';
import { utf16, utf8 } from '../../media-headers/bytes/text.ts';
import type { ByteSource } from '../../media-headers/bytes/byte-source.ts';
import { pictureTypeNamed } from '../../media-headers/bytes/picture-type.ts';
import { titlesOfBook } from '../../media-headers/book-titles.ts';
import type { FormatReader, FoundPicture, TagsDraft } from '../media.ts';
import { setTag } from '../tags/known-tags.ts';
import { readXmlElements, type XmlElement } from './xml-elements.ts';
import { readZipEntries, readZipEntry, type ZipEntry } from './zip.ts';

const documentBytes = 512 * 1024;
const pictureBytes = 8 * 1024 * 1024;

export const readEpub: FormatReader = async (source) => {
  const entries = await readZipEntries(source);
  const packagePath = await findPackage(source, entries);
  const elements = await readXml(source, entries, packagePath);
  const cover = findCover(elements, packagePath, entries);
  return {
    container: 'epub',
    streams: [],
    tags: readBookTags(elements),
    pictures: cover === undefined ? [] : [zippedPicture(source, cover.entry, cover.mimeType)],
  };
};

export async function readXml(
  source: ByteSource,
  entries: readonly ZipEntry[],
  name: string,
): Promise<readonly XmlElement[]> {
  const entry = entries.find((one) => one.name === name);
  if (entry === undefined) throw malformed(`The archive lacks ${name}.`);
  const bytes = await readZipEntry(source, entry, documentBytes);
  const isWide = (bytes[0] ?? 0) >= 0xfe;
  return readXmlElements(isWide ? utf16(bytes) : utf8(bytes));
}

export function zippedPicture(source: ByteSource, entry: ZipEntry, mimeType: string): FoundPicture {
  return {
    type: 'cover',
    mimeType,
    size: entry.size,
    load: () => readZipEntry(source, entry, pictureBytes),
  };
}

async function findPackage(source: ByteSource, entries: readonly ZipEntry[]): Promise<string> {
  const container = 'META-INF/container.xml';
  if (entries.some(({ name }) => name === container)) {
    const elements = await readXml(source, entries, container);
    const path = elements.find(({ name }) => name === 'rootfile')?.attributes['full-path'];
    if (path !== undefined) return path;
  }
  const found = entries.find(({ name }) => name.toLowerCase().endsWith('.opf'));
  if (found === undefined) throw malformed('The archive holds no book.');
  return found.name;
}

function readBookTags(elements: readonly XmlElement[]): TagsDraft {
  const tags: TagsDraft = {};
  const refined = refinementsIn(elements);
  setTitles(tags, elements, refined);
  for (const element of elements) {
    const { name, attributes, text } = element;
    if (name === 'spine') break;
    if (name === 'meta') setMeta(tags, attributes, text);
    else if (name === 'creator') {
      const role = attributes['role'] ?? refined('role', attributes) ?? 'aut';
      if (role === 'aut') addAuthor(tags, text);
      if (role === 'nrt') setTag(tags, 'narrator', text);
    } else if (name === 'identifier') setIdentifier(tags, attributes['scheme'] ?? '', text);
    else if (name === 'subject') setTag(tags, 'genre', text);
    else if (name === 'date') setDate(tags, attributes['event'], text);
    else if (name === 'description') setTag(tags, 'description', plainText(text));
    else if (name === 'publisher' || name === 'language') setTag(tags, name, text);
  }
  return tags;
}

type Attributes = Readonly<Record<string, string>>;
type Refinements = (property: string, of: Attributes) => string | undefined;

/** What `<meta refines="#id" property="…">` says of the element with the id. */
function refinementsIn(elements: readonly XmlElement[]): Refinements {
  const all = new Map<string, string>();
  for (const { name, attributes, text } of elements) {
    const { refines, property } = attributes;
    if (name === 'meta' && refines !== undefined && property !== undefined)
      all.set(`${property} ${refines.replace('#', '')}`, text);
  }
  return (property, { id }) => (id === undefined ? undefined : all.get(`${property} ${id}`));
}

function setTitles(tags: TagsDraft, elements: readonly XmlElement[], refined: Refinements): void {
  const end = elements.findIndex(({ name }) => name === 'spine');
  const titles = elements
    .slice(0, end < 0 ? undefined : end)
    .filter(({ name }) => name === 'title')
    .map(({ attributes, text }) => {
      return {
        text,
        type: refined('title-type', attributes),
        sort: refined('file-as', attributes),
      };
    });
  const { title, subtitle } = titlesOfBook(titles);
  setTag(tags, 'title', title?.text ?? '');
  setTag(tags, 'titlesort', title?.sort ?? '');
  setTag(tags, 'subtitle', subtitle?.text ?? '');
}

/** A name is not split: `King; Stephen` is not a list here. */
function addAuthor(tags: TagsDraft, name: string): void {
  const clean = name.replace(/\s+/g, ' ').trim();
  if (clean !== '') tags.authors = [...new Set([...(tags.authors ?? []), clean])];
}

/** Several dates have an event each; the date of publication counts. */
function setDate(tags: TagsDraft, event: string | undefined, text: string): void {
  if (event === undefined || event === 'publication' || event === 'original-publication') {
    setTag(tags, 'date', text);
  }
}

function setMeta(
  tags: TagsDraft,
  attributes: Readonly<Record<string, string>>,
  text: string,
): void {
  const { name = '', content = '', property = '' } = attributes;
  if (name === 'calibre:series') setTag(tags, 'series', content);
  if (name === 'calibre:series_index') setTag(tags, 'seriespart', content);
  if (name === 'calibre:title_sort') setTag(tags, 'titlesort', content);
  if (property === 'belongs-to-collection') setTag(tags, 'series', text);
  if (property === 'group-position') setTag(tags, 'seriespart', text);
  if (property.endsWith('narrator')) setTag(tags, 'narrator', text);
}

function setIdentifier(tags: TagsDraft, scheme: string, text: string): void {
  const value = text.replace(/^urn:(isbn|uuid|asin):/i, '').trim();
  const digits = value.replace(/^isbn:?/i, '').replace(/[\s-]/g, '');
  if (/isbn/i.test(scheme) || /isbn/i.test(text) || /^97[89]\d{10}$/.test(digits)) {
    if (/^(\d{9}[\dX]|\d{13})$/i.test(digits)) setTag(tags, 'isbn', digits);
  } else if (/^(asin|mobi-asin|amazon)$/i.test(scheme)) setTag(tags, 'asin', value);
}

/** A tag within a word or before a sign leaves no space. */
function plainText(html: string): string {
  if (!html.includes('<')) return html;
  const lines = html.replace(
    /<\/?(?:a|b|i|u|em|strong|span|small|sup|sub)(?:\s[^>]{0,500})?>/gi,
    '',
  );
  return lines.replace(/<[^>]{0,500}>/g, ' ').replace(/\s+/g, ' ');
}

function findCover(
  elements: readonly XmlElement[],
  packagePath: string,
  entries: readonly ZipEntry[],
): { readonly entry: ZipEntry; readonly mimeType: string } | undefined {
  const items = elements.filter(({ name }) => name === 'item').map(({ attributes }) => attributes);
  const named = elements.find(
    ({ name, attributes }) => name === 'meta' && attributes['name'] === 'cover',
  )?.attributes['content'];
  const pictures = items.filter((item) => item['media-type']?.startsWith('image/'));
  const item =
    pictures.find((one) => one['properties']?.split(' ').includes('cover-image')) ??
    pictures.find((one) => named !== undefined && one['id'] === named) ??
    pictures.find((one) => /cover/i.test(`${one['id'] ?? ''} ${one['href'] ?? ''}`));
  if (item === undefined) return undefined;
  const path = resolvePath(packagePath, item['href'] ?? '');
  const entry = entries.find(({ name }) => name === path);
  return entry && { entry, mimeType: pictureTypeNamed(item['media-type'] ?? '') };
}

function resolvePath(from: string, href: string): string {
  const parts = from.split('/').slice(0, -1);
  for (const part of decode(href.split('#')[0] ?? '').split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
