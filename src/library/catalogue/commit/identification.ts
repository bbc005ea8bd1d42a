/**
 * Validates what plugins answer about files. An answer comes from an isolate: the type and size of
 * each part are checked before it is used, and an invalid part is treated as absent.
 */
import type {
  BundleAsset,
  BundleEntity,
  IdValue,
  Identification,
} from '../../../../plugin-api/index.ts';
import { extensionOf, stemOf } from '../tables/file-uri.ts';
import { canonicalTag } from '../../../platform/language-tag.ts';
import { isMap } from '../tables/rows.ts';
import type { Texts, TextsByLanguage } from '../texts/item-texts.ts';

const classifications = [
  'primary',
  'extra',
  'trailer',
  'deleted-scene',
  'behind-the-scenes',
  'companion',
] as const;

type Classification = (typeof classifications)[number];

const longestName = 1000;
const longestUri = 16_384;
const mostEntities = 500;
const mostIds = 50;
const mostAssets = 100;
const largestMetadata = 65_536;
const mostLanguages = 10;

/** Answers of an indexer, one per file; null where it did not know or its answer was invalid. */
export function parseIdentifications(
  answer: unknown,
  count: number,
): readonly (Identification | null)[] {
  const results = isMap(answer) ? answer['results'] : undefined;
  if (!Array.isArray(results)) return Array.from({ length: count }, () => null);
  return Array.from({ length: count }, (_, index) => parseIdentification(results[index]));
}

/** An answer as it was kept, or `null` when the source has no answer now. */
export function parseKeptAnswer(text: string): Identification | null {
  return parseIdentification(JSON.parse(text));
}

/** The indexes of the files that an indexer could not look up now. */
export function parseLater(answer: unknown, count: number): ReadonlySet<number> {
  const places = isMap(answer) ? answer['later'] : undefined;
  if (!Array.isArray(places)) return new Set();
  const list: readonly unknown[] = places.slice(0, count);
  return new Set(list.filter((place): place is number => Number.isInteger(place)));
}

/** Keys of a library plugin, one per file; null unless there is exactly one key per file. */
export function parseKeys(answer: unknown, count: number): readonly string[] | null {
  const keys = isMap(answer) ? answer['keys'] : undefined;
  if (!Array.isArray(keys) || keys.length !== count) return null;
  const list: readonly unknown[] = keys;
  return list.every((key) => isName(key)) ? list : null;
}

/** The fallback identification: by the file name alone. */
export function identificationByName(path: string): Identification {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const stem = extensionOf(name) === '' ? name : stemOf(name);
  const title = stem.replace(/[._]+/g, ' ').trim().slice(0, longestName);
  return { title: title === '' ? name : title, metadata: {} };
}

/** The key of an item of its own, for a file that no plugin grouped. */
export function keyByPath(path: string): string {
  return `file:${path}`;
}

/** A title that can be shown, or undefined. */
export function readTitle(value: unknown): string | undefined {
  return isName(value) ? value : undefined;
}

/** The columns of a file that come from its own identification. */
export function fileColumnsOf({ classification, edition, partNumber }: Identification) {
  return {
    classification: classification ?? 'primary',
    edition: edition ?? null,
    part_number: partNumber ?? null,
  };
}

function parseIdentification(value: unknown): Identification | null {
  if (!isMap(value) || !isName(value['title'])) return null;
  const { title, metadata, classification, edition, partNumber, entities } = value;
  const { assets, confidence, match } = value;
  const texts = parseTexts(value['texts']);
  return {
    title,
    metadata: isSmallMap(metadata) ? metadata : {},
    ...(isClassification(classification) && { classification }),
    ...(isName(edition) && { edition }),
    ...(isPartNumber(partNumber) && { partNumber }),
    ...(isMap(entities) && { entities: parseEntities(entities) }),
    ...(isShare(confidence) && { confidence }),
    ...(Array.isArray(assets) && { assets: parseAssets(assets) }),
    ...(isMap(match) && isShortName(match['id']) && { match: { id: match['id'] } }),
    ...(texts !== null && { texts }),
  };
}

/** Titles and summaries by language, all together as large as the metadata at most. */
function parseTexts(value: unknown): TextsByLanguage | null {
  if (!isMap(value)) return null;
  const languages = Object.entries(value).slice(0, mostLanguages);
  const texts = Object.fromEntries(
    languages.flatMap(([tag, one]): [string, Texts][] => {
      const language = canonicalTag(tag);
      if (language === null || !isMap(one)) return [];
      const title = isName(one['title']) ? one['title'] : undefined;
      const overview = isText(one['overview']) ? one['overview'] : undefined;
      if (title === undefined && overview === undefined) return [];
      const own = {
        ...(title !== undefined && { title }),
        ...(overview !== undefined && { overview }),
      };
      return [[language, own]];
    }),
  );
  const isKept = Object.keys(texts).length > 0 && isSmallMap(texts);
  return isKept ? texts : null;
}

