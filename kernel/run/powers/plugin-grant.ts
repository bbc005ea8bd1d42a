import type { Permissions } from '../../../plugin-api/index.ts';
import type { Reach } from '../../call/reach.ts';

/** What was granted, and what the plugin asked for then: asking for more needs a new decision. */
export interface PluginGrant {
  readonly asked: Permissions;
  readonly granted: Permissions;
  /** What it may touch with that. */
  readonly reach: Reach;
}
