/** Forty ways to take what a machine has: its processors, its memory, its disk, and the ear of the server. */

/** One attack: the body of `async (input, host) => { … }`, run for an event. */
export interface ResourceAttack {
  readonly name: string;
  readonly code: string;
  readonly wasm?: true;
}

const flood = (call: string): string =>
  `const until = Date.now() + 3000; while (Date.now() < until) await Promise.allSettled(Array.from({ length: 64 }, (_, i) => ${call}));`;

/** Code without end. */
const processors: readonly ResourceAttack[] = [
  { name: 'an endless loop', code: 'for (;;);' },
  { name: 'a loop that catches its end', code: 'for (;;) { try { for (;;); } catch { for (;;); } finally { for (;;); } }' },
  { name: 'an endless chain of microtasks', code: 'for (;;) await 0;' },
  { name: 'a loop in a then', code: 'await Promise.resolve().then(() => { for (;;); });' },
  { name: 'a loop that the optimiser unrolls', code: 'for (;;) new Array(1000).fill(1);' },
  { name: 'a loop behind a host call', code: 'await host.kv.get({ key: "a" }); for (;;);' },
  { name: 'a generator without end', code: 'function* all() { for (;;) yield 1; } for (const one of all());' },
  { name: 'a search through 2^53 holes', code: 'Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1);' },
  { name: 'a BigInt that squares itself', code: 'let n = 3n; for (;;) n = n * n;' },
  { name: 'a BigInt of a billion bits as text', code: '(2n ** 1000000000n).toString();' },
  { name: 'sorting without end', code: 'const a = new Uint32Array(3e6); for (let i = 0; i < a.length; i++) a[i] = Math.random() * 2 ** 32; for (;;) Array.from(a).sort();' },
  { name: 'a regular expression that backtracks', code: 'for (;;) /^(a+)+$/.test("a".repeat(40) + "b");' },
  { name: 'a getter without end in a result', code: 'return { get a() { for (;;); } };' },
  { name: 'a loop in a timer', code: 'setTimeout(() => { for (;;); }, 5); await new Promise(() => {});' },
  { name: 'a loop in WebAssembly', wasm: true, code: 'const bytes = new Uint8Array([0,97,115,109,1,0,0,0,1,4,1,96,0,0,3,2,1,0,7,7,1,3,114,117,110,0,0,10,9,1,7,0,3,64,12,0,11,11]); new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports.run();' },
]; // oxfmt-ignore

/** Memory without end. */
const memory: readonly ResourceAttack[] = [
  { name: 'a growing Map', code: 'const m = new Map(); for (let i = 0; ; i++) m.set(i, { i });' },
  { name: 'growing arrays', code: 'const a = []; for (;;) a.push(new Array(1000).fill(a.length));' },
  { name: 'an object with ever more keys', code: 'const o = {}; for (let i = 0; ; i++) o["k" + i] = i;' },
  { name: 'arrays of doubles', code: 'const all = []; for (;;) all.push(new Array(2 ** 24).fill(1.1));' },
  { name: 'buffers of a megabyte', code: 'const all = []; for (;;) all.push(new Uint8Array(2 ** 20).fill(1));' },
  { name: 'buffers that would grow', code: 'const all = []; for (;;) { const b = new ArrayBuffer(2 ** 20, { maxByteLength: 2 ** 20 }); new Uint8Array(b).fill(1); all.push(b); }' },
  { name: 'a text that is doubled', code: 'let s = "x"; for (;;) s += s;' },
  { name: 'a spread of a giant text', code: 'return [...".".repeat(5e8)].length;' },
  { name: 'a flood of Intl objects', code: 'const all = []; for (;;) all.push(new Intl.DateTimeFormat("de", { timeZone: "Europe/Berlin" }));' },
  { name: 'a flood of promises', code: 'const all = []; for (;;) all.push(new Promise(() => {}));' },
  { name: 'a flood of functions', code: 'const all = []; for (let i = 0; ; i++) all.push(Function("return " + i));' },
  { name: 'a flood of patterns', code: 'const all = []; for (let i = 0; ; i++) { const r = new RegExp("(a|b){" + (i % 900) + "}" + i); r.test("ab"); all.push(r); }' },
  { name: 'JSON a million levels deep', code: 'for (;;) { try { JSON.parse("[".repeat(1e6) + "]".repeat(1e6)); } catch {} }' },
  { name: 'memories of WebAssembly', wasm: true, code: 'const all = []; for (;;) { const m = new WebAssembly.Memory({ initial: 1024 }); new Uint8Array(m.buffer).fill(1); all.push(m); }' },
]; // oxfmt-ignore

/** The server's own time, memory and disk. */
const server: readonly ResourceAttack[] = [
  { name: 'a flood of host calls', code: flood('host.kv.get({ key: "k" })') },
  { name: 'a flood of writes', code: flood('host.kv.set({ key: "k" + i, value: "x".repeat(5000) })') },
  { name: 'a flood of large writes', code: flood('host.kv.set({ key: "k", value: "x".repeat(9e5) })') },
  { name: 'a flood of events', code: flood('host.events.emit({ type: "plugin." + slug + ".x", data: { text: "x".repeat(60000) } })') },
  { name: 'a flood of documents', code: flood('host.textIndex.put({ documents: [{ id: "d" + i, scope: "s", kind: "k", title: "t " + i, body: "word ".repeat(1000) }] })') },
  { name: 'a flood of queries', code: flood('host.textIndex.query({ terms: [{ text: "w", prefix: true }], limit: 500 })') },
  { name: 'a flood of times', code: flood('host.schedule.set({ name: "n" + (i % 100), at: Date.now() })') },
  { name: 'a flood of refused calls', code: flood('host.net.fetch({ url: "https://example.org/" })') },
  { name: 'a flood of lines', code: 'const until = Date.now() + 3000; while (Date.now() < until) { for (let i = 0; i < 1000; i++) console.log("x".repeat(2000)); await 0; }' },
  { name: 'a flood of digests', code: 'const b = new Uint8Array(8 * 2 ** 20); const until = Date.now() + 3000; while (Date.now() < until) await Promise.allSettled([1, 2, 3, 4].map(() => crypto.subtle.digest("SHA-512", b)));' },
  { name: 'a flood of timers', code: 'const until = Date.now() + 3000; while (Date.now() < until) await new Promise((done) => { for (let i = 0; i < 900; i++) setTimeout(() => {}, i % 3); setTimeout(done, 4); });' },
]; // oxfmt-ignore

export const resourceAttacks: readonly ResourceAttack[] = [...processors, ...memory, ...server];

/** What a plugin may take: little, the usual, much. */
export const resourceLimits = {
  tight: { memoryMb: 32, cpuMsPerSecond: 50 },
  usual: { memoryMb: 64, cpuMsPerSecond: 250 },
  wide: { memoryMb: 192, cpuMsPerSecond: 1000 },
} as const;

/** The name of a set of limits. */
export type LimitName = keyof typeof resourceLimits;
