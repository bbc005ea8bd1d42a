/** What follows an episode or a part of a series. */
import { call, type Resources } from '../core/api.ts';
import type { Item } from './requests.ts';

type ListItem = Resources['Item'];

const mostItems = 500;

/** The item after `id` in a list. */
export const after = <One extends { readonly id: string }>(
  items: readonly One[],
  id: string,
): One | undefined => {
  const at = items.findIndex((one) => one.id === id);
  return at === -1 ? undefined : items[at + 1];
};

const itemsOf = async (id: string): Promise<readonly ListItem[]> =>
  (
    await call('get', '/api/entities/{id}/items', {
      path: { id },
      query: { limit: mostItems },
    })
  ).items as readonly ListItem[];

/** Extras of a show are a season of their own. */
const isEpisode = ({ files }: ListItem): boolean =>
  files.some(({ classification }) => classification === 'primary');

/** The next episode of the item's show, also in the next season; `undefined` = it is the last one. */
export async function nextOf({ id, linkedEntities }: Item): Promise<ListItem | undefined> {
  const season = linkedEntities.find(({ type }) => type === 'season');
  const show = linkedEntities.find(({ type }) => type === 'show');
  if (season !== undefined) {
    const next = after(await itemsOf(season.id), id);
    if (next !== undefined) return next;
  }
  if (show === undefined) return undefined;
  const { entities } = await call('get', '/api/entities/{id}/children', {
    path: { id: show.id },
    query: { limit: 200 },
  });
  const seasons = entities.filter(({ type }) => type === 'season');
  if (season === undefined || seasons.length === 0) return after(await itemsOf(show.id), id);
  const nextSeason = after(seasons, season.id);
  return nextSeason === undefined ? undefined : (await itemsOf(nextSeason.id)).find(isEpisode);
}

/** The name of an episode, such as `3. The Bridge`; of others the title. */
export function titleOf({ title, metadata }: Pick<ListItem, 'title' | 'metadata'>): string {
  const { episode, episodeTitle } = metadata;
  if (typeof episodeTitle !== 'string') return title;
  return typeof episode === 'number' ? `${episode}. ${episodeTitle}` : episodeTitle;
}
