/** The main pictures of items, by name, without all else that is known of them. */
import type { Ask } from '../catalogue-lookup/ask.ts';
import { partOf, partsOf, textOf } from '../catalogue-lookup/values.ts';
import { isItemId, portions } from './entities.ts';

const atOnce = 50;

/** Names of files of Commons, by the ids of the items. */
export async function photosOf(
  ids: readonly string[],
  ask: Ask,
): Promise<ReadonlyMap<string, string>> {
  const replies = await Promise.all(
    portions([...new Set(ids)], atOnce).map((portion) =>
      ask(
        `/w/api.php?action=query&format=json&formatversion=2&prop=pageimages&piprop=name&pilimit=${atOnce}&titles=${portion.join('%7C')}`,
      ),
    ),
  );
  const pages = replies.flatMap((reply) => partsOf(partOf(partOf(reply)['query'])['pages']));
  return new Map(
    pages.flatMap(({ title, pageimage }) => {
      const name = textOf(pageimage);
      return isItemId(title) && name !== undefined ? [[title, name] as const] : [];
    }),
  );
}

/** The address of a file of Commons, made smaller there. */
export const fileAddress = (base: string, name: string, width: number): string =>
  `${base}/${encodeURIComponent(name.replaceAll(' ', '_'))}?width=${width}`;
