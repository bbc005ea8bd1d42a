import type { BundleSubtitle } from '../../../plugin-api/index.ts';
import { source, type Finding } from '../findings/finding.ts';
import type { Text } from '../item/text-kind.ts';
import { readSubtitleName } from '../subtitles/subtitle-name.ts';
import { hasTimes, plainLyrics } from './lyrics.ts';

/** Lyrics as a field and, if they have times, as a subtitle. */
export function readLyrics({ neighbour, media, rest }: Text, text: string): Finding {
  const lyrics = plainLyrics(text);
  if (lyrics === undefined) return {};
  const { language } = readSubtitleName(rest);
  const subtitle: BundleSubtitle = {
    type: 'external',
    ...(language !== undefined && { language }),
    format: 'lrc',
    uri: neighbour.file.uri,
    source,
    ...(media !== undefined && { mediaFileUri: media.file.uri }),
  };
  return { fields: { lyrics }, ...(hasTimes(text) && { subtitles: [subtitle] }) };
}
