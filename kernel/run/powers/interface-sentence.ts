/**
 * What a plugin adds to the pages, in a plain sentence. It is shown with the consent but needs no
 * grant.
 */
import type { Manifest } from '../../../plugin-api/index.ts';
import { powerWords } from './words/index.ts';

/** In the language of the reader, a BCP 47 tag; the result is `null` for a plugin that adds nothing. */
export function interfaceSentence(
  {
    subscriptions,
    actions = [],
    exports: methods = [],
    profileConfiguration = [],
  }: Pick<Manifest, 'subscriptions' | 'actions' | 'exports' | 'profileConfiguration'>,
  locale: string | null = null,
): string | null {
  const words = powerWords(locale);
  const views = subscriptions?.views ?? [];
  const sentences = [
    ...(views.length > 0 ? [words.addsViews(views.map((view) => words.views[view]))] : []),
    ...(actions.length > 0 ? [words.actions(actions.length, forAdmins(actions))] : []),
    ...(methods.length > 0 ? [words.exports(methods.map(({ name }) => name))] : []),
    ...(profileConfiguration.length > 0
      ? [words.asksProfiles(profileConfiguration.map(({ label }) => label))]
      : []),
  ];
  return sentences.length > 0 ? sentences.join(' ') : null;
}

/** How many are for admins alone. */
const forAdmins = (actions: NonNullable<Manifest['actions']>): number =>
  actions.filter((action) => typeof action === 'string' || action.access !== 'user').length;
