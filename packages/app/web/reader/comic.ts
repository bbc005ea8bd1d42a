/** A comic archive: its pages in order, and its direction. */
import { elementsOf, parseXml, textOf } from './xml.ts';
import { BrokenBook, type Zip, type ZipEntry } from './zip.ts';

/** A comic whose directory was read. */
export interface Comic {
  readonly pages: readonly ZipEntry[];
  /** Whether its own description says that it is read from right to left. */
  readonly isRightToLeft: boolean;
}

const picture = /\.(jpe?g|png|gif|webp|avif|bmp)$/i;
/** What macOS puts beside files. */
const unwanted = /(^|\/)(__MACOSX\/|\._)/;
/** `page 2` is before `page 10`. */
const order = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** The pages of an archive, in the order of their names. */
export const pagesOf = (names: Iterable<string>): readonly string[] =>
  [...names].filter((name) => picture.test(name) && !unwanted.test(name)).sort(order.compare);

export async function openComic(zip: Zip): Promise<Comic> {
  const pages = pagesOf(zip.entries.keys()).flatMap((name) => zip.entries.get(name) ?? []);
  if (pages.length === 0) throw new BrokenBook('no-pages');
  const about = [...zip.entries.values()].find(({ name }) => /(^|\/)ComicInfo\.xml$/i.test(name));
  if (about === undefined) return { pages, isRightToLeft: false };
  const info = parseXml(new TextDecoder().decode(await zip.read(about)));
  const [manga] = elementsOf(info, 'manga');
  return { pages, isRightToLeft: manga !== undefined && textOf(manga) === 'YesAndRightToLeft' };
}
