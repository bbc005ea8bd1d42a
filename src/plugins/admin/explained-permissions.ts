/** Permissions of a plugin as replies show them. */
import type { PluginPermissions } from '../../../kernel/run/index.ts';
import { placesSentence, sentencesOf, type Wording } from '../../../kernel/run/powers/index.ts';
import type { PermissionName, Permissions } from '../../../plugin-api/index.ts';
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
  const wording = { places, locale };
  const sentences = sentencesOf({ ...asked, ...(reasons && { reasons }) }, wording).map((one) => ({
    ...one,
    ...valuesOf(asked, one.permission, wording),
  }));
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

/** Those of which a value says little by itself. */
const named: ReadonlySet<PermissionName> = new Set(['serves', 'hears', 'hooks']);

/** A list is granted value by value, so each of its values has a sentence. */
function valuesOf(asked: Permissions, name: PermissionName, wording: Wording) {
  const values: unknown = asked[name];
  if (!named.has(name) || !Array.isArray(values) || values.length < 2) return {};
  const sentences = values.map((value: string) => {
    const said = sentencesOf({ ...asked, [name]: [value] }, wording);
    return { value, sentence: said.find(({ permission }) => permission === name)?.sentence ?? '' };
  });
  return { values: sentences };
}
