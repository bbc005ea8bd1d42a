import type { Host, MediaItem, UIAction, UISchema } from '@vitrine/plugin-api';
import type { Configuration } from './configuration.ts';
import { readFound, readKept, type Found } from './found.ts';
import type { Pair } from './pairs.ts';
import { copyWords, factOf, nameOf, type ShownPair } from './words.ts';

/** A view has six seconds: a page of pairs is enough, and a settled pair makes room for the next. */
const mostShown = 25;

/** The list, and the button that searches. */
export async function settings(host: Host<Configuration>): Promise<readonly UISchema[]> {
  if (host.viewer?.role !== 'admin') return [];
  const [found, isKept, { showVersions }] = await Promise.all([
    readFound(host.kv),
    readKept(host.kv),
    host.config.get({}),
  ]);
  const wanted = (found?.pairs ?? []).filter(
    (pair) => isKept(pair) || showVersions || !pair.isVersion,
  );
  const open = await show(
    wanted.filter((pair) => !isKept(pair)),
    host,
  );
  const kept = await show(wanted.filter(isKept), host);
  return [
    list('found', found === null ? { text: 'list.never' } : titleOf(found, open), open),
    ...(kept.length > 0 ? [list('kept', { text: 'list.kept' }, kept)] : []),
    button('settings-panes', 'search', 'searchNow'),
  ];
}

function titleOf({ at, read, isCut }: Found, open: readonly ShownPair[]): Words {
  const day = new Date(at).toISOString().slice(0, 10);
  const isPart = isCut || open.length === mostShown;
  const shown = { count: open.length, read, day };
  return { text: isPart ? 'list.first' : 'list.found', with: shown };
}

/** On the page of either copy: the other one. */
export async function panels(itemId: string, host: Host): Promise<readonly UISchema[]> {
  if (host.viewer?.role !== 'admin') return [];
  const shown = await show(await pairsWith(itemId, host), host);
  if (shown.length === 0) return [];
  const fields = shown.map(({ worse, better }) => {
    const other = worse.id === itemId ? better : worse;
    const side = worse.id === itemId ? 'the better copy' : 'the worse copy';
    return { key: nameOf(other), value: `${side}: ${copyWords(other)}`, itemId: other.id };
  });
  const id = 'duplicate-finder-others';
  const title = { text: 'panel.title' };
  return [{ type: 'metadata', slot: 'detail-metadata', id, title, layout: 'key-value', fields }];
}

/** On the page of either copy: one button, which undoes what it did. */
export async function buttons(itemId: string, host: Host): Promise<readonly UISchema[]> {
  if (host.viewer?.role !== 'admin') return [];
  const [pairs, isKept] = await Promise.all([pairsWith(itemId, host), readKept(host.kv)]);
  if (pairs.length === 0) return [];
  return pairs.every(isKept)
    ? [button('detail-actions', 'undo', 'undo')]
    : [button('detail-actions', 'keep', 'keepBoth')];
}

/** The found pairs in which an item is one of the two. */
export async function pairsWith(itemId: unknown, { kv }: Host): Promise<readonly Pair[]> {
  const { pairs } = (await readFound(kv)) ?? { pairs: [] };
  return pairs.filter(({ worse, better }) => worse === itemId || better === itemId);
}

/**
 * The pairs with their items. `host.media` asks for the viewer of this page: what they may not see, and
 * what is gone since the search, is left out. A stored title could not know either.
 */
async function show(pairs: readonly Pair[], host: Host): Promise<readonly ShownPair[]> {
  const shown: ShownPair[] = [];
  for (const pair of pairs) {
    if (shown.length === mostShown) break;
    const [worse, better] = await Promise.all([
      itemOrNull(pair.worse, host),
      itemOrNull(pair.better, host),
    ]);
    if (worse !== null && better !== null) shown.push({ pair, worse, better });
  }
  return shown;
}

const itemOrNull = (itemId: string, { media }: Host): Promise<MediaItem | null> =>
  media.get({ itemId }).catch(() => null);

type Words = UIAction['label'];

const list = (id: string, title: Words, shown: readonly ShownPair[]): UISchema => ({
  type: 'metadata',
  slot: 'settings-panes',
  id: `duplicate-finder-${id}`,
  title,
  layout: 'list',
  fields: shown.map(factOf),
});

/** It says the text that is named after it. */
const button = (slot: UIAction['slot'], id: string, rpcMethod: string): UIAction => ({
  type: 'action',
  slot,
  id: `duplicate-finder-${id}`,
  label: { text: `button.${id}` },
  rpcMethod,
});
