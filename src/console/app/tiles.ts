import { get } from './api.ts';
import { el } from '../../../packages/page-kit/index.ts';
import { actionButton } from './form.ts';
import type { Item, ItemsPage } from './resources.ts';

/** The number of items as text. */
export const countOf = (items: number): string => (items === 1 ? '1 item' : `${items} items`);

/** One item of a grid: a picture with a title below. */
export function tile({ id, title, metadata, assets, playback }: Item): HTMLElement {
  const picture = assets['poster'] ?? assets['cover'] ?? assets['thumbnail'];
  const isSquare = assets['poster'] === undefined && typeof metadata['album'] === 'string';
  const share = playback.duration > 0 ? playback.position / playback.duration : 0;
  return el(
    'li',
    {},
    el(
      'a',
      { class: isSquare ? 'tile square' : 'tile', href: `/items/${id}` },
      el(
        'span',
        { class: 'picture' },
        el('span', { 'aria-hidden': 'true' }, title),
        // If the picture does not load, the title under it stays visible.
        picture !== undefined &&
          el('img', {
            src: picture,
            alt: '',
            loading: 'lazy',
            onerror: (event) => (event.target as Element).remove(),
          }),
        !playback.completed &&
          share > 0 &&
          el('progress', { max: 1, value: share, 'aria-label': 'Watched so far' }),
      ),
      el('span', { class: 'title' }, title),
      el('small', {}, aboutOf(metadata)),
    ),
  );
}

/** Details that distinguish an item from others with the same title. */
function aboutOf(metadata: Item['metadata']): string {
  const { series, season, episode, artist, author, year } = metadata;
  const number = [
    typeof season === 'number' && `S${season}`,
    typeof episode === 'number' && `E${episode}`,
  ];
  const parts = [series ?? artist ?? author, number.filter(Boolean).join(' '), year];
  return parts.filter((part) => typeof part === 'number' || Boolean(part)).join(' · ');
}

/** A grid that loads further pages. */
export function grid(page: ItemsPage, next: (cursor: string) => string): HTMLElement {
  const list = el('ul', { class: 'grid' }, page.items.map(tile));
  const more = el('p', { class: 'row' });
  let cursor = page.nextCursor;
  const offer = (): void => {
    more.replaceChildren(...(cursor === null ? [] : [actionButton('Show more', load)]));
  };
  async function load(): Promise<void> {
    if (cursor === null) return;
    const further = await get<ItemsPage>(next(cursor));
    list.append(...further.items.map(tile));
    cursor = further.nextCursor;
    offer();
  }
  offer();
  return el('div', {}, list, more);
}

/** A heading with a grid; `null` when there are no items. */
export const shelf = (heading: string, page: ItemsPage, url: string): HTMLElement | null =>
  page.items.length === 0
    ? null
    : el(
        'section',
        {},
        el('h2', {}, heading),
        grid(page, (cursor) => `${url}${url.includes('?') ? '&' : '?'}cursor=${cursor}`),
      );
