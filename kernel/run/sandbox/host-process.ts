/**
 * A plugin-host process: isolates behind two sockets, descriptor 3 to write to and 4 to read from. It
 * inherits no environment and may read only its own two files. It ends only by SIGKILL, since an exit would wait for threads that may be lost.
 *
 * Arguments: the binary of the isolate engine, and the MiB that the process may grow to.
 */
import { Socket } from 'node:net';
import { stripRealm } from './host-realm.ts';
import { parseHostFrame, type KernelFrame } from './frames.ts';
import { createHostedGuests } from './hosted-guests.ts';
import { loadEngine } from './isolate.ts';
import type { Ending } from './sandbox.ts';
import { createBatchReader, encodeBatches } from './wire.ts';

/** Node's own function to send a signal, taken before the realm is stripped. */
const { _kill: signal } = process as unknown as {
  readonly _kill: (pid: number, signal: number) => number;
};
const sigkill = 9;

/** Behind Landlock a process may signal its own group alone, in which it is the only one. */
const killSelf = (): void => {
  if (signal(process.pid, sigkill) !== 0) signal(0, sigkill);
};

/** The peak, where the system does not show the present size. */
function rssBytes(): number {
  try {
    return process.memoryUsage.rss();
  } catch {
    return process.resourceUsage().maxRSS * 1024;
  }
}

function serve(engineFile: string, capMb: number): void {
  const toKernel = new Socket({ fd: 3, readable: false, writable: true });
  const fromKernel = new Socket({ fd: 4, readable: true, writable: false });
  let outgoing: KernelFrame[] = [];

  function post(frame: KernelFrame): void {
    if (outgoing.push(frame) === 1) setImmediate(flush);
  }

  function flush(): void {
    const frames = outgoing;
    outgoing = [];
    for (const batch of encodeBatches(frames)) toKernel.write(batch);
  }

  /**
   * Reports the guest at fault, then kills the process. The timer covers a kernel that no longer
   * reads.
   */
  function die(sandbox: number, ending: Ending): void {
    if (sandbox > 0) post({ kind: 'gone', sandbox, ...ending, fatal: true });
    flush();
    toKernel.write('', killSelf);
    setTimeout(killSelf, 100);
  }

  const guests = createHostedGuests({
    engine: loadEngine(engineFile),
    capBytes: capMb * 1024 * 1024,
    clock: () => performance.now(),
    rssBytes,
    cpuMs: () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1000;
    },
    post,
    onLost: die,
  });
  const reader = createBatchReader({
    onFrame: (value) => {
      const frame = parseHostFrame(value);
      if (frame === undefined) killSelf();
      else guests.applyFrame(frame);
      return true;
    },
    onBatchEnd: guests.enterAll,
    isTrusted: true,
  });

  fromKernel.on('data', (chunk) => {
    if (reader.push(chunk) !== null) killSelf();
  });
  // The kernel is gone; this process must not outlive it.
  fromKernel.on('end', killSelf);
  for (const socket of [fromKernel, toKernel]) {
    socket.on('close', killSelf);
    socket.on('error', killSelf);
  }
  stripRealm();
  post({ kind: 'ready' });
}

process.on('uncaughtException', killSelf);
process.on('unhandledRejection', killSelf);
serve(process.argv[2] ?? '', Number(process.argv[3] ?? 512));
