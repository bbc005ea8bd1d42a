/**
 * Takes from the realm of a host process what reaches other processes and the network, which
 * `--permission` leaves there. It makes an escape from an isolate into this realm worth less; native code
 * has the system calls all the same, and for that there are namespaces.
 */
import { syncBuiltinESMExports } from 'node:module';

/** Signals, native modules, the natives of Node by name, and what is open. */
const ofProcess = [
  ...['kill', '_kill', 'abort', 'binding', '_linkedBinding', 'dlopen', 'execve'],
  ...['_debugProcess', '_debugEnd', '_getActiveHandles', '_getActiveRequests', 'openStdin'],
  ...['setuid', 'seteuid', 'setgid', 'setegid', 'setgroups', 'initgroups', 'chdir', 'umask'],
];

/**
 * Ways out. They are emptied, since who asks for one gets the same object. Nothing that is built on
 * them loads afterwards, such as `http` and `tls`; other processes and threads `--permission` refuses.
 */
const emptied = ['net', 'dgram', 'dns', 'dns/promises'];

/** Globals that open connections. */
const ofGlobal = ['fetch', 'WebSocket', 'EventSource'];

/** For good. What the host itself needs of it must be in its hands before. */
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

/** What cannot be removed is made nothing; what can be neither is left, and a test tells of it. */
function remove(from: object, names: readonly string[]): void {
  for (const name of names)
    if (!Reflect.deleteProperty(from, name)) Reflect.set(from, name, undefined);
}
