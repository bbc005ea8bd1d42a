import { createDigest, type FileListing, type Host } from '../../plugin-api/index.ts';
import { ignoredNames } from './ignored-names.ts';
import type { ScanPlace, ScanPlan } from './scan-plan.ts';

/**
 * The pages that the library agrees with already. Whoever lists a page that is still the same says
 * just that, and nothing of it is carried, parsed or compared: most of what a scan of an unchanged
 * library costs.
 */
export interface KnownPages {
  /** The digest of the listing that began here, if the library knows it. */
  readonly find: (place: ScanPlace, cursor: string | null) => Promise<string | undefined>;
  /** What the library is to know a page by; nothing for one that must always come with its files. */
  readonly digestOf: (place: ScanPlace, page: FileListing) => string | undefined;
}

/** Creates it for one step of a scan; a root's pages are asked for when the step first comes there. */
export function createKnownPages(host: Host, libraryId: string, plan: ScanPlan): KnownPages {
  // The same listing means something else to a scan that looks for something else.
  const suffix = `-${digestOfPlan(plan)}`;
  const roots = new Map<string, Promise<ReadonlyMap<string | null, string>>>();

  async function read(root: string, after: string | null) {
    const { pages } = await host.library.pages({ libraryId, root, after });
    const mine = pages.filter(({ digest }) => digest.endsWith(suffix));
    return new Map(mine.map((page) => [page.after, page.digest.slice(0, -suffix.length)]));
  }

  return {
    find: async (place, cursor) => {
      if (!isWhole(place, plan)) return undefined;
      const pages = roots.get(place.root) ?? read(place.root, cursor);
      roots.set(place.root, pages);
      return (await pages).get(cursor);
    },
    digestOf: (place, { digest }) =>
      digest !== undefined && isWhole(place, plan) ? `${digest}${suffix}` : undefined,
  };
}

/** Patterns are looked at file by file, and a part of a root has pages of its own. */
function isWhole({ uri, root, isShallow }: ScanPlace, { patterns }: ScanPlan): boolean {
  return patterns.length === 0 && uri === root && !isShallow;
}

function digestOfPlan({ extensions, auxiliary }: ScanPlan): string {
  const digest = createDigest();
  for (const list of [extensions, auxiliary, ignoredNames]) digest.add(list.toSorted().join(' '));
  return digest.text();
}
