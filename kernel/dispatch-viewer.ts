/**
 * The person for whom a dispatch runs. It is made by the server for each request, travels beside the
 * input and never in it, and comes back with each host call that is made in the dispatch.
 */
import type { Viewer } from '../plugin-api/index.ts';

/** Somebody who caused a dispatch. */
export interface DispatchViewer {
  /** What the plugin may know of them. */
  readonly shownTo: (pluginId: string) => Viewer;
  /** Who they are, in the words of whoever judges what they may see; the kernel does not look. */
  readonly identity: unknown;
}
