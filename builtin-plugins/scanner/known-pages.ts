import { createDigest, type Host } from '../../plugin-api/index.ts';
import { ignoredNames } from './ignored-names.ts';
import type { ScanPlace, ScanPlan } from './scan-plan.ts';

/** A page that the library agrees with. */
export interface KnownPage {
  readonly digest: string;
  /** Where it ended. */
  readonly through: string | null;
  /** About how much of the root is done at its end, 0 to 1. */
  readonly progress: number;
  /** Digests that tell its files apart; `null` = they were not requested. */
  readonly parts: string | null;
}

/** Where a page begins. */
export interface PageStart {
  readonly cursor: string | null;
  readonly progress: number;
}

/**
 * The pages that the library agrees with already. For an unchanged page a listing returns only that
 * fact, and no file is transferred, parsed or compared: this avoids most of the cost of scanning an
 * unchanged library.
 */
export type KnownPages = ReturnType<typeof createKnownPages>;

const longestRun = 64;

/** Creates it for one step of a scan; the pages of a root are requested when the step first reaches it. */
export function createKnownPages(host: Host, libraryId: string, plan: ScanPlan) {
  // The digest also covers the settings of the scan, since with others the same listing has another
  // result.
  const suffix = `-${digestOfPlan(plan)}`;
  const roots = new Map<string, Promise<Map<string | null, KnownPage>>>();

  async function read(
    root: string,
    { cursor: after, progress: done }: PageStart,
  ): Promise<Map<string | null, KnownPage>> {
    const { pages } = await host.library.pages({ libraryId, root, after });
    const mine = pages.filter(({ digest }) => digest.endsWith(suffix));
    return new Map(
      mine.map(({ after: start, through, digest }, index) => {
        const progress = done + ((1 - done) * (index + 1)) / mine.length;
        return [start, { digest: withoutSuffix(digest), through, progress, parts: null }];
      }),
    );
  }

  const withoutSuffix = (digest: string): string => digest.slice(0, -suffix.length);

  async function pagesFrom(
    place: ScanPlace,
    from: PageStart,
  ): Promise<Map<string | null, KnownPage>> {
    if (!isWhole(place, plan)) return new Map();
    const pages = roots.get(place.root) ?? read(place.root, from);
    roots.set(place.root, pages);
    return pages;
  }

  return {
    /**
     * The pages that followed each other from here, 64 at most, as far as the library knows them.
     */
    findRun: async (place: ScanPlace, from: PageStart): Promise<readonly KnownPage[]> => {
      const known = await pagesFrom(place, from);
      const run: KnownPage[] = [];
      for (let page = known.get(from.cursor); page && run.length < longestRun;) {
        run.push(page);
        page = page.through === null ? undefined : known.get(page.through);
      }
      return run;
    },
    /** The page that began here, if the library knows it, with its parts if it has them. */
    findWithParts: async (place: ScanPlace, from: PageStart): Promise<KnownPage | undefined> => {
      const known = await pagesFrom(place, from);
      const page = known.get(from.cursor);
      if (page === undefined || page.parts !== null) return page;
      const { root } = place;
      const asked = { libraryId, root, after: from.cursor, withParts: true } as const;
      for (const { after, digest, parts } of (await host.library.pages(asked)).pages) {
        const there = known.get(after);
        if (there && parts !== undefined && withoutSuffix(digest) === there.digest)
          known.set(after, { ...there, parts });
      }
      return known.get(from.cursor);
    },
    /**
     * What the library stores to recognize a page; nothing for one that must always come with its
     * files.
     */
    digestOf: (place: ScanPlace, digest: string | undefined): string | undefined =>
      digest !== undefined && isWhole(place, plan) ? `${digest}${suffix}` : undefined,
  };
}

/** Patterns are matched file by file, and a part of a root has its own pages. */
function isWhole({ uri, root, isShallow }: ScanPlace, { patterns }: ScanPlan): boolean {
  return patterns.length === 0 && uri === root && !isShallow;
}

function digestOfPlan({ extensions, auxiliary }: ScanPlan): string {
  const digest = createDigest();
  for (const list of [extensions, auxiliary, ignoredNames]) digest.add(list.toSorted().join(' '));
  return digest.text();
}
