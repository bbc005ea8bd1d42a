/**
 * Which media file an auxiliary file is named after: `Film (1999).en.forced.srt` and
 * `Film (1999)-poster.jpg` after `Film (1999).mkv`. It works on URIs as they are, since neither a dot
 * nor a hyphen is ever percent-encoded.
 */

/** A media file's URI without its extension. */
export function stemOfUri(uri: string): string {
  const slash = uri.lastIndexOf('/');
  const dot = uri.lastIndexOf('.');
  return dot > slash + 1 ? uri.slice(0, dot) : uri;
}

const mostStems = 8;

/** The stems that a file of this URI can be named after, the longest first. */
export function stemsBefore(uri: string): readonly string[] {
  const start = uri.lastIndexOf('/') + 1;
  const stems: string[] = [];
  for (let at = uri.length - 1; at > start && stems.length < mostStems; at--) {
    if (uri[at] === '.' || uri[at] === '-') stems.push(uri.slice(0, at));
  }
  return stems;
}

/** Where the URIs of media with this stem lie, exclusively: `/` comes after `.`. */
export function mediaNamed(stem: string): { readonly low: string; readonly high: string } {
  return { low: `${stem}.`, high: `${stem}/` };
}

/** Where the URIs of files lie that are named after this stem: `-` comes before `.`. */
export function namedAfter(stem: string): { readonly low: string; readonly high: string } {
  return { low: `${stem}-`, high: `${stem}/` };
}
