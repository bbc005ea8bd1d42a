import type { BundleChapter } from '../../../plugin-api/index.ts';
import { toLine, type Finding } from '../findings/finding.ts';
import { toLanguageTag } from '../../../plugin-api/index.ts';
import { createIdCollector } from '../nfo/nfo-ids.ts';
import { toDate, toDecimal, toYear } from '../nfo/nfo-values.ts';
import { quote } from '../texts/read-texts.ts';
import { bookFinding, peopleNamed, type BookSeries } from './book-finding.ts';

/** The contents of a `metadata.json` of an audiobook manager; its chapters run through all files. */
export interface MetadataJson {
  readonly finding: Finding;
  readonly chapters: readonly BundleChapter[];
}

/** Reads one; null when it is another kind of JSON. */
export function readMetadataJson(text: string, path: string): MetadataJson | null {
  const value = parse(text, path);
  if (!isMap(value)) return null;
  const title = textAt(value, 'title');
  if (title === undefined) return null;
  const published = textAt(value, 'publishedDate') ?? textAt(value, 'publishedYear');
  const ids = createIdCollector();
  ids.add('isbn', textAt(value, 'isbn'));
  ids.add('asin', textAt(value, 'asin'));
  const flags = { isExplicit: value['explicit'] === true, isAbridged: value['abridged'] === true };
  const finding = bookFinding({
    title,
    subtitle: textAt(value, 'subtitle'),
    authors: peopleNamed(textsAt(value, 'authors')),
    narrators: peopleNamed(textsAt(value, 'narrators')),
    series: textsAt(value, 'series').flatMap(toSeries),
    genres: textsAt(value, 'genres'),
    tags: textsAt(value, 'tags'),
    publisher: textAt(value, 'publisher'),
    year: toYear(published),
    airDate: toDate(published),
    language: toLanguageTag(textAt(value, 'language') ?? '') ?? undefined,
    overview: textAt(value, 'description'),
    ids: ids.ids(),
    own: Object.fromEntries(Object.entries(flags).filter(([, is]) => is)),
  });
  return { finding, chapters: chaptersAt(value) };
}

function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    console.warn(`${quote(path)} is not read: it is not JSON.`);
    return null;
  }
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textAt(value: Readonly<Record<string, unknown>>, key: string): string | undefined {
  const found = value[key];
  if (typeof found === 'number') return String(found);
  return typeof found === 'string' && found.trim() !== '' ? found : undefined;
}

function textsAt(value: Readonly<Record<string, unknown>>, key: string): string[] {
  const found = value[key];
  if (!Array.isArray(found)) return [];
  return (found as unknown[]).slice(0, 200).filter((one) => typeof one === 'string');
}

/** `The Stormlight Archive #2.5`. */
function toSeries(written: string): BookSeries[] {
  const line = toLine(written) ?? '';
  const mark = line.lastIndexOf('#');
  const volume = mark === -1 ? undefined : toDecimal(line.slice(mark + 1));
  const name = volume === undefined ? line : line.slice(0, mark).trim();
  return name === '' ? [] : [{ name, volume }];
}

function chaptersAt(value: Readonly<Record<string, unknown>>): BundleChapter[] {
  const { chapters } = value;
  if (!Array.isArray(chapters)) return [];
  return (chapters as unknown[]).slice(0, 5000).flatMap((one): BundleChapter[] => {
    if (!isMap(one) || !isSeconds(one['start'])) return [];
    const title = toLine(textAt(one, 'title'));
    const { start, end } = one;
    return [
      {
        startTime: start,
        ...(isSeconds(end) && end > start && { endTime: end }),
        ...(title !== undefined && { title }),
        role: 'chapter',
      },
    ];
  });
}

const isSeconds = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0;
