import { get } from '../api.ts';
import { el, fill } from '../../../../packages/page-kit/index.ts';
import type { PageParts } from '../page.ts';
import type { Item } from '../resources.ts';
import { tile } from '../tiles.ts';

interface Answer {
  readonly items: readonly Item[];
  readonly itemsTotal: number;
  readonly entities: readonly {
    readonly id: string;
    readonly name: string;
    readonly type: string;
  }[];
}

/** The results for the query in the address. */
export async function searchPage({ place }: PageParts): Promise<void> {
  const q = new URLSearchParams(location.search).get('q')?.trim() ?? '';
  document.title = `${q} · Vitrine`;
  if (q === '') {
    fill(place, el('h1', {}, 'Search'), el('p', {}, 'Type a search above.'));
    return;
  }
  const { items, itemsTotal, entities } = await get<Answer>(
    `/api/search?limit=60&q=${encodeURIComponent(q)}`,
  );
  const shown =
    items.length < itemsTotal ? `the best ${items.length} of ${itemsTotal}` : itemsTotal;
  fill(
    place,
    el('h1', {}, `“${q}”`),
    el('p', { class: 'quiet', role: 'status' }, `Found: ${shown}`),
    el('ul', { class: 'grid' }, items.map(tile)),
    entities.length > 0 && el('h2', {}, 'People, shows, artists and more'),
    el(
      'ul',
      { class: 'list' },
      entities.map(({ name, type }) => el('li', {}, name, el('small', {}, type))),
    ),
  );
}