/** The answer with texts in the languages of the library; those of its entities too. */
export function textsIn(answer: Identification, languages: readonly string[]): Identification {
  const wanted = new Set(languages.map(canonicalTag));
  const { entities } = answer;
  const cut = <One extends { readonly texts?: TextsByLanguage }>(one: One): One => {
    if (one.texts === undefined) return one;
    const { texts, ...rest } = one;
    const kept = Object.entries(texts).filter(([language]) => wanted.has(language));
    return (kept.length === 0 ? rest : { ...rest, texts: Object.fromEntries(kept) }) as One;
  };
  if (entities === undefined) return cut(answer);
  const roles = Object.entries(entities).map(([role, list]) => [role, list.map(cut)] as const);
  return { ...cut(answer), entities: Object.fromEntries(roles) };
}

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= largestMetadata && value.trim() !== '';

/** Pictures that the server may fetch: only http(s) URLs. */
function parseAssets(assets: readonly unknown[]): readonly BundleAsset[] {
  return assets.slice(0, mostAssets).flatMap((asset): BundleAsset[] => {
    if (!isMap(asset) || !isShortName(asset['type']) || !isWebUrl(asset['uri'])) return [];
    const { type, uri, source, mimeType, aspect } = asset;
    return [
      {
        type,
        uri,
        source: typeof source === 'string' ? source.slice(0, longestName) : '',
        ...(isShortName(mimeType) && { mimeType }),
        ...(isAspect(aspect) && { aspect }),
      },
    ];
  });
}

/** Entities by role; invalid ones are left out. */
export function parseEntities(
  roles: Readonly<Record<string, unknown>>,
): Record<string, readonly BundleEntity[]> {
  let room = mostEntities;
  const parsed: [string, readonly BundleEntity[]][] = [];
  for (const [role, list] of Object.entries(roles)) {
    if (!Array.isArray(list) || !isName(role)) continue;
    const entities = (list as unknown[]).slice(0, room).flatMap(parseEntity);
    room -= entities.length;
    parsed.push([role, entities]);
  }
  return Object.fromEntries(parsed);
}

function parseEntity(value: unknown): readonly BundleEntity[] {
  if (!isMap(value) || !isName(value['name'])) return [];
  const { name, type, status, ids, metadata, source } = value;
  const texts = parseTexts(value['texts']);
  return [
    {
      name,
      // Empty when the source does not say: then what it knows of the entity decides.
      status: status === 'complete' || status === 'pending' ? status : '',
      source: typeof source === 'string' ? source : '',
      ...(isName(type) && { type }),
      ...(isMap(ids) && { ids: parseIds(ids) }),
      ...(isSmallMap(metadata) && { metadata }),
      ...(texts !== null && { texts }),
    },
  ];
}

/** Identifiers by provider; invalid ones are left out, and a text stands for an id. */
export function parseIds(ids: unknown): Readonly<Record<string, IdValue>> {
  const known = isMap(ids) ? Object.entries(ids).slice(0, mostIds) : [];
  return Object.fromEntries(
    known.flatMap(([provider, value]): [string, IdValue][] => {
      if (!isShortName(provider)) return [];
      if (value === true) return [[provider, true]];
      if (isShortName(value)) return [[provider, { id: value }]];
      if (!isMap(value) || !isShortName(value['id'])) return [];
      const { id, confidence, url } = value;
      const sure = isShare(confidence) && { confidence };
      return [[provider, { id, ...sure, ...(isWebUrl(url) && { url }) }]];
    }),
  );
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value.length <= longestName && value.trim() !== '';
}

function isShortName(value: unknown): value is string {
  return isName(value) && value.length <= 200;
}

function isWebUrl(value: unknown): value is string {
  return typeof value === 'string' && value.length <= longestUri && /^https?:\/\/\S+$/.test(value);
}

function isAspect(value: unknown): value is 'square' | 'portrait' | 'landscape' {
  return value === 'square' || value === 'portrait' || value === 'landscape';
}

function isShare(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 1;
}

/** Metadata is stored as it came. It is serialized for measuring only if it may be large. */
function isSmallMap(value: unknown): value is Readonly<Record<string, unknown>> {
  if (!isMap(value)) return false;
  const values = Object.values(value);
  if (values.length <= 64 && values.every(isShort)) return true;
  return JSON.stringify(value).length <= largestMetadata;
}

function isShort(value: unknown): boolean {
  return typeof value === 'string' ? value.length <= 500 : typeof value !== 'object';
}

function isClassification(value: unknown): value is Classification {
  return classifications.some((known) => known === value);
}

function isPartNumber(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) < 1_000_000;
}
