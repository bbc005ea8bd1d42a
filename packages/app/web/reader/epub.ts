/** An EPUB (EPUB 3.3 and 2.0.1): its chapters in order, its contents, its direction. */
import { BrokenBook, type Zip, type ZipEntry } from './zip.ts';
import { elementsOf, parseXml, textOf, type XmlElement } from './xml.ts';

/** A chapter of a book. */
export interface Chapter {
  readonly entry: ZipEntry;
  /** Its length in pages of 2048 bytes: the same on every screen. */
  readonly pages: number;
}

export interface ContentsLine {
  readonly title: string;
  /** The number of the chapter. */
  readonly chapter: number;
  /** The id of a place in the chapter, or nothing. */
  readonly place: string;
  readonly depth: number;
}

/** A book whose package document was read. */
export interface Epub {
  readonly chapters: readonly Chapter[];
  readonly contents: readonly ContentsLine[];
  readonly isRightToLeft: boolean;
  readonly language: string;
  readonly pages: number;
  /** The document of a chapter. */
  readonly read: (chapter: Chapter) => Promise<XmlElement>;
  /** What a link in a chapter leads to; `undefined` = out of the book. */
  readonly follow: (from: Chapter, href: string) => ContentsTarget | undefined;
  /** The picture that a chapter names; `undefined` = it is not in the book. */
  readonly picture: (from: Chapter, href: string) => ZipEntry | undefined;
}

export type ContentsTarget = Pick<ContentsLine, 'chapter' | 'place'>;

const pageBytes = 2048;
const maxChapterPages = 5000;
const maxLines = 2000;

/** The path in the archive that a link of a file means; `undefined` = it leads out of the book. */
export function resolvePath(
  from: string,
  href: string,
): { path: string; place: string } | undefined {
  if (/^[a-z][a-z\d+.-]*:|^\/\//i.test(href)) return undefined;
  try {
    const base = `http://book.invalid/${from.split('/').map(encodeURIComponent).join('/')}`;
    const { hostname, pathname, hash } = new URL(href, base);
    if (hostname !== 'book.invalid') return undefined;
    return {
      path: decodeURIComponent(pathname.slice(1)),
      place: decodeURIComponent(hash.slice(1)),
    };
  } catch {
    return undefined;
  }
}

/** Opens a book. */
export async function openEpub(zip: Zip): Promise<Epub> {
  const documentAt = async (path: string): Promise<XmlElement> => {
    const entry = zip.entries.get(path);
    if (entry === undefined) throw new BrokenBook('not-epub');
    return parseXml(new TextDecoder().decode(await zip.read(entry)));
  };
  const container = await documentAt('META-INF/container.xml');
  const packagePath = elementsOf(container, 'rootfile')[0]?.attributes.get('full-path') ?? '';
  const pack = await documentAt(packagePath);
  const items = new Map(
    elementsOf(pack, 'item').map((item) => [item.attributes.get('id') ?? '', item.attributes]),
  );
  const pathOf = (attributes: ReadonlyMap<string, string> | undefined): string =>
    resolvePath(packagePath, attributes?.get('href') ?? '')?.path ?? '';
  const spine = elementsOf(pack, 'spine')[0];
  if (spine === undefined) throw new BrokenBook('not-epub');
  const chapters = elementsOf(spine, 'itemref').flatMap(({ attributes }) => {
    const entry = zip.entries.get(pathOf(items.get(attributes.get('idref') ?? '')));
    return entry === undefined ? [] : chapterOf(entry);
  });
  if (chapters.length === 0) throw new BrokenBook('no-pages');
  const follow = (from: string, href: string): ContentsTarget | undefined => {
    const target = resolvePath(from, href);
    const chapter = chapters.findIndex(({ entry }) => entry.name === target?.path);
    return target === undefined || chapter === -1 ? undefined : { chapter, place: target.place };
  };
  const navigation = [...items.values()].find((item) =>
    (item.get('properties') ?? '').split(' ').includes('nav'),
  );
  const old =
    items.get(spine.attributes.get('toc') ?? '') ??
    [...items.values()].find((item) => item.get('media-type') === 'application/x-dtbncx+xml');
  const listPath = pathOf(navigation ?? old);
  const list = await documentAt(listPath).catch(() => undefined);
  return {
    chapters,
    contents: list === undefined ? [] : contentsOf(list, (href) => follow(listPath, href)),
    isRightToLeft: spine.attributes.get('page-progression-direction') === 'rtl',
    language: languageOf(pack),
    pages: chapters.reduce((sum, { pages }) => sum + pages, 0),
    read: async ({ entry }) => parseXml(new TextDecoder().decode(await zip.read(entry))),
    follow: ({ entry }, href) => follow(entry.name, href),
    picture: ({ entry }, href) => zip.entries.get(resolvePath(entry.name, href)?.path ?? ''),
  };
}

const chapterOf = (entry: ZipEntry): Chapter => ({
  entry,
  pages: Math.min(maxChapterPages, Math.max(1, Math.ceil(entry.claimedBytes / pageBytes))),
});

function languageOf(pack: XmlElement): string {
  const [language] = elementsOf(pack, 'language');
  const text = language === undefined ? '' : textOf(language);
  return /^[a-z]{2,3}(-[a-z\d]{2,8})*$/i.test(text) ? text : '';
}

/** The lines of a navigation document (`nav`, `a`) or of an NCX (`navPoint`). */
function contentsOf(
  list: XmlElement,
  follow: (href: string) => ContentsTarget | undefined,
): readonly ContentsLine[] {
  const lines: ContentsLine[] = [];
  const add = (title: string, href: string, depth: number): void => {
    const target = follow(href);
    if (target !== undefined && title !== '' && lines.length < maxLines)
      lines.push({ title: title.slice(0, 300), ...target, depth });
  };
  const navs = elementsOf(list, 'nav');
  const toc = navs.find(({ attributes }) => attributes.get('epub:type') === 'toc') ?? navs[0];
  const walk = ({ children }: XmlElement, depth: number): void => {
    for (const child of children) {
      if (typeof child === 'string') continue;
      const { name, attributes } = child;
      if (name === 'a') add(textOf(child), attributes.get('href') ?? '', depth);
      if (name === 'navpoint') {
        const [label] = elementsOf(child, 'navlabel');
        const [content] = elementsOf(child, 'content');
        add(label === undefined ? '' : textOf(label), content?.attributes.get('src') ?? '', depth);
      }
      walk(child, name === 'ol' || name === 'navpoint' ? depth + 1 : depth);
    }
  };
  walk(toc ?? list, toc === undefined ? 0 : -1);
  return lines;
}
