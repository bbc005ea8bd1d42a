/** The kernel itself. Each of its parts has a door of its own; the README lists them. */
export { isNotGranted, isOutage, isOutageUnder, isUnhandled } from './errors.ts';
export { KernelError, type KernelErrorCode } from './errors.ts';
export { guestWords, pathText } from './foreign-text.ts';
export { closestPattern, coversHost } from './host-pattern.ts';
export { priorityOf, type CallPriority } from './call/call-priority.ts';
export { hostService } from './call/host-service.ts';
export type { HostCaller, HostInput, HostMethod, HostService, Undo } from './call/host-service.ts';
export { jsonTextFault } from './json-limits.ts';
export { createKernel } from './kernel.ts';
export type { CallPlugin, Kernel, KernelParts } from './kernel.ts';
export { silentLog, type Log } from './log.ts';
export { makeFolder } from './make-folder.ts';
export { inLanguageOf } from './reader-language.ts';
export type { DispatchCall } from './call/dispatch.ts';
export type { DispatchViewer } from './call/dispatch-viewer.ts';
export type { Outcome } from './call/outcome.ts';
export type {
  HiddenScopes,
  IncomingCall,
  Narrowed,
  OutgoingCall,
  Reach,
  ReachedScope,
  ReachPolicy,
} from './call/reach.ts';
export type { Interceptor } from './call/interceptor.ts';
export { failureKinds, type FailureKind } from './call/failure.ts';
