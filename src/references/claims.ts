/** Claims as they are written down: what is accepted is stored in its one spelling, the rest is told. */
import type { AcceptUri, NamedUri } from './named-uris.ts';
import { storedText, type JudgeReference } from './references.ts';

/** What is done with claims. */
export interface Claims {
  /** Accepts what the judge lets pass for items of the library with these roots, and refuses the rest. */
  readonly accepting: (roots: readonly string[]) => AcceptUri;
  /**
   * What is accepted, once more: of the URIs that lie below these roots as they are named, it accepts those
   * whose file is there and lies below one of them with every link followed.
   */
  readonly acceptingThere: (
    roots: readonly string[],
    uris: ReadonlySet<string>,
  ) => Promise<AcceptUri>;
}

/** Whom they need. */
export interface ClaimsParts {
  readonly judge: JudgeReference;
  /** Hears of each claim that is refused. */
  readonly refuse: (
    pluginId: string,
    claim: { readonly what: string; readonly why: string },
  ) => void;
  /** Those of these files that are there, below one of the roots with every link followed. */
  readonly there: (
    uris: readonly string[],
    roots: readonly string[],
  ) => Promise<ReadonlySet<string>>;
}

const longestShown = 200;

/** Creates it. */
export function createClaims({ judge, refuse, there }: ClaimsParts): Claims {
  return {
    accepting:
      (roots) =>
      ({ pluginId, what, uri }) => {
        const verdict = judge({ pluginId, uri, roots });
        if (verdict.kind !== 'refused') return storedText(verdict);
        refuse(pluginId, { what, why: verdict.why });
        return null;
      },
    acceptingThere: async (roots, uris) => {
      const found = await there(
        [...uris].map((uri) => fileOf(uri)),
        roots,
      );
      return (named: NamedUri) => {
        if (!uris.has(named.uri) || found.has(fileOf(named.uri))) return named.uri;
        const shown = JSON.stringify(named.uri.slice(0, longestShown));
        const why = `${shown} is not there, or a link leads from it out of the library.`;
        refuse(named.pluginId, { what: named.what, why });
        return null;
      };
    },
  };
}

/** The file that a picture is in. */
const fileOf = (uri: string): string => uri.replace(/#artwork=\d+$/, '');
