/** The modules of Node, which no sandbox has, with what plugins use instead. */
import { isBuiltin } from 'node:module';

const network = 'host.net.fetch asks the network';
const files = 'host.fs reads the files of libraries, and host.kv keeps things';
const bytes = 'Uint8Array, TextEncoder and TextDecoder are there';
const globals = 'docs/plugin-globals.md lists what is there';
const own =
  'a plugin starts nothing of its own; resources.instances of the manifest runs several isolates';

const instead: ReadonlyMap<string, string> = new Map([
  ['fs', files],
  ['sqlite', files],
  ['http', network],
  ['https', network],
  ['http2', network],
  ['net', network],
  ['tls', network],
  ['dns', network],
  ['dgram', network],
  [
    'crypto',
    'crypto.randomUUID and crypto.subtle.digest are there, and host.crypto has HMAC and more',
  ],
  ['buffer', bytes],
  ['string_decoder', bytes],
  ['stream', 'Uint8Array and strings go through host as a whole'],
  ['url', 'URL and URLSearchParams are there'],
  ['querystring', 'URLSearchParams is there'],
  ['timers', 'setTimeout is there'],
  ['path', 'places of files are URIs; new URL(name, place) joins them'],
  ['events', 'EventTarget is there'],
  ['perf_hooks', 'performance.now() is there'],
  ['process', 'host.config has the values that an admin sets'],
  ['os', 'host.config has the values that an admin sets'],
  ['child_process', own],
  ['worker_threads', own],
  ['cluster', own],
]);

/** Why a module of Node cannot be imported, and what to use; `null` for any other module. */
export function nodeModuleHint(name: string): string | null {
  if (!name.startsWith('node:') && !isBuiltin(name)) return null;
  const [family = ''] = name.replace(/^node:/, '').split('/');
  return `a sandbox has no modules of Node; ${instead.get(family) ?? globals}`;
}
