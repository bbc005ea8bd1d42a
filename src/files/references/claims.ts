/**
 * Checks URIs when they are stored: accepted ones are normalized, others are logged and dropped.
 */
import type { AcceptUri, NamedUri } from './named-uris.ts';
import { createServerPlaces, type ServerPlaces } from './server-places.ts';
import { storedText, type CheckReference } from './references.ts';

/** Checks of URIs that plugins name. */
export interface Claims {
  /** What no free value may name now. */
  readonly places: () => ServerPlaces;
  /** Accepts allowed URIs for items of the library with these roots, and refuses others. */
  readonly accepting: (roots: readonly string[]) => AcceptUri;
  /** Tells a plugin that something that it names is not accepted. */
  readonly refuse: (pluginId: string, claim: Refused) => void;
  /**
   * Checks accepted URIs again: of those below these roots it accepts only existing files that lie
   * below one of the roots with all links followed.
   */
  readonly acceptingThere: (
    roots: readonly string[],
    uris: ReadonlySet<string>,
  ) => Promise<AcceptUri>;
}

/** What the checks need. */
export interface ClaimsParts {
  readonly check: CheckReference;
  /** URIs of the roots of all libraries. */
  readonly roots: () => readonly string[];
  /** Called for each refused URI. */
  readonly refuse: Claims['refuse'];
  /** Those of these files that exist below one of the roots with all links followed. */
  readonly there: (
    uris: readonly string[],
    roots: readonly string[],
  ) => Promise<ReadonlySet<string>>;
}

/** What is not accepted, and why. */
export interface Refused {
  readonly what: string;
  readonly why: string;
}

const longestShown = 200;

export function createClaims({ check, roots, refuse, there }: ClaimsParts): Claims {
  return {
    places: () => createServerPlaces(roots()),
    refuse,
    accepting:
      (own) =>
      ({ pluginId, what, uri }) => {
        const verdict = check({ pluginId, uri, roots: own });
        if (verdict.kind !== 'refused') return storedText(verdict);
        refuse(pluginId, { what, why: verdict.why });
        return null;
      },
    acceptingThere: async (own, uris) => {
      const found = await there(
        [...uris].map((uri) => fileOf(uri)),
        own,
      );
      return (named: NamedUri) => {
        if (!uris.has(named.uri) || found.has(fileOf(named.uri))) return named.uri;
        const shown = JSON.stringify(named.uri.slice(0, longestShown));
        const why = `${shown} does not exist, or a link leads from it out of the library.`;
        refuse(named.pluginId, { what: named.what, why });
        return null;
      };
    },
  };
}

/** The file that contains a picture. */
const fileOf = (uri: string): string => uri.replace(/#artwork=\d+$/, '');
