/**
 * A URI that a plugin says - of a picture, of subtitles, of a file beside media - is a claim and not a
 * right: what it names is shown to those who see the item, and the server opens it as itself. It is
 * accepted if it lies below a root of the item's own library and within what the plugin may touch, or in a
 * scheme that the plugin serves, or at an address that the plugin may ask. The same question is asked when
 * it is written and when it is read, since grants, roots and links on the disk change in between.
 */
import { isBelow } from '../filesystems/index.ts';
import { spell, textOf, type Spelled } from './spelling.ts';

/** What a plugin says of where something is. */
export interface Claim {
  /** Who says it; `null` = a person. */
  readonly pluginId: string | null;
  readonly uri: string;
  /** The roots of the library that the item is in. */
  readonly roots: readonly string[];
}

/** Where something may be read that was claimed. URIs are in their one spelling. */
export type Place =
  /** Below the roots, also with every link followed; `picture` is its place in the file. */
  | {
      readonly kind: 'library';
      readonly uri: string;
      readonly picture: number | null;
      readonly roots: readonly string[];
    }
  /** At the plugin alone, which serves the scheme. */
  | { readonly kind: 'served'; readonly uri: string; readonly pluginId: string }
  /** On the network, asked as the plugin. */
  | { readonly kind: 'web'; readonly uri: string; readonly pluginId: string };

/** What a claim comes to. */
export type Verdict = Place | { readonly kind: 'refused'; readonly why: string };

/** Judges a claim as it is named; where links on a disk lead, is seen when it is opened. */
export type JudgeReference = (claim: Claim) => Verdict;

/** Whom the judge asks. */
export interface ReferencesParts {
  /** URIs of the roots of all libraries. */
  readonly roots: () => readonly string[];
  /** Whether the plugin may touch what is there. */
  readonly mayName: (pluginId: string, uri: string) => boolean;
  /** Whether the scheme is the plugin's own. */
  readonly serves: (pluginId: string, scheme: string) => boolean;
  /** Whether the plugin may ask the address. */
  readonly mayFetch: (pluginId: string, url: string) => boolean;
}

/** Creates the judge. */
export function createJudgeReference(parts: ReferencesParts): JudgeReference {
  function ofLibrary(claim: Claim, { uri, picture }: Spelled): Verdict {
    const { pluginId, roots } = claim;
    if (!roots.some((root) => uri !== root && isBelow(uri, root)))
      return refused(uri, 'is not below a root of the library that the item is in');
    if (pluginId !== null && !parts.mayName(pluginId, uri))
      return refused(uri, 'is in no place that the plugin was granted');
    return { kind: 'library', uri, picture, roots };
  }

  function ofWeb({ pluginId }: Claim, { uri }: Spelled): Verdict {
    if (pluginId === null || !parts.mayFetch(pluginId, uri))
      return refused(uri, 'is at an address that the plugin may not ask');
    return { kind: 'web', uri, pluginId };
  }

  return (claim) => {
    const spelled = spell(claim.uri);
    if (spelled === null) return refused(claim.uri, 'is not a URI of a file or an address');
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

/** The text that is stored for a place. */
export const storedText = (place: Place): string =>
  textOf({ scheme: '', uri: place.uri, picture: place.kind === 'library' ? place.picture : null });

const longestShown = 200;

const refused = (uri: string, why: string): Verdict => ({
  kind: 'refused',
  why: `${JSON.stringify(uri.slice(0, longestShown))} ${why}.`,
});
