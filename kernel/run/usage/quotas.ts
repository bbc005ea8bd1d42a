/** The limits of a plugin: the same for all, except for what its manifest sets. */
import type { Manifest, Permissions } from '../../../plugin-api/index.ts';
import { processCapMb } from '../sandbox/index.ts';
import type { PluginType } from '../plugin/plugin-type.ts';

/** The limits of one plugin; `null` = unlimited, for built-ins. */
export interface Quotas {
  /** Of each isolate: the heap and its buffers. */
  readonly isolateBytes: number;
  /** Of its process, which is ended beyond it; `null` = it shares a process. */
  readonly processBytes: number | null;
  readonly instances: number;
  /** Long-term average over all its isolates; beyond it they are paused. */
  readonly cpuMsPerSecond: number | null;
  readonly hostCallsPerMinute: number | null;
  /** Of host calls and their answers. */
  readonly hostBytesPerMinute: number | null;
  readonly hostCallsInFlight: number;
  readonly callsInFlight: number;
  readonly eventsQueued: number;
  readonly kvBytes: number;
  readonly textIndexBytes: number | null;
  readonly packageBytes: number;
  readonly logLines: number;
}

const mebibyte = 1_048_576;
const bytesPerMb = 1_000_000;
const defaultMemoryMb = 64;
const defaultCpuMsPerSecond = 500;
const hostCallsPerMinute = 60_000;
const hostBytesPerMinute = 2048 * mebibyte;
const textIndexBytes = 512 * bytesPerMb;

/** The limits of a plugin. */
export function quotasOf(
  { manifest, type }: { readonly manifest: Manifest; readonly type: PluginType },
  granted: Permissions,
): Quotas {
  const { memoryMb = defaultMemoryMb, cpuMsPerSecond, instances = 1 } = manifest.resources ?? {};
  const isTrusted = type === 'builtin';
  const wasm = granted.wasm === true;
  const isShared = isTrusted && !wasm;
  return {
    isolateBytes: memoryMb * mebibyte,
    processBytes: isShared ? null : processCapMb({ memoryMb, wasm }) * mebibyte,
    instances,
    cpuMsPerSecond: cpuMsPerSecond ?? (isTrusted ? null : defaultCpuMsPerSecond),
    hostCallsPerMinute: isTrusted ? null : hostCallsPerMinute,
    hostBytesPerMinute: isTrusted ? null : hostBytesPerMinute,
    hostCallsInFlight: 64,
    callsInFlight: 4096,
    eventsQueued: 1000,
    kvBytes: Math.floor((granted.kv?.quotaMb ?? 0) * bytesPerMb),
    textIndexBytes: granted.textIndex === true ? (isTrusted ? null : textIndexBytes) : 0,
    packageBytes: 50 * mebibyte,
    logLines: 1000,
  };
}
