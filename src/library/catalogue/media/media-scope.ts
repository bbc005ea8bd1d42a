import type { HostCaller } from '../../../../kernel/index.ts';
import type { Viewer } from '../../../people/viewer/index.ts';

/** What a call of `host.media` may see. */
export interface MediaScope {
  /**
   * The access of the plugin and of its viewer, as one viewer. It never has the role `admin`, so no
   * path is shown.
   */
  readonly viewer: Viewer;
  /** Whether a person caused the call; else there are no marks of a profile. */
  readonly isPerson: boolean;
  /**
   * Of a grant that is limited to folders: whether each of these items is within them, in their
   * order; `null` = all that the viewer sees.
   */
  readonly within: ((itemIds: readonly string[]) => Promise<readonly boolean[]>) | null;
  /** The libraries that are granted by folders. */
  readonly inParts: ReadonlySet<string>;
}

/** The scope of a calling plugin and the viewer it works for; `null` = nothing. */
export type MediaScopeFor = (
  caller: Pick<HostCaller, 'pluginId' | 'reach' | 'viewer'>,
) => MediaScope | null;
