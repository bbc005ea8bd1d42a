/**
 * Which media file an auxiliary file is named after: `Film (1999).en.forced.srt` and `Film
 * (1999)-poster.jpg` after `Film (1999).mkv`. It compares encoded URIs, since a dot or a hyphen is
 * never percent-encoded.
 */

/** A media file's URI without its extension. */
export function stemOfUri(uri: string): string {
  const slash = uri.lastIndexOf('/');
  const dot = uri.lastIndexOf('.');
  return dot > slash + 1 ? uri.slice(0, dot) : uri;
}

const mostStems = 8;

/** The stems after which a file with this URI may be named, the longest first. */
export function stemsBefore(uri: string): readonly string[] {
  const start = uri.lastIndexOf('/') + 1;
  const stems: string[] = [];
  for (let at = uri.length - 1; at > start && stems.length < mostStems; at--) {
    if (uri[at] === '.' || uri[at] === '-') stems.push(uri.slice(0, at));
  }
  return stems;
}

/** The range of the URIs of media with this stem, exclusive: `/` comes after `.`. */
export function mediaNamed(stem: string): { readonly low: string; readonly high: string } {
  return { low: `${stem}.`, high: `${stem}/` };
}

/** The range of the URIs of files named after this stem: `-` comes before `.`. */
export function namedAfter(stem: string): { readonly low: string; readonly high: string } {
  return { low: `${stem}-`, high: `${stem}/` };
}
