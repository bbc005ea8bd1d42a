import type { MediaTags } from '../../../plugin-api/index.ts';

const longestTitle = 300;
const longestText = 10_000;
const mostNames = 50;

/** Placeholders that programs write. */
const placeholder =
  /^(?:unknown(?: (?:artist|album|title|author|genre))?|untitled|no (?:artist|title|album)|none|n\/a|null|undefined|artist|album|title|author|track ?#?\d*|titel ?\d*|piste ?\d*|audio ?track ?\d*|\[untitled\]|<unknown>|new (?:artist|title)|default|other|misc)$/i;
/** A file name, an address, or a prefix of an office program. */
const leftover =
  /^(?:https?:|www\.|microsoft word - |file:)|[/\\]\w+[/\\]|\.(?:mkv|mp4|m4v|avi|mov|mp3|flac|m4a|docx?|pdf|indd|qxd|txt|html?)$/i;
/** Characters that are never in a title. */
const controls = /[\u0000-\u001f\u007f]+/g;

/** The tags of a file without invalid values. Every remaining tag can be shown. */
export function cleanTags(tags: MediaTags, thisYear: number): MediaTags {
  return {
    ...texts(tags),
    ...lists(tags),
    ...numbers(tags, thisYear),
    ...(tags.isCompilation === undefined ? {} : { isCompilation: tags.isCompilation }),
    ...(tags.ids === undefined ? {} : { ids: tags.ids }),
  };
}

const titleKeys = [
  'title', 'sortTitle', 'artist', 'albumArtist', 'album', 'series', 'publisher', 'language', 'show', 'camera', 'lens',
] as const; // oxfmt-ignore

function texts(tags: MediaTags): MediaTags {
  const kept: Record<string, string> = {};
  for (const key of titleKeys) {
    const text = cleanTitle(tags[key]);
    if (text !== undefined) kept[key] = text;
  }
  const description = tags.description?.trim().slice(0, longestText).toWellFormed();
  if (description !== undefined && description !== '') kept['description'] = description;
  if (isMoment(tags.takenAt)) kept['takenAt'] = tags.takenAt;
  if (isDay(tags.date)) kept['date'] = tags.date;
  return kept;
}

const listKeys = ['artists', 'genres', 'composers', 'authors', 'narrators'] as const;

/** Each name once, ignoring case. */
function lists(tags: MediaTags): MediaTags {
  const kept: Record<string, readonly string[]> = {};
  for (const key of listKeys) {
    const names = new Map<string, string>();
    for (const raw of tags[key]?.slice(0, mostNames) ?? []) {
      const name = cleanTitle(raw);
      if (name !== undefined && !names.has(name.toLowerCase())) names.set(name.toLowerCase(), name);
    }
    if (names.size > 0) kept[key] = [...names.values()];
  }
  return kept;
}

function numbers(tags: MediaTags, thisYear: number): MediaTags {
  const kept: Record<string, number> = {};
  const keep = (key: keyof MediaTags, from: number, to: number): void => {
    const value = tags[key];
    if (typeof value === 'number' && value >= from && value <= to) kept[key] = value + 0; // -0 is not a meaningful number.
  };
  for (const key of ['track', 'trackTotal', 'episode'] as const) keep(key, 1, 9999);
  for (const key of ['disc', 'discTotal'] as const) keep(key, 1, 200);
  keep('season', 0, 9999);
  keep('volume', 0, 9999);
  keep('latitude', -90, 90);
  keep('longitude', -180, 180);
  const year =
    tags.year ?? Number(/^\d{4}/.exec(tags.date ?? tags.takenAt ?? '')?.[0] ?? Number.NaN);
  if (year >= 1400 && year <= thisYear + 2) kept['year'] = year;
  return kept;
}

/** One line, trimmed, NFC; nothing when it is empty or a placeholder. */
function cleanTitle(raw: string | undefined): string | undefined {
  if (raw === undefined) return undefined;
  const text = raw
    .slice(0, longestTitle)
    .toWellFormed()
    .replace(controls, ' ')
    .normalize('NFC')
    .trim();
  if (text === '' || placeholder.test(text) || leftover.test(text)) return undefined;
  return /[\p{L}\p{N}]/u.test(text) ? text : undefined;
}

function isMoment(text: string | undefined): text is string {
  return text !== undefined && /^(?:1[89]|20)\d\d-\d\d-\d\d(?:T[\d:.+Z-]{4,24})?$/.test(text);
}

function isDay(text: string | undefined): text is string {
  return text !== undefined && /^\d{4}(?:-\d\d){0,2}$/.test(text);
}
