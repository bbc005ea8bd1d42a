/**
 * M3U: one file a line, with a line of comment before it that has its length and its title. Every
 * line is a claim of a stranger: it becomes names below a folder of the library, or nothing.
 */

/** A line of a playlist that names a file. */
export interface M3uEntry {
  /** What the comment says; else the name of the file. */
  readonly title: string;
  /** Seconds, if the comment says so. */
  readonly duration: number | null;
  /** Where it is; null = not in files of this server (an address of the network). */
  readonly place: M3uPlace | null;
}

/** Names of folders and of the file. An absolute place is one of another machine in most playlists. */
export interface M3uPlace {
  readonly isAbsolute: boolean;
  readonly names: readonly string[];
}

const mostEntries = 5000;
const longestTitle = 500;
const mostNames = 100;
/** The names at the end of a path by which a file of another machine is found. */
const longestEnd = 5;
const comment = /^#EXTINF:\s*(-?\d{1,9}(?:\.\d{1,9})?)?[^,]{0,2000},?(.*)$/i;

/** The entries of a playlist; null = it is a list of the pieces of one stream (HLS). */
export function readM3u(lines: readonly string[]): readonly M3uEntry[] | null {
  const entries: M3uEntry[] = [];
  let said: { readonly title: string; readonly duration: number | null } | undefined;
  for (const raw of lines) {
    const line = raw.replace(/^\ufeff/, '').trim();
    if (/^#EXT-X-(?:TARGETDURATION|STREAM-INF|MEDIA)\b/i.test(line)) return null;
    const [, seconds, title = ''] = comment.exec(line) ?? [];
    if (title !== '' || seconds !== undefined) {
      const duration = Number(seconds);
      said = { title: title.trim(), duration: duration > 0 ? duration : null };
    }
    if (line === '' || line.startsWith('#')) continue;
    if (entries.length === mostEntries) break;
    const place = placeOf(line);
    const name = place?.names.at(-1) ?? line;
    entries.push({
      title: (said?.title || name).slice(0, longestTitle),
      duration: said?.duration ?? null,
      place,
    });
    said = undefined;
  }
  return entries;
}

function placeOf(line: string): M3uPlace | null {
  const local = /^file:(?:\/\/(?:localhost)?(?=\/))?(.*)$/i.exec(line)?.[1];
  if (local === undefined && /^[a-z][a-z0-9+.-]+:/i.test(line)) return null;
  const path = (local === undefined ? line : decoded(local)).replaceAll('\\', '/');
  const plain = path.replace(/^\/?[a-z]:(?=\/)/i, '');
  const names = plain.split('/').filter((name) => name !== '' && name !== '.');
  const isAbsolute = plain.startsWith('/') || plain !== path;
  if (names.length === 0 || path.includes('\0')) return null;
  // No disk has so deep a path: it can only be one of another machine, by its end.
  if (names.length > mostNames) return { isAbsolute: true, names: names.slice(-longestEnd) };
  return { isAbsolute, names };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * The URIs that an entry may have, the likeliest first; all are below a folder of the library.
 * `folder` is that of the playlist. Of an absolute path the end counts, since its beginning is that of
 * the machine where the playlist was made.
 */
export function urisOf(
  { isAbsolute, names }: M3uPlace,
  { folder, roots }: { readonly folder: string; readonly roots: readonly string[] },
): readonly string[] {
  const root = roots.find((one) => folder === one || folder.startsWith(`${one}/`));
  if (root === undefined) return [];
  const inside = folder.slice(root.length).split('/').filter(Boolean);
  if (!isAbsolute)
    return [walked(inside, names), walked([], names)].flatMap((path) =>
      path === null ? [] : spelled(path).map((one) => [root, ...one].join('/')),
    );
  const path = walked([], names) ?? [];
  const whole = `file://${path.map((name) => `/${name}`).join('')}`;
  const exact = roots.some((one) => whole.startsWith(`${one}/`)) ? [whole] : [];
  // Each name is spelled once, and not again for each end that has it.
  const all = spelled(path.slice(-longestEnd));
  const below = [5, 4, 3, 2]
    .filter((count) => count <= path.length)
    .flatMap((count) =>
      roots.flatMap((one) => all.map((end) => [one, ...end.slice(-count)].join('/'))),
    );
  return [...new Set([...exact, ...below])].slice(0, mostSpellings);
}

const mostSpellings = 24;

const encoded = (name: string): string => encodeURIComponent(name.toWellFormed());

/** Encoded names from a folder on; null = it leads out of the library. */
function walked(folder: readonly string[], names: readonly string[]): readonly string[] | null {
  const path = [...folder];
  for (const name of names) {
    if (name !== '..') path.push(encoded(name));
    else if (path.pop() === undefined) return null;
  }
  return path;
}

/** A byte of a letter that is not ASCII. */
const beyondAscii = /%[89A-F]/i;

/** Disks write accents in one form or the other. */
function spelled(path: readonly string[]): readonly (readonly string[])[] {
  if (!path.some((name) => beyondAscii.test(name))) return [path];
  const forms = ['NFC', 'NFD'].map((form) => path.map((name) => respelled(name, form)));
  return [...new Map([path, ...forms].map((one) => [one.join('/'), one])).values()];
}

/** A name whose bytes are not UTF-8 has one spelling. */
function respelled(name: string, form: string): string {
  try {
    return encodeURIComponent(decodeURIComponent(name).normalize(form));
  } catch {
    return name;
  }
}
