import { get, post } from '../api.ts';
import { announce, el, fill } from '../../../../packages/page-kit/index.ts';
import { actionButton } from '../form.ts';
import type { PageParts } from '../page.ts';
import type { ItemsPage, Library } from '../resources.ts';
import { countOf, grid } from '../tiles.ts';

/** All items of one library, by title. */
export async function libraryPage({ place, id, me }: PageParts): Promise<void> {
  const url = `/api/items?libraryId=${encodeURIComponent(id)}&limit=60`;
  const [{ library }, page] = await Promise.all([
    get<{ library: Library }>(`/api/libraries/${encodeURIComponent(id)}`),
    get<ItemsPage>(url),
  ]);
  document.title = `${library.name} · Vitrine`;
  fill(
    place,
    el('h1', {}, library.name),
    el('p', { class: 'quiet' }, countOf(library.itemCount)),
    me.user.role === 'admin' &&
      actionButton('Scan for changes', async () => {
        await post('/api/jobs', { type: 'scan', libraryId: library.id });
        announce('The library is being scanned.');
      }),
    grid(page, (cursor) => `${url}&cursor=${cursor}`),
  );
}
