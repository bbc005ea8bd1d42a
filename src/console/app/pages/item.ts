import { call, get } from '../api.ts';
import { el, fill, type Child } from '../../../../packages/page-kit/index.ts';
import type { PageParts } from '../page.ts';
import type { Item, LibraryFile } from '../resources.ts';

const savedEveryMs = 10_000;

/** The page of one item: details, a player where the browser can play it, and its files. */
export async function itemPage({ place, id, me }: PageParts): Promise<void> {
  const { item } = await get<{ item: Item }>(`/api/items/${encodeURIComponent(id)}`);
  document.title = `${item.title} · Vitrine`;
  const picture = item.assets['poster'] ?? item.assets['cover'];
  const media = item.files.filter(({ type }) => type === 'media');
  const [first] = media.filter(({ classification }) => classification === 'primary');
  fill(
    place,
    el(
      'article',
      { class: picture === undefined ? 'item plain' : 'item' },
      picture !== undefined && el('img', { class: 'poster', src: picture, alt: '' }),
      el(
        'div',
        {},
        el('h1', {}, item.title),
        el('p', { class: 'quiet' }, factsOf(item).join(' · ')),
        typeof item.metadata['overview'] === 'string' && el('p', {}, item.metadata['overview']),
        first !== undefined && player(first, item, me.user.role !== 'guest'),
        peopleOf(item),
        el('h2', {}, 'Files'),
        el('ul', { class: 'list' }, media.map(fileRow)),
      ),
    ),
  );
}

function factsOf({ metadata, certification, libraryName, files }: Item): readonly string[] {
  const genres: readonly unknown[] = Array.isArray(metadata['genres']) ? metadata['genres'] : [];
  const seconds = files.reduce((sum, file) => sum + (file.duration ?? 0), 0);
  return [
    metadata['series'],
    metadata['artist'],
    metadata['year'],
    certification,
    seconds > 0 && files[0]?.mediaKind !== 'text' && `${Math.max(1, Math.round(seconds / 60))} min`,
    ...genres,
    libraryName,
  ]
    .filter((fact) => typeof fact === 'string' || typeof fact === 'number')
    .map(String);
}

/** A player for the file; shows an error when the browser cannot play it. */
function player(file: LibraryFile, { id, playback }: Item, isKept: boolean): Child {
  const src = streamOf(file);
  if (file.mediaKind === 'image') return el('img', { class: 'player', src, alt: '' });
  if (file.mediaKind === 'text') return null;
  const failure = el('p', { class: 'problem', role: 'alert', hidden: true });
  failure.textContent = 'This browser cannot play the file. A player such as mpv or VLC can.';
  const media = el(file.mediaKind, { class: 'player', controls: true, preload: 'metadata', src });
  media.addEventListener('error', () => (failure.hidden = false));
  media.addEventListener('loadedmetadata', () => {
    const { completed, position } = playback;
    if (!completed && position > 0 && position < media.duration) media.currentTime = position;
  });
  if (isKept) keepPlace(media, id);
  return el('div', {}, media, failure);
}

function keepPlace(media: HTMLMediaElement, id: string): void {
  let savedAt = 0;
  const save = (): void => {
    savedAt = Date.now();
    const { currentTime: position, duration } = media;
    if (!Number.isFinite(duration) || position === 0) return;
    // A failed report is ignored, because the next one follows in a few seconds.
    call('PUT', `/api/items/${encodeURIComponent(id)}/playback`, { position, duration }).catch(
      () => undefined,
    );
  };
  media.addEventListener('timeupdate', () => {
    if (Date.now() - savedAt > savedEveryMs) save();
  });
  media.addEventListener('pause', save);
}

function peopleOf({ linkedEntities }: Item): Child {
  const people = linkedEntities.filter(({ type }) => type === 'person' || type === 'artist');
  if (people.length === 0) return null;
  return el(
    'dl',
    {},
    people.slice(0, 20).flatMap(({ role, name }) => [el('dt', {}, role), el('dd', {}, name)]),
  );
}

const fileRow = (file: LibraryFile): HTMLElement =>
  el(
    'li',
    {},
    el('span', {}, file.filename),
    el(
      'span',
      { class: 'row' },
      el('small', {}, sizeOf(file.size)),
      el('a', { href: streamOf(file), download: file.filename }, 'Download'),
    ),
  );

const streamOf = ({ id }: LibraryFile): string => `/api/files/${encodeURIComponent(id)}/stream`;

function sizeOf(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const number = bytes / 1000 ** power;
  return `${number.toFixed(number < 10 && power > 0 ? 1 : 0)} ${units[power] ?? ''}`;
}
