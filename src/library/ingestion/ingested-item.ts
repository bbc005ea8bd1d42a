import {
  withoutTexts,
  type IngestedChapter,
  type IngestedFile,
  type IngestedItem,
  type IngestFile,
} from '../catalogue/commit/index.ts';
import type { BundleChapter, BundleSubtitle } from '../../../plugin-api/index.ts';
import { needsLook, toMatchColumn } from '../matching/index.ts';
import { metadataOf, mergeSources } from './metadata-merge.ts';
import type { ProbeEnd } from './probe-report.ts';
import { embeddedIn, fileInfoOf, type ProbedSubject } from './subject-bundle.ts';
import type { ResolvedItem } from './metadata-resolver.ts';

const longestTitle = 1000;

/** The result of an ingest for one item. `fingerprints` are the new ones, by URI. */
export function toIngestedItem(
  probed: ProbedSubject,
  { named, added, matches, answers, keepsValues }: ResolvedItem,
  fingerprints: ReadonlyMap<string, string>,
): IngestedItem {
  const { subject, ends } = probed;
  const embedded = embeddedIn(probed);
  const merged = mergeSources(named, added);
  const { title } = merged.fields;
  const hasEntities = named.hasEntities || Object.keys(added.entities).length > 0;
  return {
    no: subject.no,
    title: isTitle(title) ? title : named.title,
    metadata: withoutFileEdition(metadataOf(merged), subject.files),
    texts: withoutTexts(named.texts, {
      title: Object.hasOwn(added.fields, 'title'),
      overview: Object.hasOwn(added.fields, 'overview'),
    }),
    entities: hasEntities ? merged.entities : null,
    assets: [...merged.assets, ...embedded.assets],
    subtitles: [...embedded.subtitles, ...added.subtitles],
    auxiliary: added.auxiliary,
    beside: besideOf(subject, added.subtitles),
    chapters: [
      ...embedded.chapters.map((chapter) => toChapter(probed, chapter, 'embedded')),
      ...added.chapters.map((chapter) => toChapter(probed, chapter, chapter.source)),
    ].flat(),
    provenance: merged.writers,
    match: toMatchColumn(matches),
    answers,
    knownAnswers: subject.answers,
    needsLook: needsLook(matches),
    keepsValues,
    files: subject.files.map(
      ({ no, ticket, uri, classification, partNumber, fingerprint }, at) => ({
        no,
        ticket,
        classification,
        partNumber,
        fingerprint: fingerprint ?? fingerprints.get(uri) ?? null,
        ...findings(ends[at]),
      }),
    ),
  };
}

/** The files that belong to the item alone, and those that it got as subtitles. */
function besideOf(
  { sidecars }: ProbedSubject['subject'],
  subtitles: readonly BundleSubtitle[],
): readonly number[] {
  const given = new Set(subtitles.map(({ uri }) => uri));
  return sidecars.flatMap(({ no, uri, isOwn }) => (isOwn || given.has(uri) ? no : []));
}

/** Stored reports are not stored again. */
function findings(
  end: ProbeEnd | undefined,
): Pick<IngestedFile, 'fileInfo' | 'duration' | 'error' | 'report'> {
  const nothing = { fileInfo: null, duration: null, error: null, report: null };
  switch (end?.kind) {
    case 'read': {
      const { duration = null, chapters, tags, artwork, disc } = end.report;
      const { pluginId, answersVersion } = end;
      const report = { pluginId, answersVersion, rest: { chapters, tags, artwork, disc } };
      return {
        ...nothing,
        fileInfo: fileInfoOf(end),
        duration,
        report: end.isKnown ? null : report,
      };
    }
    case 'failed':
      return { ...nothing, error: { code: end.code, message: end.message } };
    case 'unsupported':
    case undefined:
      return nothing;
  }
}

/** An edition that only some of the item's own files have is theirs, and not the item's. */
function withoutFileEdition(
  metadata: Readonly<Record<string, unknown>>,
  files: readonly IngestFile[],
): Readonly<Record<string, unknown>> {
  const own = files.filter(({ classification }) => classification === 'primary');
  const editions = new Set<unknown>(own.map(({ edition }) => edition));
  if (editions.size < 2 || !editions.has(metadata['edition'])) return metadata;
  return Object.fromEntries(Object.entries(metadata).filter(([key]) => key !== 'edition'));
}

/** A chapter that names no file of the item belongs to its first. */
function toChapter(
  { subject }: ProbedSubject,
  chapter: BundleChapter,
  source: string,
): readonly IngestedChapter[] {
  const { mediaFileUri, startTime, endTime = null, title = '', role = 'chapter' } = chapter;
  const { metadata } = chapter;
  const file =
    mediaFileUri === undefined
      ? subject.files[0]
      : subject.files.find(({ uri }) => uri === mediaFileUri);
  if (file === undefined) return [];
  return [
    {
      fileNo: file.no,
      source,
      startTime,
      endTime,
      title,
      role,
      metadata: metadata === undefined ? null : JSON.stringify(metadata),
    },
  ];
}

function isTitle(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '' && value.length <= longestTitle;
}
