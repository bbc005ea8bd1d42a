import type { BundleEntity } from '../../../plugin-api/index.ts';
import { entity, toLine, type Finding } from '../findings/finding.ts';
import { toLanguageTag } from '../../../plugin-api/index.ts';
import { createIdCollector, type Ids } from '../nfo/nfo-ids.ts';
import { splitNames, toDate, toDecimal, toYear } from '../nfo/nfo-values.ts';
import { childOf, childrenOf, textOf, textsOf, type XmlElement } from '../xml/xml-element.ts';
import { titlesOfBook } from '../../media-headers/book-titles.ts';
import { bookFinding, type BookSeries } from './book-finding.ts';

/** The contents of an OPF package, as Calibre and audiobook managers write it beside a book. */
export function readOpf(root: XmlElement): Finding | null {
  const metadata = childOf(root, 'metadata');
  if (root.name !== 'package' || metadata === undefined) return null;
  const dc = childOf(metadata, 'dc-metadata') ?? metadata;
  const metas = childrenOf(metadata, 'meta').concat(
    childrenOf(childOf(metadata, 'x-metadata') ?? metadata, 'meta'),
  );
  const { author = [], narrator = [], ...people } = creatorsOf(dc, metas);
  const date = textOf(dc, 'date');
  const { title, subtitle } = titlesOf(dc, metas);
  return bookFinding({
    title: title?.text,
    subtitle: textOf(dc, 'subtitle') ?? subtitle?.text,
    sortTitle: metaOf(metas, 'calibre:title_sort') ?? title?.sort,
    authors: author,
    narrators: narrator,
    people,
    series: seriesOf(metas),
    genres: splitNames([...textsOf(dc, 'subject')], /\s*[;|]\s*/),
    tags: textsOf(dc, 'tag'),
    publisher: textOf(dc, 'publisher'),
    year: toBookYear(date),
    airDate: toBookYear(date) === undefined ? undefined : toDate(date),
    language: toLanguageTag(textOf(dc, 'language') ?? '') ?? undefined,
    overview: textOf(dc, 'description'),
    rating: toDecimal(metaOf(metas, 'calibre:rating')) || undefined,
    ids: identifiersOf(dc),
  });
}

/** The name of the cover's file, from the guide or the manifest. */
export function coverIn(root: XmlElement): string | undefined {
  const references = childrenOf(childOf(root, 'guide') ?? root, 'reference');
  const reference = references.find(({ attributes }) => attributes.get('type') === 'cover');
  const items = childrenOf(childOf(root, 'manifest') ?? root, 'item');
  const item = items.find(({ attributes }) => attributes.get('properties') === 'cover-image');
  return (reference ?? item)?.attributes.get('href');
}

/** Calibre writes the year 101 where it knows none. */
const toBookYear = (date: string | undefined): number | undefined =>
  date?.startsWith('0101') === true ? undefined : toYear(date);

const titlesOf = (dc: XmlElement, metas: readonly XmlElement[]) =>
  titlesOfBook(
    childrenOf(dc, 'title').map((title) => ({
      text: title.text,
      type: refined(metas, title, 'title-type'),
      sort: refined(metas, title, 'file-as'),
    })),
  );

/** MARC relator codes, by role. */
const rolesOfCode: ReadonlyMap<string, string> = new Map([
  ['aut', 'author'],
  ['nrt', 'narrator'],
  ['ill', 'illustrator'],
  ['trl', 'translator'],
  ['edt', 'editor'],
  ['aui', 'contributor'],
  ['ctb', 'contributor'],
  ['art', 'artist'],
  ['clr', 'colorist'],
  ['cov', 'coverArtist'],
]);

const mostPeople = 100;

function creatorsOf(
  dc: XmlElement,
  metas: readonly XmlElement[],
): Record<string, readonly BundleEntity[]> {
  const found = new Map<string, BundleEntity[]>();
  for (const creator of childrenOf(dc, 'creator', 'contributor', 'narrator').slice(0, mostPeople)) {
    const usual = creator.name === 'narrator' ? 'nrt' : creator.name === 'creator' ? 'aut' : '';
    const code = creator.attributes.get('role') ?? refined(metas, creator, 'role') ?? usual;
    const role = rolesOfCode.get(code.toLowerCase().replace(/^.*\//, ''));
    const sortName = creator.attributes.get('file-as') ?? refined(metas, creator, 'file-as');
    for (const written of splitNames([creator.text], /\s*[;&]\s*/)) {
      const name = toLine(written);
      if (role === undefined || name === undefined) continue;
      const people = found.get(role) ?? [];
      found.set(role, [
        ...people,
        entity('person', name, { metadata: { sortName: toLine(sortName) } }),
      ]);
    }
  }
  return Object.fromEntries(found);
}

/** What an EPUB 3 `<meta refines="#id" property="…">` says of an element. */
function refined(
  metas: readonly XmlElement[],
  { attributes }: XmlElement,
  property: string,
): string | undefined {
  const id = attributes.get('id');
  if (id === undefined) return undefined;
  return metas.find(
    (meta) =>
      meta.attributes.get('refines') === `#${id}` && meta.attributes.get('property') === property,
  )?.text;
}

const metaOf = (metas: readonly XmlElement[], name: string): string | undefined =>
  metas.find(({ attributes }) => attributes.get('name') === name)?.attributes.get('content');

/** Series of Calibre, several of them in audiobook managers, and collections of EPUB 3. */
function seriesOf(metas: readonly XmlElement[]): BookSeries[] {
  const found: { name: string; volume?: number | undefined }[] = [];
  for (const meta of metas.slice(0, 1000)) {
    const name = meta.attributes.get('name');
    const content = meta.attributes.get('content') ?? meta.text;
    const last = found.at(-1);
    if (name === 'calibre:series') add(content);
    else if (name === 'calibre:series_index' && last) last.volume ??= toDecimal(content);
    else if (meta.attributes.get('property') === 'belongs-to-collection') {
      add(meta.text);
      const added = found.at(-1);
      if (added) added.volume = toDecimal(refined(metas, meta, 'group-position'));
    }
  }
  return found.filter(({ name }, at) => found.findIndex((one) => one.name === name) === at);

  function add(written: string): void {
    const name = toLine(written);
    if (name !== undefined && found.length < 20) found.push({ name });
  }
}

/** `<dc:identifier opf:scheme="ISBN">`, `urn:isbn:…`, `isbn:…`; Calibre's own numbers are ignored. */
function identifiersOf(dc: XmlElement): Ids {
  const collector = createIdCollector();
  for (const { attributes, text } of childrenOf(dc, 'identifier')) {
    const parts = /^(?:urn:)?([a-z][a-z0-9-]{1,30}):(?!\/\/)(.+)$/i.exec(text.slice(0, 300));
    const scheme = (attributes.get('scheme') ?? parts?.[1] ?? '').toLowerCase();
    if (scheme === '' || scheme === 'calibre' || scheme === 'uuid') continue;
    collector.add(scheme, parts?.[2] ?? text);
  }
  return collector.ids();
}
