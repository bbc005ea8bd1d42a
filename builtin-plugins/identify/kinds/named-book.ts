import { foldTitle } from '../reading/characters.ts';
import type { VolumeName } from './volume-name.ts';

/** A book's name, with the author and the series in it. */
export interface NamedBook extends VolumeName {
  readonly author?: string;
}

const inBrackets = /^(.{1,120}?) - [[(]([^\][()]{2,80}?) #?(\d{1,3}(?:\.\d)?)[\])] - (.+)$/;
const numbered =
  /^(.{2,80}?),? \(?(?:(?:book|vol\.?|volume|band|tome|bk) )?#?(\d{1,3}(?:\.\d)?)\)?$/i;
const byAuthor = /^(.{2,200}) by ((?:\p{Lu}[\p{L}'’.-]* ?){2,5})$/u;

/** `Author - Cycle 02 - Title`, `Author - [Cycle 02] - Title`, `Author - Title`, `Title by Author`. */
export function splitAuthor(own: VolumeName): NamedBook {
  const book = splitBrackets(own);
  const [author = '', ...rest] = partsOf(book.title);
  if (rest.length === 0) {
    const match = byAuthor.exec(book.title);
    return match === null
      ? book
      : { ...book, title: (match[1] ?? '').trim(), author: (match[2] ?? '').trim() };
  }
  const dated = rest.length > 1 ? /^(?:1[89]|20)\d\d$/.exec(rest[0] ?? '') : null;
  if (dated !== null) rest.shift();
  const year = dated === null ? {} : { year: book.year ?? Number(dated[0]) };
  return { ...splitSeries({ ...book, ...year, title: rest.join(' - ') }), author };
}

/** The same in the folder of an author, whose name may be on either side of the title. */
export function splitShelved(own: VolumeName, author: string): NamedBook {
  const book = splitBrackets(own);
  const spoken = author.split(', ').reverse().join(' ');
  const parts = partsOf(book.title);
  const kept = parts.filter((part) => !isSame(part, author) && !isSame(part, spoken));
  return splitSeries(kept.length === 0 ? book : { ...book, title: kept.join(' - ') });
}

/** `Cycle 02 Title` and `2 Title`, inside the folder of the cycle. */
export function splitInSeries(book: NamedBook, series: string): NamedBook {
  if (book.volume !== undefined) return book;
  const isNamed = book.title.toLowerCase().startsWith(`${series.toLowerCase()} `);
  const rest = isNamed ? book.title.slice(series.length + 1) : book.title;
  const match = /^(?:book |vol\.? ?|#)?(\d{1,2}(?:\.\d)?) (?=\p{L})/iu.exec(rest);
  if (match === null) return book;
  return { ...book, volume: Number(match[1]), title: rest.slice(match[0].length).trim() };
}

/** `Cycle 02 - Title`. */
export function splitSeries(book: VolumeName): VolumeName {
  const [first = '', ...rest] = partsOf(book.title);
  const match = rest.length === 0 || book.volume !== undefined ? null : numbered.exec(first);
  if (match === null) return book;
  return {
    ...book,
    series: (match[1] ?? '').trim(),
    volume: Number(match[2]),
    title: rest.join(' - '),
  };
}

function splitBrackets(own: VolumeName): VolumeName {
  const match = inBrackets.exec(own.title);
  if (match === null) return own;
  const [, author = '', series = '', volume, title = ''] = match;
  return { ...own, title: `${author} - ${title}`, series, volume: Number(volume) };
}

function partsOf(title: string): readonly string[] {
  return title.split(' - ').map((part) => part.trim());
}

function isSame(a: string, b: string): boolean {
  return foldTitle(a) === foldTitle(b);
}
