/** Subtitles of an item as a viewer may see them. */
import type { CheckReference } from '../../../files/references/index.ts';
import type { ShownFileRow } from '../tables/file-store.ts';
import { isMap, parseMap } from '../tables/rows.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What is needed to show them. */
export interface SubtitleContext {
  readonly check: CheckReference;
  /** The roots of the item's library. */
  readonly roots: readonly string[];
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
  const { uri, mediaFileUri, ...rest } = subtitle;
  const { files, showsPaths } = context;
  if (typeof uri === 'string' && !isNameable(subtitle['source'], uri, context)) return [];
  const idOf = (place: unknown) => files.find((file) => file.uri === place)?.id;
  const [fileId, mediaFileId] = [idOf(uri), idOf(mediaFileUri)];
  return [
    {
      ...rest,
      ...(fileId !== undefined && { fileId }),
      ...(mediaFileId !== undefined && { mediaFileId }),
      ...(showsPaths && uri !== undefined && { uri }),
      ...(showsPaths && mediaFileId !== undefined && { mediaFileUri }),
    },
  ];
}

function isNameable(source: unknown, uri: string, { check, roots }: SubtitleContext): boolean {
  const pluginId = typeof source === 'string' ? source : '';
  return check({ pluginId, uri, roots }).kind !== 'refused';
}
