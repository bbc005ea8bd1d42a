const lenient = new TextDecoder();

/** The decoded path from `root` to `uri`, such as `Film (1999)/Film.mkv`. */
export function relativePath(root: string, uri: string): string {
  return uri
    .slice(root.length + 1)
    .split('/')
    .map(decodeName)
    .join('/');
}

/** The last name of a URI, decoded. */
export function fileName(uri: string): string {
  return decodeName(uri.slice(uri.lastIndexOf('/') + 1));
}

/** The URI of the folder that contains it, without a trailing slash. */
export function folderOf(uri: string): string {
  return uri.slice(0, uri.lastIndexOf('/'));
}

const timedText = new Set(
  'srt ass ssa sub idx vtt sup smi sami ttml dfxp sbv stl usf mks lrc'.split(' '),
);

/** Whether it is text that is shown along with media: subtitles or lyrics. */
export function isTimedText(uri: string): boolean {
  return timedText.has(extensionOf(uri.slice(uri.lastIndexOf('/') + 1)));
}

/** Lower case, without the dot; empty when the name has none. */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(dot + 1).toLowerCase() : '';
}

/** A name without its extension. */
export function stemOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(0, dot) : name;
}

/** A name whose bytes are not UTF-8 has U+FFFD in their place. */
function decodeName(encoded: string): string {
  if (!encoded.includes('%')) return encoded;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return lenient.decode(percentBytes(encoded));
  }
}

function percentBytes(encoded: string): Uint8Array {
  const bytes: number[] = [];
  for (let at = 0; at < encoded.length; at++) {
    const escaped = encoded[at] === '%' ? Number.parseInt(encoded.slice(at + 1, at + 3), 16) : NaN;
    if (Number.isNaN(escaped)) bytes.push(encoded.charCodeAt(at) & 0xff);
    else {
      bytes.push(escaped);
      at += 2;
    }
  }
  return Uint8Array.from(bytes);
}
