/** The kernel itself. Each of its parts has a door of its own; the README lists them. */
export { isNotGranted, isOutage, isOutageUnder, isUnhandled } from './errors.ts';
export { KernelError, type KernelErrorCode } from './errors.ts';
export { guestWords, pathText } from './foreign-text.ts';
export { closestPattern, coversHost } from './host-pattern.ts';
export { priorityOf, type CallPriority } from './call-priority.ts';
export { hostService } from './host-service.ts';
export type { HostCaller, HostInput, HostMethod, HostService, Undo } from './host-service.ts';
export { jsonTextFault } from './json-limits.ts';
export { createKernel } from './kernel.ts';
export type { CallPlugin, Kernel, KernelParts } from './kernel.ts';
export { silentLog, type Log } from './log.ts';
export { makeFolder } from './make-folder.ts';
export { inLanguageOf } from './reader-language.ts';
export type { DispatchCall } from './dispatch.ts';
export type { DispatchViewer } from './dispatch-viewer.ts';
export type { Outcome } from './outcome.ts';
export type {
  HiddenScopes,
  IncomingCall,
  Narrowed,
  OutgoingCall,
  Reach,
  ReachedScope,
  ReachPolicy,
} from './reach.ts';
export type { Interceptor } from './interceptor.ts';
export { failureKinds, type FailureKind } from './failure.ts';
