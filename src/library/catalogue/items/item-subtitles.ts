/** Subtitles of an item as a viewer may see them. */
import type { ShownFileRow } from '../tables/file-store.ts';
import { isMap, parseMap } from '../tables/rows.ts';
import type { TrackRules } from './text-track.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What is needed to show them. */
export interface SubtitleContext extends TrackRules {
  /** The files of the item. */
  readonly files: readonly Pick<ShownFileRow, 'id' | 'uri'>[];
  readonly showsPaths: boolean;
}

/**
 * The subtitles whose location their plugin may name. A file of the item appears by its id, as
 * `fileId` and `mediaFileId`; its location is shown only to viewers who may see paths.
 */
export function shownSubtitles(
  attachments: string | null,
  context: SubtitleContext,
): readonly Fields[] {
  const { subtitles } = parseMap(attachments);
  if (!Array.isArray(subtitles)) return [];
  return (subtitles as unknown[]).filter(isMap).flatMap((one) => shown(one, context));
}

function shown(subtitle: Fields, context: SubtitleContext): readonly Fields[] {
  const { uri, mediaFileUri } = subtitle;
  const { files, showsPaths } = context;
  if (!isGiven(subtitle, context)) return [];
  const idOf = (place: unknown) => files.find((file) => file.uri === place)?.id;
  const [fileId, mediaFileId] = [idOf(uri), idOf(mediaFileUri)];
  return [
    {
      ...Object.fromEntries(Object.entries(subtitle).filter(([key]) => !hidden.has(key))),
      ...(fileId !== undefined && { fileId }),
      ...(mediaFileId !== undefined && { mediaFileId }),
      ...(showsPaths && uri !== undefined && { uri }),
      ...(showsPaths && mediaFileId !== undefined && { mediaFileUri }),
    },
  ];
}

/** Keys that only the server reads, or only people who may see paths. */
const hidden: ReadonlySet<string> = new Set(['uri', 'mediaFileUri', 'textKey']);

/** Whether its plugin may give it now. */
function isGiven(
  { source, uri, textKey }: Fields,
  { check, mayWrite, roots }: SubtitleContext,
): boolean {
  const pluginId = typeof source === 'string' ? source : '';
  if (typeof uri === 'string') return check({ pluginId, uri, roots }).kind !== 'refused';
  return textKey === undefined || mayWrite(pluginId);
}
