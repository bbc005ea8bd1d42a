import { get, post } from '../api.ts';
import { el, fill } from '../../../../packages/page-kit/index.ts';
import { form } from '../form.ts';
import type { PageParts } from '../page.ts';
import type { ItemsPage, Library } from '../resources.ts';
import { countOf, shelf } from '../tiles.ts';

const types = ['movies', 'tv', 'music', 'audiobooks', 'books', 'photos'] as const;
const labels: Readonly<Record<string, string>> = { movies: 'Films', tv: 'Series' };
const labelOf = (type: string): string =>
  labels[type] ?? type.slice(0, 1).toUpperCase() + type.slice(1);

/** Items in progress, next episodes, and new items in each library. */
export async function homePage({ place, me }: PageParts): Promise<void> {
  const [{ libraries }, begun, next] = await Promise.all([
    get<{ libraries: readonly Library[] }>('/api/libraries?limit=500'),
    get<ItemsPage>('/api/continue-watching?limit=12'),
    get<ItemsPage>('/api/next-up?limit=12'),
  ]);
  const isAdmin = me.user.role === 'admin';
  const urlOf = ({ id }: Library): string =>
    `/api/items?libraryId=${id}&sortBy=addedAt&sortOrder=desc&limit=12`;
  const newest = await Promise.all(libraries.map((library) => get<ItemsPage>(urlOf(library))));
  fill(
    place,
    el('h1', { class: libraries.length > 0 && 'unseen' }, 'Your libraries'),
    libraries.length === 0 && nothingYet(isAdmin),
    shelf('Continue', begun, '/api/continue-watching?limit=12'),
    shelf('Next up', next, '/api/next-up?limit=12'),
    libraries.map((library, index) => libraryShelf(library, newest[index])),
    isAdmin && libraries.length > 0 && furtherLibrary(),
  );
}

function libraryShelf(library: Library, page: ItemsPage | undefined): HTMLElement {
  const { id, name, itemCount, lastScanAt } = library;
  const state = lastScanAt === null ? 'is being scanned' : countOf(itemCount);
  return el(
    'section',
    {},
    el(
      'h2',
      {},
      el('a', { href: `/libraries/${encodeURIComponent(id)}` }, name),
      ' ',
      el('small', {}, state),
    ),
    page === undefined || page.items.length === 0
      ? el('p', { class: 'quiet' }, 'Nothing here yet.')
      : shelfOf(page),
  );
}

const shelfOf = (page: ItemsPage): HTMLElement | null =>
  shelf('', { ...page, nextCursor: null }, '')?.querySelector('ul') ?? null;

const nothingYet = (isAdmin: boolean): HTMLElement =>
  isAdmin
    ? el(
        'div',
        { class: 'card' },
        el('p', {}, 'There is no library yet. Add a folder with media.'),
        libraryForm(),
      )
    : el('p', {}, 'There is no library that you may see yet. Contact the admin of this server.');

const furtherLibrary = (): HTMLElement =>
  el('details', { class: 'card' }, el('summary', {}, 'Add a library'), libraryForm());

const libraryForm = (): HTMLElement =>
  form({
    name: 'library',
    fields: [
      { name: 'type', label: 'Type', options: types.map((type) => [type, labelOf(type)]) },
      { name: 'name', label: 'Name', attributes: { maxlength: 200 } },
      {
        name: 'root',
        label: 'Folder',
        hint: 'The full path on the machine of the server, such as /media/films.',
      },
    ],
    submit: 'Add and scan it',
    send: async ({ type, name, root }) => {
      await post('/api/libraries', { type, name, roots: [root] });
      location.reload();
    },
  });
