/**
 * Removes from a host process what reaches other processes and the network and what `--permission`
 * leaves in place. It limits an escape from an isolate into this realm. Native code can still make
 * system calls; namespaces protect against that.
 */
import { syncBuiltinESMExports } from 'node:module';

/** Signals, native modules, internal bindings, and open handles. */
const ofProcess = [
  ...['kill', '_kill', 'abort', 'binding', '_linkedBinding', 'dlopen', 'execve'],
  ...['_debugProcess', '_debugEnd', '_getActiveHandles', '_getActiveRequests', 'openStdin'],
  ...['setuid', 'seteuid', 'setgid', 'setegid', 'setgroups', 'initgroups', 'chdir', 'umask'],
];

/**
 * Network modules. They are emptied, since every caller gets the same object. Modules that use them,
 * such as `http` and `tls`, no longer load; `--permission` refuses processes and threads.
 */
const emptied = ['net', 'dgram', 'dns', 'dns/promises'];

/** Globals that open connections. */
const ofGlobal = ['fetch', 'WebSocket', 'EventSource'];

/** Irreversible. The host must take what it needs before. */
export function stripRealm(): void {
  const { Socket } = process.getBuiltinModule('net');
  for (const id of emptied) empty(process.getBuiltinModule(id));
  remove(Socket.prototype, ['connect']);
  remove(process.getBuiltinModule('os'), ['setPriority']);
  remove(process, ofProcess);
  remove(globalThis, ofGlobal);
  syncBuiltinESMExports();
}

function empty(module: object | undefined): void {
  if (module !== undefined) remove(module, Object.getOwnPropertyNames(module));
}

/** A property that cannot be removed is set to undefined; a test reports those that allow neither. */
function remove(from: object, names: readonly string[]): void {
  for (const name of names)
    if (!Reflect.deleteProperty(from, name)) Reflect.set(from, name, undefined);
}
