/**
 * The priority of a call that a plugin makes. The server dispatches views, actions and searches for a
 * person, and a request waits for their answer. Their calls must not wait behind requests: the
 * waiting request itself would delay them.
 */
import type { DispatchViewer } from './dispatch-viewer.ts';

/** `request`: a request waits for the call. `background`: for calls from events, hooks and jobs. */
export type CallPriority = 'request' | 'background';

/** The priority of a call, by the person for whom the plugin makes it. */
export const priorityOf = ({ viewer }: { readonly viewer: DispatchViewer | null }): CallPriority =>
  viewer === null ? 'background' : 'request';
