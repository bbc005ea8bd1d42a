/** What plugins do for the server and for single libraries, put together for people. */
import type { Resources } from '../../../core/api.ts';

type Provider = Resources['Provider'];
type Library = Resources['Library'];
export type Candidate = Provider['candidates'][number];

/** Keys of one capability that the same plugin serves, and the same others could. */
export interface Duty {
  /** Such as `probe`. */
  readonly capability: string;
  /** Such as `mkv`; none for a capability without parts. */
  readonly parts: readonly string[];
  readonly keys: readonly string[];
  readonly provider: Candidate | undefined;
  readonly isChosen: boolean;
  readonly candidates: readonly Candidate[];
}

/** A library whose files more than one plugin could read. */
export interface LibraryDuty {
  readonly library: Library;
  readonly provider: Candidate | undefined;
  readonly candidates: readonly Candidate[];
}

const capabilityOf = (key: string): string => key.split(':', 1)[0] ?? key;
const findIn = (candidates: readonly Candidate[], id: string | null): Candidate | undefined =>
  candidates.find(({ pluginId }) => pluginId === id);

/** The duties that a plugin has or could have; without one, those of all plugins. */
export function dutiesOf(providers: readonly Provider[], pluginId?: string): readonly Duty[] {
  const own = providers.filter(
    ({ candidates }) => pluginId === undefined || findIn(candidates, pluginId) !== undefined,
  );
  const alike = Map.groupBy(own, ({ key, pluginId: by, chosen, candidates }) =>
    JSON.stringify([capabilityOf(key), by, chosen, candidates.map((one) => one.pluginId)]),
  );
  return [...alike.values()].flatMap((all) => {
    const [first] = all;
    if (first === undefined) return [];
    const keys = all.map(({ key }) => key);
    return {
      capability: capabilityOf(first.key),
      parts: keys.flatMap((key) => (key.includes(':') ? key.slice(key.indexOf(':') + 1) : [])),
      keys,
      provider: findIn(first.candidates, first.pluginId),
      isChosen: first.chosen,
      candidates: first.candidates,
    };
  });
}

/** The libraries whose files a plugin reads or could read, where there is a choice. */
export function libraryDutiesOf(
  parts: { readonly providers: readonly Provider[]; readonly libraries: readonly Library[] },
  pluginId?: string,
): readonly LibraryDuty[] {
  return parts.libraries.flatMap((library) => {
    const schemes = new Set(library.roots.map((root) => `filesystem:${root.split(':', 1)[0]}`));
    const read = parts.providers.filter(({ key }) => schemes.has(key));
    const offered = read.flatMap(({ candidates }) => candidates);
    const candidates = [...new Map(offered.map((one) => [one.pluginId, one])).values()];
    const isOwn = pluginId === undefined || findIn(candidates, pluginId) !== undefined;
    if (!isOwn || (candidates.length < 2 && library.pluginId === null)) return [];
    const usual = read[0]?.pluginId ?? null;
    return { library, provider: findIn(candidates, library.pluginId ?? usual), candidates };
  });
}
