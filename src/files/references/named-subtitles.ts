/**
 * The subtitles that plugins name. One that could never be played is refused here, with the reason, so
 * that its author learns of it.
 */
import type { BundleSubtitle } from '../../../plugin-api/index.ts';
import type { Claims } from './claims.ts';
import { withUri, type AcceptUri } from './named-uris.ts';

/** What decides about subtitles. */
export interface SubtitleRules {
  readonly accept: AcceptUri;
  readonly refuse: Claims['refuse'];
  /** The media files of the item. */
  readonly mediaUris: ReadonlySet<string>;
  /** Whether a URI is one of a file of the library. */
  readonly isOfLibrary: (uri: string) => boolean;
}

/** How many tracks an item has beside those in files of the library. */
const mostGiven = 20;
const givenFormats = [
  'srt',
  'subrip',
  'ass',
  'ssa',
  'vtt',
  'webvtt',
  'ttml',
  'smi',
  'sub',
  'sbv',
  'lrc',
];
const longestShown = 60;

/** Subtitles that have an accepted URI or a text, and belong to a file of the item. */
export function acceptedSubtitles(
  subtitles: readonly BundleSubtitle[],
  rules: SubtitleRules,
): readonly BundleSubtitle[] {
  let given = 0;
  return subtitles.flatMap((subtitle): readonly BundleSubtitle[] => {
    const { source, uri } = subtitle;
    const refuse = (why: string): readonly BundleSubtitle[] => {
      rules.refuse(source, { what: 'subtitles', why });
      return [];
    };
    const fault = faultOf(subtitle, rules);
    if (fault !== null) return refuse(fault);
    const [kept] =
      uri === undefined
        ? [subtitle]
        : withUri({ ...subtitle, uri }, source, 'subtitles', rules.accept);
    if (kept === undefined || !isGiven(kept, rules)) return kept === undefined ? [] : [kept];
    const format = kept.format.toLowerCase();
    if (!givenFormats.includes(format))
      return refuse(`format ${shown(format)} is not one of ${givenFormats.join(', ')}.`);
    given += 1;
    return given > mostGiven
      ? refuse(`an item has at most ${mostGiven} tracks that plugins give.`)
      : [kept];
  });
}

function faultOf(subtitle: BundleSubtitle, { mediaUris }: SubtitleRules): string | null {
  const { type, uri, text, mediaFileUri } = subtitle;
  if (mediaFileUri !== undefined && !mediaUris.has(mediaFileUri))
    return 'mediaFileUri is not a media file of the item; take one of bundle.files.media.';
  if (type === 'embedded') return text === undefined ? null : 'a track in the file has no text.';
  if (uri === undefined && text === undefined) return 'an external track needs a uri or a text.';
  return uri === undefined || text === undefined ? null : 'a track has a uri or a text, not both.';
}

const isGiven = ({ type, uri }: BundleSubtitle, { isOfLibrary }: SubtitleRules): boolean =>
  type === 'external' && (uri === undefined || !isOfLibrary(uri));

const shown = (text: string): string => JSON.stringify(text.slice(0, longestShown));
