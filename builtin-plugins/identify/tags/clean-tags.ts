import type { MediaTags } from '../../../plugin-api/index.ts';

const longestTitle = 300;
const longestText = 10_000;
const mostNames = 50;

/** Placeholders that programs write, and nobody else. */
const placeholder =
  /^(?:[[<(]?unknown(?: (?:artist|album|title|author|genre))?[\])>]?|no (?:artist|title|album)|n\/a|null|undefined|new (?:artist|title))$/i;
/** These are names of works and artists as well: placeholders only where names are missing, and no other is real. */
const nameOrPlaceholder =
  /^(?:[[<(]?untitled[\])>]?|none|artist|album|title|author|track ?#?\d*|titel ?\d*|piste ?\d*|audio ?track ?\d*|default|other|misc)$/i;
/** An address, a path, or a prefix of an office program. */
const leftover = /^(?:https?:|www\.|microsoft word - |file:|[a-z]:[/\\]|[/\\]{1,2}\w+[/\\])/i;
/** The names of files that programs write as a title, by the type of the library. */
const fileNames: ReadonlyMap<string, RegExp> = new Map([
  ['music', /\.(?:mp3|flac|m4a|wav|ogg)$/i],
  ['audiobooks', /\.(?:mp3|flac|m4[ab])$/i],
  ['books', /\.(?:docx?|pdf|indd|qxd|txt|html?)$/i],
]);
const videoName = /\.(?:mkv|mp4|m4v|avi|mov)$/i;
/** What a title has: music has titles of signs alone. */
const anyLetter = /[\p{L}\p{N}]/u;
const anySign = /[\p{L}\p{N}\p{S}]|[^-–—_.\s]|\S{2}/u;
/** Characters that are never in a title. */
const controls = /[\u0000-\u001f\u007f]+/g;

/** The tags of a file without invalid values. Every remaining tag can be shown. */
export function cleanTags(
  tags: MediaTags,
  { type, thisYear }: { readonly type: string; readonly thisYear: number },
): MediaTags {
  const clean = cleanerFor(tags, type);
  return {
    ...texts(tags, clean),
    ...lists(tags, clean),
    ...numbers(tags, thisYear),
    ...(tags.isCompilation === undefined ? {} : { isCompilation: tags.isCompilation }),
    ...(tags.ids === undefined ? {} : { ids: tags.ids }),
  };
}

const titleKeys = [
  'title', 'sortTitle', 'subtitle', 'artist', 'albumArtist', 'album', 'series', 'publisher', 'language', 'show', 'camera', 'lens',
] as const; // oxfmt-ignore

function texts(tags: MediaTags, clean: Clean): MediaTags {
  const kept: Record<string, string> = {};
  for (const key of titleKeys) {
    const text = clean(tags[key]);
    if (text !== undefined) kept[key] = text;
  }
  const description = tags.description?.trim().slice(0, longestText).toWellFormed();
  if (description !== undefined && description !== '') kept['description'] = description;
  if (isMoment(tags.takenAt)) kept['takenAt'] = tags.takenAt;
  if (isDay(tags.date)) kept['date'] = tags.date;
  return kept;
}

const listKeys = [
  'artists',
  'albumArtists',
  'genres',
  'composers',
  'authors',
  'narrators',
] as const;

/** Each name once, ignoring case. */
function lists(tags: MediaTags, clean: Clean): MediaTags {
  const kept: Record<string, readonly string[]> = {};
  for (const key of listKeys) {
    const names = new Map<string, string>();
    for (const raw of tags[key]?.slice(0, mostNames) ?? []) {
      const name = clean(raw);
      // `Other` is a genre of ID3 that says nothing.
      if (key === 'genres' && nameOrPlaceholder.test(name ?? '')) continue;
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
  keep('issue', 0, 99_999);
  keep('latitude', -90, 90);
  keep('longitude', -180, 180);
  const year =
    tags.year ?? Number(/^\d{4}/.exec(tags.date ?? tags.takenAt ?? '')?.[0] ?? Number.NaN);
  if (year >= 1400 && year <= thisYear + 2) kept['year'] = year;
  return kept;
}

type Clean = (raw: string | undefined) => string | undefined;

/** One line, trimmed, NFC; nothing when it is empty or a placeholder. */
function cleanerFor(tags: MediaTags, type: string): Clean {
  const file = fileNames.get(type) ?? videoName;
  const needed = type === 'music' ? anySign : anyLetter;
  const clean: Clean = (raw) => {
    const text = oneLine(raw);
    const isNoName = placeholder.test(text) || leftover.test(text) || file.test(text);
    return !isNoName && needed.test(text) ? text : undefined;
  };
  const names = [tags.title, tags.artist, tags.album].flatMap((raw) => clean(raw) ?? []);
  const isNamed = names.length === 3 || names.some((name) => !nameOrPlaceholder.test(name));
  return isNamed
    ? clean
    : (raw) => {
        const text = clean(raw);
        return text === undefined || nameOrPlaceholder.test(text) ? undefined : text;
      };
}

const oneLine = (raw = ''): string =>
  raw.slice(0, longestTitle).toWellFormed().replace(controls, ' ').normalize('NFC').trim();

function isMoment(text: string | undefined): text is string {
  return text !== undefined && /^(?:1[89]|20)\d\d-\d\d-\d\d(?:T[\d:.+Z-]{4,24})?$/.test(text);
}

function isDay(text: string | undefined): text is string {
  return text !== undefined && /^\d{4}(?:-\d\d){0,2}$/.test(text);
}
