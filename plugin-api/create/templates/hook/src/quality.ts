import type { BundleMediaFile } from '@vitrine/plugin-api';

/** The quality of the best file; `null` when no file has a video stream. */
export function bestQuality(
  files: readonly Pick<BundleMediaFile, 'fileInfo'>[],
  { tellHdr }: { readonly tellHdr: boolean },
): string | null {
  const [best] = files
    .flatMap(({ fileInfo }) => picturesOf(fileInfo))
    .sort((one, other) => other.lines - one.lines || Number(other.isHdr) - Number(one.isHdr));
  if (best === undefined) return null;
  return tellHdr && best.isHdr ? `${nameOf(best.lines)} HDR` : nameOf(best.lines);
}

interface Picture {
  readonly lines: number;
  readonly isHdr: boolean;
}

/** The report of a probe is untrusted, so each part is checked before it is used. */
function picturesOf(fileInfo: unknown): readonly Picture[] {
  const streams = isObject(fileInfo) ? fileInfo['streams'] : undefined;
  if (!Array.isArray(streams)) return [];
  return streams.flatMap((stream: unknown): readonly Picture[] => {
    if (!isObject(stream) || stream['kind'] !== 'video') return [];
    const { width, height, hdr } = stream;
    if (typeof width !== 'number' || typeof height !== 'number') return [];
    // A film wider than 16:9 has fewer lines than the name of its format.
    return [{ lines: Math.max(height, (width * 9) / 16), isHdr: typeof hdr === 'string' }];
  });
}

function nameOf(lines: number): string {
  if (lines >= 2000) return '4K';
  if (lines >= 1000) return '1080p';
  if (lines >= 700) return '720p';
  return 'SD';
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
