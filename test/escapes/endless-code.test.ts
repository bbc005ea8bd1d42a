import { describe } from 'vitest';
import { sampleOf } from '../support/run/nightly.ts';
import { declareAttacks, type Attack, type AttackEnd } from './attack.ts';

const cpu: AttackEnd = { ended: ['cpu'] };
const lost: AttackEnd = { ended: ['cpu', 'stuck'] };

const attacks: readonly Attack[] = [
  { claim: 'an endless loop ends with its plugin', code: 'for (;;);', end: cpu },
  {
    claim: 'an endless loop in a then ends with its plugin',
    code: 'await Promise.resolve().then(() => { for (;;); });',
    end: cpu,
  },
  {
    claim: 'an endless loop after an awaited host call ends with its plugin',
    code: 'await host.kv.get({}); for (;;);',
    end: cpu,
  },
  {
    claim: 'endless host calls stop with the call that made them',
    code: 'for (;;) await host.kv.get({});',
    end: 'timed-out',
  },
  {
    claim: 'a promise that never settles is a timed-out call and no more',
    code: 'await new Promise(() => {});',
    end: 'timed-out',
  },
  {
    claim: 'an endless chain of microtasks ends with its plugin',
    code: 'for (;;) await 0;',
    end: cpu,
  },
  {
    claim: 'a loop that catches its own termination ends with its plugin',
    code: 'for (;;) { try { for (;;); } catch { for (;;); } finally { for (;;); } }',
    end: cpu,
  },
  {
    claim: 'a loop whose interrupt check the optimiser unrolls away ends with its plugin',
    code: 'for (;;) new Array(1000).fill(1);',
    end: cpu,
  },
  {
    claim: 'a search through 2^53 holes ends with its process',
    code: 'Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1);',
    end: lost,
  },
  {
    claim: 'filling 2^53 properties ends with its process',
    code: 'Array.prototype.fill.call({ length: 2 ** 53 - 1, __proto__: new Proxy({}, { set: () => true }) }, 1);',
    end: lost,
  },
  {
    claim: 'squaring a BigInt for ever ends with its process',
    code: 'let n = 3n; for (;;) n = n * n;',
    end: 'ended or contained',
    timeoutMs: 1500,
  },
  {
    claim: 'writing out a BigInt of a billion bits ends with its process',
    code: '(2n ** 1000000000n).toString();',
    end: lost,
  },
  {
    claim: 'sorting thirty million numbers ends with its process',
    code: 'const a = new Uint32Array(1e7); for (let i = 0; i < a.length; i++) a[i] = Math.random() * 2 ** 32; for (;;) Array.from(a).sort();',
    memoryMb: 256,
    timeoutMs: 1000,
    end: { ended: ['cpu', 'stuck', 'memory'] },
  },
  {
    claim: 'a regular expression that backtracks for ever does not',
    code: `return /^(a+)+$/.test('a'.repeat(35) + 'b');`,
    timeoutMs: 5000,
    end: { returns: false },
  },
  {
    claim: 'a constructor getter in a loop ends with its plugin',
    code: `Object.defineProperty(Promise.prototype, 'constructor', { get() { for (;;); } }); await Promise.resolve();`,
    end: cpu,
  },
  {
    claim: 'a thenable that resolves to itself for ever ends with its plugin',
    code: 'const t = { then: (f) => f(t) }; return t;',
    end: cpu,
  },
  {
    claim: 'a generator without end ends with its plugin',
    code: 'function* all() { for (;;) yield 1; } for (const one of all()); ',
    end: cpu,
  },
  {
    claim: 'an array iterated while it grows ends with its plugin',
    code: 'const a = [1]; for (const one of a) { a.push(one); a.length > 1e4 && a.splice(0, 1e4); }',
    end: 'ended or contained',
  },
  {
    claim: 'a getter without end in a result ends with its plugin',
    code: 'return { get a() { for (;;); } };',
    end: cpu,
  },
  {
    claim: 'a toJSON without end ends with its plugin',
    code: 'return { toJSON() { for (;;); } };',
    end: cpu,
  },
  {
    claim: 'a timer that never stops ends with its call',
    code: 'setInterval(() => {}, 1); const again = () => setTimeout(again, 0); again(); await new Promise(() => {});',
    end: 'timed-out',
  },
  {
    claim: 'a loop in a timer ends with its plugin',
    code: 'setTimeout(() => { for (;;); }, 10); await new Promise(() => {});',
    end: cpu,
  },
  {
    claim: 'a loop in a queued microtask ends with its plugin',
    code: 'queueMicrotask(() => { for (;;); }); return 1;',
    end: 'ended or contained',
  },
  {
    claim: 'a loop on the answer of a host call that outlived its call does not run',
    code: 'void host.kv.get({}).then(() => { for (;;); }); return 1;',
    end: { returns: 1 },
  },
  {
    claim: 'waiting with Atomics is not there',
    code: 'return [typeof Atomics, typeof SharedArrayBuffer];',
    end: { returns: ['undefined', 'undefined'] },
  },
  {
    claim: 'code that runs when something is collected is not there',
    code: 'return [typeof FinalizationRegistry, typeof WeakRef];',
    end: { returns: ['undefined', 'undefined'] },
  },
  {
    claim: 'waiting in WebAssembly for what never comes ends with its plugin',
    wasm: true,
    // (module (memory 1 1 shared) (func (export "run") (drop (memory.atomic.wait32 (i32.const 0) (i32.const 0) (i64.const -1)))))
    code: `const bytes = new Uint8Array([0,97,115,109,1,0,0,0,1,4,1,96,0,0,3,2,1,0,5,4,1,3,1,1,7,7,1,3,114,117,110,0,0,10,15,1,13,0,65,0,65,0,66,127,254,1,2,0,26,11]);
        new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports.run();`,
    end: lost,
  },
  {
    claim: 'a loop in WebAssembly ends with its plugin',
    wasm: true,
    // (module (func (export "run") (loop (br 0))))
    code: `const bytes = new Uint8Array([0,97,115,109,1,0,0,0,1,4,1,96,0,0,3,2,1,0,7,7,1,3,114,117,110,0,0,10,9,1,7,0,3,64,12,0,11,11]);
        new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports.run();`,
    end: cpu,
  },
];

describe('code without end', () => {
  declareAttacks(sampleOf(attacks, 5));
});
