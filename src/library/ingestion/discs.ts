/**
 * Files of discs. Their names do not tell which of them is the film: the probe reads it from the disc,
 * and what it says of a file counts with its name. A disc in a folder of extras stays an extra.
 */
import type { Identifier, IngestFile, IngestSubject } from '../catalogue/commit/index.ts';
import type { LibraryRow } from '../catalogue/index.ts';
import { byPart } from '../catalogue/items/index.ts';
import type { ProbeEnd } from './probe-report.ts';
import type { ProbedSubject } from './subject-bundle.ts';

/** Parts of the second disc of a film come behind those of the first. */
const partsOfDisc = 1000;

/** Whether the probe says what the file is on its disc. */
const isOnDisc = (end: ProbeEnd | undefined): boolean =>
  end?.kind === 'read' && end.report.disc !== undefined;

/** The files to probe. What a file is on its disc depends on the others, so they are read together. */
export function filesToProbe({ files }: IngestSubject): readonly IngestFile[] {
  if (files.every(({ known }) => known !== null)) return files;
  return files.map((file) =>
    file.known?.report['disc'] === undefined ? file : { ...file, known: null },
  );
}

/** The items with the files of discs as what they are: the film and its parts, or extras. */
export async function placeDiscs(
  library: LibraryRow,
  items: readonly ProbedSubject[],
  { name }: Pick<Identifier, 'name'>,
): Promise<readonly ProbedSubject[]> {
  const onDisc = items.flatMap(({ subject, ends }) =>
    subject.files.filter((_, at) => isOnDisc(ends[at])),
  );
  if (onDisc.length === 0) return items;
  const named = await name(
    library,
    onDisc.map(({ path, size }) => ({ path, size })),
  );
  const places = new Map(onDisc.map((file, at) => [file, named[at]?.identification]));

  function placed(file: IngestFile, end: ProbeEnd | undefined): IngestFile {
    const disc = end?.kind === 'read' ? end.report.disc : undefined;
    if (disc === undefined) return file;
    const { classification = 'primary', partNumber = null } = places.get(file) ?? {};
    const isFilm = disc.role === 'main' && classification === 'primary';
    const part = disc.part === undefined ? null : (partNumber ?? 0) * partsOfDisc + disc.part;
    return {
      ...file,
      classification: disc.role === 'main' ? classification : notPrimary(classification),
      partNumber: isFilm ? (part ?? partNumber) : null,
    };
  }

  return items.map((item) => {
    if (!item.ends.some(isOnDisc)) return item;
    const pairs = item.subject.files
      .map((file, at) => ({ file: placed(file, item.ends[at]), end: item.ends[at] }))
      .sort((one, other) => byPart(placeOf(one.file), placeOf(other.file)));
    return {
      ...item,
      subject: { ...item.subject, files: pairs.map(({ file }) => file) },
      ends: pairs.flatMap(({ end }) => end ?? []),
    };
  });
}

const notPrimary = (classification: string): string =>
  classification === 'primary' ? 'extra' : classification;

const placeOf = ({ partNumber, ...file }: IngestFile) => ({ ...file, part_number: partNumber });
