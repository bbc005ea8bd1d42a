/**
 * The answer of ListObjectsV2. Only the needed elements are read, and nothing is trusted: an object
 * whose key was not requested, or whose size or time is invalid, is left out.
 */
import { fault } from './fault.ts';

/** An object. */
export interface S3Object {
  readonly key: string;
  readonly size: number;
  /** Unix milliseconds. */
  readonly modifiedAt: number;
  /** It is in an archive, from which nothing can be read at once. */
  readonly isArchived: boolean;
}

/** One page of a listing. */
export interface S3Page {
  readonly files: readonly S3Object[];
  /** Prefixes that a delimiter grouped; each ends in a slash. */
  readonly folders: readonly string[];
  /** Where the next page begins; `null` = this is the last one. */
  readonly next: string | null;
}

const archives: ReadonlySet<string> = new Set(['GLACIER', 'DEEP_ARCHIVE']);

/** Reads one; throws for a text that is not a listing. */
export function parseListing(xml: string, prefix: string): S3Page {
  if (!/<ListBucketResult[\s>]/.test(xml) || /<!(?:DOCTYPE|ENTITY)/i.test(xml))
    throw fault(
      'unreadable',
      'The answer of the storage is not a listing; is the address that of an S3 storage?',
    );
  const decode = textOf(xml, 'EncodingType') === 'url' ? fromUrl : (text: string) => text;
  const files = elementsOf(xml, 'Contents').flatMap((element): readonly S3Object[] => {
    const key = decode(textOf(element, 'Key') ?? '');
    const size = Number(textOf(element, 'Size') ?? Number.NaN);
    const modifiedAt = Date.parse(textOf(element, 'LastModified') ?? '');
    if (key === null || !isKeyBelow(key, prefix)) return [];
    if (!Number.isSafeInteger(size) || size < 0 || !Number.isFinite(modifiedAt)) return [];
    return [
      { key, size, modifiedAt, isArchived: archives.has(textOf(element, 'StorageClass') ?? '') },
    ];
  });
  const folders = elementsOf(xml, 'CommonPrefixes').flatMap((element): readonly string[] => {
    const folder = decode(textOf(element, 'Prefix') ?? '');
    return folder !== null && isFolderBelow(folder, prefix) ? [folder] : [];
  });
  const next = textOf(xml, 'NextContinuationToken') ?? '';
  const isCut = textOf(xml, 'IsTruncated') === 'true';
  if (isCut && next === '')
    throw fault('unreadable', 'The storage says that there is more, but not where.');
  return { files, folders, next: isCut ? next : null };
}

/** The code of an error, a word such as `AccessDenied`. */
export function errorCodeOf(xml: string): string | null {
  const code = /<Error[\s>]/.test(xml) ? textOf(xml, 'Code') : null;
  return code !== null && /^[A-Za-z]{1,60}$/.test(code) ? code : null;
}

/** S3 has no longer keys; without a limit, folders could be nested for ever. */
const longestKey = 1024;

const isKeyBelow = (key: string, prefix: string): boolean =>
  key !== '' && key.length <= longestKey && key.startsWith(prefix);

const isFolderBelow = (folder: string, prefix: string): boolean =>
  isKeyBelow(folder, prefix) && folder.endsWith('/') && folder.length > prefix.length;

/** The content between the tags of each element with that name; such elements are never nested. */
function elementsOf(xml: string, name: string): readonly string[] {
  const found: string[] = [];
  const [begin, end] = [`<${name}>`, `</${name}>`];
  for (let from = xml.indexOf(begin); from !== -1; from = xml.indexOf(begin, from)) {
    const to = xml.indexOf(end, from);
    if (to === -1) break;
    found.push(xml.slice(from + begin.length, to));
    from = to;
  }
  return found;
}

/** The text of the first element with that name; `null` = there is none. */
function textOf(xml: string, name: string): string | null {
  const begin = xml.indexOf(`<${name}>`);
  if (begin === -1) return null;
  const from = begin + name.length + 2;
  const to = xml.indexOf('<', from);
  return to === -1 ? null : unescaped(xml.slice(from, to));
}

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
};

const unescaped = (text: string): string =>
  text.replace(
    /&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([\da-f]{1,6}));/gi,
    (entity, _, ten, hex) => {
      const code = ten === undefined ? Number.parseInt(String(hex), 16) : Number(ten);
      if (Number.isNaN(code)) return entities[entity.toLowerCase()] ?? entity;
      return code <= 0x10ffff ? String.fromCodePoint(code) : entity;
    },
  );

/** Keys come percent-encoded with `+` for a space; `null` for an invalid one. */
function fromUrl(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
}
