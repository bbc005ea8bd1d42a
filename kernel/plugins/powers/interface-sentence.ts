/**
 * What a plugin adds to the pages, in a plain sentence. It is shown with the consent but needs no
 * grant.
 */
import type { Manifest, ViewName } from '../../../plugin-api/index.ts';
import { joinWords } from './join-words.ts';

const places: Readonly<Record<ViewName, string>> = {
  'ui.item.detail.actions': 'buttons to item pages',
  'ui.item.detail.panels': 'panels to item pages',
  'ui.library.header.actions': 'buttons to libraries',
  'ui.player.overlays': 'overlays to the player',
  'ui.home.sections': 'rows to the first page',
  'ui.shell': 'entries to the lists of pages and commands',
  'ui.settings.sections': 'a section to the settings',
};

/** `null` for a plugin that adds nothing. */
export function interfaceSentence({
  subscriptions,
  actions = [],
  exports: methods = [],
  profileConfiguration = [],
}: Pick<Manifest, 'subscriptions' | 'actions' | 'exports' | 'profileConfiguration'>):
  | string
  | null {
  const views = subscriptions?.views ?? [];
  const sentences = [
    ...(views.length > 0 ? [`It adds ${joinWords(views.map((view) => places[view]))}.`] : []),
    ...(actions.length > 0 ? [actionsSentence(actions)] : []),
    ...(methods.length > 0
      ? [`It answers other plugins that you allow to call ${joinWords(methods.map(nameOf))}.`]
      : []),
    ...(profileConfiguration.length > 0
      ? [`It asks each profile for ${joinWords(profileConfiguration.map(({ label }) => label))}.`]
      : []),
  ];
  return sentences.length > 0 ? sentences.join(' ') : null;
}

const nameOf = ({ name }: { readonly name: string }): string => name;

function actionsSentence(actions: NonNullable<Manifest['actions']>): string {
  const forAdmins = actions.filter(
    (action) => typeof action === 'string' || action.access !== 'user',
  ).length;
  const all = actions.length === 1 ? '1 action' : `${actions.length} actions`;
  if (forAdmins === actions.length) return `It offers ${all} to admins.`;
  if (forAdmins === 0) return `It offers ${all} to users.`;
  return `It offers ${all}, ${forAdmins} of them to admins alone.`;
}
