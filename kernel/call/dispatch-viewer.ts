/**
 * The person for whom a dispatch runs. The server makes it for each request. It travels beside the
 * input, never in it, and comes back with each host call that the dispatch makes.
 */
import type { Viewer } from '../../plugin-api/index.ts';

/** A person who caused a dispatch. */
export interface DispatchViewer {
  /** What the plugin may know of them. */
  readonly shownTo: (pluginId: string) => Viewer;
  /** Who they are, for the policy that decides what they may see. The kernel does not read it. */
  readonly identity: unknown;
}
