/** Permissions of a plugin as replies show them. */
import type { PluginPermissions } from '../../../kernel/plugins/index.ts';
import { placesSentence, sentencesOf } from '../../../kernel/plugins/powers/index.ts';
import type { PluginReach } from '../scopes/index.ts';

/**
 * With a sentence for each permission that is asked for, and for the libraries, in the language of the
 * reader.
 */
export const explained = (
  { asked, reasons = asked.reasons, granted, proposed, reach, adds }: PluginPermissions,
  { show }: Pick<PluginReach, 'show'>,
  locale: string | null = null,
) => {
  const { libraries, withheld, places } = show(reach, locale);
  const sentences = sentencesOf({ ...asked, ...(reasons && { reasons }) }, { places, locale });
  return {
    asked,
    granted,
    ...(proposed && { proposed }),
    sentences,
    interface: adds,
    libraries,
    reach: { places, withheld, sentence: placesSentence(places, locale) },
  };
};
