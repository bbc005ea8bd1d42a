/** The JSON that Google Takeout writes beside a photo. */
import type { BundleMediaFile } from '../../../plugin-api/index.ts';
import type { Finding } from '../findings/finding.ts';
import { correctionOf, photoFinding } from './photo-finding.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What such a document says; null when the text is another JSON. */
export function readTakeout(text: string, media: readonly BundleMediaFile[]): Finding | null {
  const json = parse(text);
  const time = momentOf(json['photoTakenTime']);
  if (time === undefined && !('geoData' in json) && !('googlePhotosOrigin' in json)) return null;
  const place = placeOf(json['geoDataExif']) ?? placeOf(json['geoData']);
  const hasOwnPlace = media.some(({ tags }) => tags?.['latitude'] !== undefined);
  return photoFinding({
    description: textIn(json, 'description'),
    takenAt: correctionOf(time, media),
    ...(hasOwnPlace ? {} : place),
    people: listOf(json['people']).flatMap((person) => textIn(mapOf(person), 'name') ?? []),
    isFavourite: json['favorited'] === true,
  });
}

function parse(text: string): Fields {
  try {
    return mapOf(JSON.parse(text));
  } catch {
    return {};
  }
}

/** `{ "timestamp": "1625400000" }`, seconds, in UTC. */
function momentOf(value: unknown): string | undefined {
  const { timestamp } = mapOf(value);
  const seconds = typeof timestamp === 'string' ? Number(timestamp) : timestamp;
  // The years that a photo may have; Google writes the start of 1970 where it knows none.
  if (typeof seconds !== 'number' || !(seconds > -5e9 && seconds < 4e9) || seconds === 0)
    return undefined;
  return new Date(Math.round(seconds) * 1000).toISOString().replace('.000', '');
}

/** Google writes the point 0, 0 where it knows none. */
function placeOf(value: unknown): { latitude: number; longitude: number } | undefined {
  const { latitude, longitude } = mapOf(value);
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return undefined;
  return latitude === 0 && longitude === 0 ? undefined : { latitude, longitude };
}

const mapOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value.slice(0, 500) : [];

function textIn(json: Fields, key: string): string | undefined {
  const value = json[key];
  return typeof value === 'string' ? value : undefined;
}
