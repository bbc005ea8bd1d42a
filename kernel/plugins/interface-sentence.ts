/** What a plugin adds to the pages, in a plain sentence. It is told with the consent and not granted. */
import type { Manifest, ViewName } from '../../plugin-api/index.ts';
import { listed } from './listed.ts';

const places: Readonly<Record<ViewName, string>> = {
  'ui.item.detail.actions': 'buttons to item pages',
  'ui.item.detail.panels': 'panels to item pages',
  'ui.library.header.actions': 'buttons to libraries',
  'ui.player.overlays': 'overlays to the player',
  'ui.settings.sections': 'a section to the settings',
};

/** `null` for a plugin that adds nothing. */
export function interfaceSentence({
  subscriptions,
  actions = [],
}: Pick<Manifest, 'subscriptions' | 'actions'>): string | null {
  const views = subscriptions?.views ?? [];
  const sentences = [
    ...(views.length > 0 ? [`It adds ${listed(views.map((view) => places[view]))}.`] : []),
    ...(actions.length > 0 ? [`It offers ${counted(actions.length)}.`] : []),
  ];
  return sentences.length > 0 ? sentences.join(' ') : null;
}

const counted = (count: number): string => (count === 1 ? '1 action' : `${count} actions`);
