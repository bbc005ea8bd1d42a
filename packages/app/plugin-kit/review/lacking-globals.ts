/** Globals of other platforms that the sandbox lacks, with their replacements. */

const web = 'host.net.fetch asks the network';
const pages = 'a plugin has no page; views are answered as data';
const modules = 'bundle what it needs with vitrine plugin build';
const ownStore = 'host.kv keeps things';
const bytes = 'Uint8Array, TextEncoder and TextDecoder are there';
const timers = 'setTimeout is there';
const config = 'host.config has the values that an admin sets';
const counted = 'its memory or its code would be counted by nobody';

/** Globals of web pages: code that first checks for a page uses them only there. */
export const pageGlobals: ReadonlySet<string> = new Set([
  ...['window', 'document', 'navigator', 'localStorage', 'sessionStorage', 'indexedDB'],
  ...['XMLHttpRequest', 'requestAnimationFrame', 'Worker', 'Blob', 'File', 'FormData'],
]);

/** By name. */
export const lackingGlobals: ReadonlyMap<string, string> = new Map([
  ['fetch', web],
  ['XMLHttpRequest', web],
  ['WebSocket', web],
  ['EventSource', web],
  ['Request', web],
  ['Response', web],
  ['Headers', web],
  ['FormData', bytes],
  ['Blob', bytes],
  ['File', bytes],
  ['Buffer', bytes],
  ['process', config],
  ['require', modules],
  ['module', modules],
  ['exports', modules],
  ['__dirname', modules],
  ['__filename', modules],
  ['global', 'globalThis is there'],
  ['setImmediate', timers],
  ['clearImmediate', timers],
  ['requestAnimationFrame', timers],
  ['window', pages],
  ['document', pages],
  ['navigator', pages],
  ['localStorage', ownStore],
  ['sessionStorage', ownStore],
  ['indexedDB', ownStore],
  ['Worker', 'resources.instances of the manifest runs several isolates side by side'],
  ['Atomics', counted],
  ['SharedArrayBuffer', counted],
  ['WeakRef', counted],
  ['FinalizationRegistry', counted],
]);
