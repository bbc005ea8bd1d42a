import type { BundleMediaFile } from '../../../plugin-api/index.ts';
import {
  entitiesNamed,
  known,
  roles,
  source,
  toLine,
  toLines,
  toText,
  type Finding,
} from '../findings/finding.ts';

/** What a document says of a photo. */
export interface PhotoFacts {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly takenAt?: string | undefined;
  readonly tags?: readonly string[];
  /** From 0 to 5; -1 = rejected. */
  readonly stars?: number | undefined;
  readonly latitude?: number | undefined;
  readonly longitude?: number | undefined;
  /** In words, the narrowest first. */
  readonly place?: readonly string[];
  /** Who is on it. */
  readonly people?: readonly string[];
  readonly isFavourite?: boolean | undefined;
}

/** Turns them into a finding. */
export function photoFinding(facts: PhotoFacts): Finding {
  const { takenAt, stars } = facts;
  const people = toLines(facts.people ?? []);
  const isPlaced = within(facts.latitude, 90) && within(facts.longitude, 180);
  return {
    fields: known({
      title: toLine(facts.title),
      overview: toText(facts.description),
      takenAt,
      year: takenAt === undefined ? undefined : Number(takenAt.slice(0, 4)),
      rating: stars !== undefined && stars > 0 && stars <= 5 ? stars * 2 : undefined,
      latitude: isPlaced ? facts.latitude : undefined,
      longitude: isPlaced ? facts.longitude : undefined,
      place: toLine((facts.place ?? []).join(', ')),
      [`${source}.tags`]: toLines(facts.tags ?? []),
      [`${source}.isFavourite`]: facts.isFavourite === true || undefined,
    }),
    entities: roles({ person: entitiesNamed('person', people) }),
  };
}

const within = (value: number | undefined, most: number): boolean =>
  value !== undefined && Math.abs(value) <= most;

/** A day, or a time with or without its zone, as the photo has it; undefined when it is none. */
export function toMoment(text: string | undefined): string | undefined {
  const [, day, time] =
    /^\s*((?:1[89]|20)\d\d-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:Z|[+-]\d\d:\d\d)?))?\s*$/.exec(
      text ?? '',
    ) ?? [];
  if (day === undefined || Number.isNaN(Date.parse(day))) return undefined;
  return time === undefined ? day : `${day}T${time}`;
}

const zonesMs = 14 * 3_600_000;

/**
 * A time without its place on the earth counts only where the file has none, or another one: the
 * camera's own time is that of the place, and only a difference that no zone explains is a
 * correction.
 */
export function correctionOf(
  takenAt: string | undefined,
  media: readonly BundleMediaFile[],
): string | undefined {
  const own = media.map(({ tags }) => tags?.['takenAt']).find((one) => typeof one === 'string');
  if (takenAt === undefined || typeof own !== 'string') return takenAt;
  const apart = Math.abs(
    Date.parse(takenAt) -
      Date.parse(/T.*(?:Z|[+-]\d\d:\d\d)$/.test(own) || !own.includes('T') ? own : `${own}Z`),
  );
  return apart <= zonesMs ? undefined : takenAt;
}
