import type { SkippedReason } from '../plugin/skipped-plugin.ts';

/** Why an enabled plugin does not start. */
export interface Obstacle {
  readonly reason: SkippedReason;
  readonly message: string;
}
