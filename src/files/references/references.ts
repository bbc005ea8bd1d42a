/**
 * Checks URIs that plugins name, of pictures, subtitles and auxiliary files. Naming a URI gives no
 * access: its content is shown to viewers of the item, and the server reads it with its own access.
 * A URI is accepted if it lies below a root of the item's own library and within the plugin's
 * scope, or in a scheme that the plugin serves, or at an address that the plugin may fetch. It is
 * checked when it is stored and again when it is read, since grants, roots and links on the disk
 * change in between.
 */
import { isBelow } from '../filesystems/index.ts';
import { spell, textOf, type Spelled } from './spelling.ts';

/** A URI that a plugin names. */
export interface Claim {
  /** The plugin; `null` = a person. */
  readonly pluginId: string | null;
  readonly uri: string;
  /** The roots of the item's library. */
  readonly roots: readonly string[];
}

/** Where a named URI may be read. URIs are normalized. */
export type Place =
  /** Below the roots, with all links followed; `picture` is its index in the file. */
  | {
      readonly kind: 'library';
      readonly uri: string;
      readonly picture: number | null;
      readonly roots: readonly string[];
    }
  /** Only through the plugin, which serves the scheme. */
  | { readonly kind: 'served'; readonly uri: string; readonly pluginId: string }
  /** On the network, with the plugin's grant. */
  | { readonly kind: 'web'; readonly uri: string; readonly pluginId: string };

/** The result of a check. */
export type Verdict = Place | { readonly kind: 'refused'; readonly why: string };

/** Checks a URI as it is named; links on a disk are followed when it is opened. */
export type CheckReference = (claim: Claim) => Verdict;

/** What the check needs. */
export interface ReferencesParts {
  /** URIs of the roots of all libraries. */
  readonly roots: () => readonly string[];
  /** Whether the plugin may write metadata; without it nothing counts that it names. */
  readonly mayWrite: (pluginId: string) => boolean;
  /** Whether the URI is within the plugin's scope. */
  readonly mayName: (pluginId: string, uri: string) => boolean;
  /** Whether the plugin serves the scheme. */
  readonly serves: (pluginId: string, scheme: string) => boolean;
  /** Whether the plugin may fetch the address. */
  readonly mayFetch: (pluginId: string, url: string) => boolean;
}

export function createReferenceCheck(parts: ReferencesParts): CheckReference {
  function ofLibrary(claim: Claim, { uri, picture }: Spelled): Verdict {
    const { pluginId, roots } = claim;
    if (!roots.some((root) => uri !== root && isBelow(uri, root)))
      return refused(uri, 'is not below a root of the library of the item');
    if (pluginId !== null && !parts.mayName(pluginId, uri))
      return refused(uri, 'is not in a place that the plugin was granted');
    return { kind: 'library', uri, picture, roots };
  }

  function ofWeb({ pluginId }: Claim, { uri }: Spelled): Verdict {
    if (pluginId === null || !parts.mayFetch(pluginId, uri))
      return refused(uri, 'is at an address that the plugin may not fetch');
    return { kind: 'web', uri, pluginId };
  }

  return (claim) => {
    if (claim.pluginId !== null && !parts.mayWrite(claim.pluginId))
      return refused(claim.uri, 'is named by a plugin that may not write metadata');
    const spelled = spell(claim.uri);
    if (spelled === null)
      return refused(claim.uri, 'is not a URI of the form scheme://folder/name, or an address');
    const { scheme, uri, picture } = spelled;
    if (scheme === 'http' || scheme === 'https') return ofWeb(claim, spelled);
    const isServed =
      scheme !== 'file' &&
      picture === null &&
      claim.pluginId !== null &&
      parts.serves(claim.pluginId, scheme) &&
      !parts.roots().some((root) => isBelow(uri, root));
    if (isServed && claim.pluginId !== null)
      return { kind: 'served', uri, pluginId: claim.pluginId };
    return ofLibrary(claim, spelled);
  };
}

/** The text to store for a place. */
export const storedText = (place: Place): string =>
  textOf({ scheme: '', uri: place.uri, picture: place.kind === 'library' ? place.picture : null });

const longestShown = 200;

const refused = (uri: string, why: string): Verdict => ({
  kind: 'refused',
  why: `${JSON.stringify(uri.slice(0, longestShown))} ${why}.`,
});
