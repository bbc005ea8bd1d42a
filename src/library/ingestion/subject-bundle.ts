import { roleOfTitle } from './chapter-role.ts';
import type {
  Bundle,
  BundleAsset,
  BundleAuxiliaryFile,
  BundleChapter,
  BundleMediaFile,
  BundleSubtitle,
  MediaStream,
  ProbeReport,
} from '../../../plugin-api/index.ts';
import type { IngestFile, IngestSubject } from '../catalogue/commit/index.ts';
import type { MergedMetadata } from './metadata-merge.ts';
import type { ProbeEnd } from './probe-report.ts';

/** An item with the results of its probes. */
export interface ProbedSubject {
  readonly subject: IngestSubject;
  /** One for each file, in their order. */
  readonly ends: readonly ProbeEnd[];
  /** Paths of the files on this machine, by URI, if a hook needs them. */
  readonly localPaths: ReadonlyMap<string, string>;
}

/** What the files contain besides video and audio. */
export interface Embedded {
  readonly assets: readonly BundleAsset[];
  readonly subtitles: readonly BundleSubtitle[];
  readonly chapters: readonly BundleChapter[];
}

/** The file that represents the item: its first that is not an extra. */
export function leaderOf({ files }: IngestSubject): IngestFile | undefined {
  return files.find(({ classification }) => classification === 'primary') ?? files[0];
}

/** `File.fileInfo` of a report. */
export function fileInfoOf({ report }: ProbeEnd & { kind: 'read' }): Record<string, unknown> {
  const { container, bitrate, pages, streams, replayGain, motion, warnings } = report;
  return {
    container,
    ...(bitrate !== undefined && { bitrate }),
    ...(pages !== undefined && { pages }),
    streams,
    ...(replayGain !== undefined && { replayGain }),
    ...(motion !== undefined && { motion }),
    ...(warnings !== undefined && warnings.length > 0 && { warnings }),
  };
}

/** Pictures of one kind come from the first file that has one: parts of a work repeat its cover. */
export function embeddedIn({ subject, ends }: ProbedSubject): Embedded {
  const assets: BundleAsset[] = [];
  const subtitles: BundleSubtitle[] = [];
  const chapters: BundleChapter[] = [];
  const seen = new Set<string>();
  for (const [at, file] of subject.files.entries()) {
    const end = ends[at];
    if (end?.kind !== 'read') continue;
    for (const asset of picturesIn(file, end.report, end.pluginId)) {
      if (seen.has(asset.type)) continue;
      assets.push(asset);
    }
    for (const { type } of assets) seen.add(type);
    subtitles.push(...end.report.streams.flatMap((one) => subtitleOf(one, file, end.pluginId)));
    // The introduction of a book is a part of it, and no client should skip it.
    const isVideo = end.report.streams.some(({ kind }) => kind === 'video');
    for (const chapter of end.report.chapters ?? []) {
      const role = isVideo ? roleOfTitle(chapter.title) : 'chapter';
      chapters.push({ mediaFileUri: file.uri, ...chapter, role });
    }
  }
  return { assets, subtitles, chapters };
}

/** Containers of photos that a picture in another size can be made of. */
const photoTypes: ReadonlyMap<string, string> = new Map([
  ['jpeg', 'image/jpeg'],
  ['png', 'image/png'],
  ['gif', 'image/gif'],
  ['webp', 'image/webp'],
  ['avif', 'image/avif'],
]);

/** A photo is its own picture. */
function photoIn(file: IngestFile, report: ProbeReport, source: string): readonly BundleAsset[] {
  const mimeType = photoTypes.get(report.container);
  const isPhoto = report.streams.length > 0 && report.streams.every(({ kind }) => kind === 'image');
  if (mimeType === undefined || !isPhoto) return [];
  return [{ type: 'photo', uri: file.uri, source, mimeType, mediaFileId: file.id }];
}

function picturesIn(file: IngestFile, report: ProbeReport, source: string): readonly BundleAsset[] {
  const photo = photoIn(file, report, source);
  const inside = (report.artwork ?? []).flatMap(({ type, mimeType }, index) =>
    mimeType === ''
      ? []
      : [{ type, uri: `${file.uri}#artwork=${index}`, source, mimeType, mediaFileId: file.id }],
  );
  return [...photo, ...inside];
}

function subtitleOf(
  stream: MediaStream,
  file: IngestFile,
  source: string,
): readonly BundleSubtitle[] {
  if (stream.kind !== 'subtitle') return [];
  const { codec, index, language, title, isDefault, isForced, isHearingImpaired } = stream;
  return [
    {
      type: 'embedded',
      format: codec,
      streamIndex: index,
      source,
      mediaFileUri: file.uri,
      ...(language !== undefined && { language }),
      ...(title !== undefined && { title }),
      ...(isDefault !== undefined && { isDefault }),
      ...(isForced !== undefined && { isForced }),
      ...(isHearingImpaired !== undefined && { isHearingImpaired }),
    },
  ];
}

/** The bundle for hooks. `sourcePlugin` is the filesystem plugin of the library. */
export function bundleOf(
  probed: ProbedSubject,
  named: Pick<MergedMetadata, 'fields' | 'ids' | 'entities' | 'assets'>,
  sourcePlugin: string,
): Bundle {
  const embedded = embeddedIn(probed);
  return {
    files: {
      media: probed.subject.files.map((file, at) => toMediaFile(probed, file, probed.ends[at])),
      auxiliary: probed.subject.sidecars.map((file) => toAuxiliary(file, sourcePlugin)),
    },
    fields: named.fields,
    ids: named.ids,
    entities: named.entities,
    assets: [...embedded.assets, ...named.assets],
    subtitles: embedded.subtitles,
    chapters: embedded.chapters,
  };
}

function toMediaFile(
  { localPaths }: ProbedSubject,
  file: IngestFile,
  end: ProbeEnd | undefined,
): BundleMediaFile {
  const localPath = localPaths.get(file.uri);
  return {
    id: file.id,
    uri: file.uri,
    path: file.path,
    filename: file.filename,
    extension: file.extension,
    size: file.size,
    modifiedAt: new Date(file.modifiedAt).toISOString(),
    type: 'media',
    ...(file.edition !== null && { edition: file.edition }),
    ...(file.partNumber !== null && { partNumber: file.partNumber }),
    ...(end?.kind === 'read' && {
      ...(end.report.tags && { tags: { ...end.report.tags } }),
      fileInfo: {
        ...fileInfoOf(end),
        ...(end.report.duration !== undefined && { duration: end.report.duration }),
      },
    }),
    ...(localPath !== undefined && { localPath }),
  };
}

function toAuxiliary(
  file: IngestSubject['sidecars'][number],
  sourcePlugin: string,
): BundleAuxiliaryFile {
  const { uri, path, extension, size, isShared } = file;
  return { uri, path, extension, sourcePlugin, size, ...(isShared && { isShared }) };
}
