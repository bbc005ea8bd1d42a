/** The only door of the kernel. */
export { KernelError, kernelErrorCodes, type KernelErrorCode } from './errors.ts';
export type { HostCaller, HostMethod, HostService, RawBody, Undo } from './host-service.ts';
export { silentLog, type Log } from './log.ts';
