import { describe } from 'vitest';
import { sampleOf } from '../support/run/nightly.ts';
import { declareAttacks, type Attack, type AttackEnd } from './attack.ts';

const bomb: AttackEnd = { ended: ['memory', 'cpu', 'stuck', 'exited'] };
const slow = { timeoutMs: 6000 };

const attacks: readonly Attack[] = [
    { ...slow, claim: 'a growing Map ends with its plugin', code: 'const m = new Map(); for (let i = 0; ; i++) m.set(i, { i });', end: bomb },
    { ...slow, claim: 'growing arrays end with their plugin', code: 'const a = []; for (;;) a.push(new Array(1000).fill(a.length));', end: bomb },
    { ...slow, claim: 'arrays that the optimiser fills end with their plugin', code: 'const a = []; for (;;) a.push(new Array(1000).fill(1));', end: bomb },
    { ...slow, claim: 'an object with ever more keys ends with its plugin', code: 'const o = {}; for (let i = 0; ; i++) o["k" + i] = i;', end: bomb },
    { ...slow, claim: 'huge arrays end with their plugin', code: 'const all = []; for (;;) all.push(new Array(2e8).fill(1.5));', end: bomb },
    { ...slow, claim: 'a huge array of doubles ends with its plugin', code: 'const all = []; for (;;) all.push(new Array(2 ** 27).fill(1.1));', end: bomb },
    { ...slow, claim: 'a buffer of eight gigabytes is refused', code: 'new ArrayBuffer(8 * 2 ** 30);', end: { throws: /allocation failed/ } },
    { ...slow, claim: 'buffers of one megabyte are refused past the limit', code: 'const all = []; for (;;) all.push(new Uint8Array(2 ** 20).fill(1));', end: { throws: /allocation failed/ } },
    { claim: 'a buffer cannot be resized or moved to grow', code: 'const b = new ArrayBuffer(8, { maxByteLength: 2 ** 30 }); return [typeof b.resize, typeof b.transfer, typeof b.transferToFixedLength];', end: { returns: ['undefined', 'undefined', 'undefined'] } },
    { claim: 'WebAssembly is not there without its permission', code: 'return typeof WebAssembly;', end: { returns: 'undefined' } },
    { ...slow, wasm: true, claim: 'WebAssembly memories without end end with their process', code: 'const all = []; for (;;) { const m = new WebAssembly.Memory({ initial: 1024 }); new Uint8Array(m.buffer).fill(1); all.push(m); }', end: 'ended or contained' },
    { ...slow, wasm: true, claim: 'one WebAssembly memory is at most 256 MiB', code: 'const m = new WebAssembly.Memory({ initial: 1 }); m.grow(5000);', end: { throws: /grow/ } },
    { timeoutMs: 2500, claim: 'a flood of Intl objects ends with its plugin', code: 'const all = []; for (;;) all.push(new Intl.DateTimeFormat("de", { timeZone: "Europe/Berlin" }));', end: bomb },
    { ...slow, claim: 'a string doubled for ever is refused', code: 'let s = "x"; for (;;) s += s;', end: { throws: /Invalid string length/ } },
    { ...slow, claim: 'spreading a giant string ends with its plugin', code: 'return [...".".repeat(5e8)].length;', end: bomb },
    { ...slow, claim: 'endless recursion is refused', code: 'const f = () => f() + 1; return f();', end: { throws: /call stack/ } },
    { ...slow, memoryMb: 256, claim: 'JSON nested five million deep is refused', code: 'return JSON.parse("[".repeat(5e6) + "]".repeat(5e6)).length;', end: 'ended or contained' },
    { ...slow, claim: 'a result nested two hundred thousand deep is refused', code: 'let a = []; for (let i = 0; i < 2e5; i++) a = [a]; return a;', end: { throws: /call stack/ } },
    { ...slow, memoryMb: 256, claim: 'a result of 400 MB does not reach the host', code: 'return "x".repeat(4e8);', end: 'ended or contained' },
    { ...slow, memoryMb: 256, claim: 'an argument of 400 MB does not reach the host', code: 'await host.kv.get("x".repeat(4e8));', end: 'ended or contained' },
    { ...slow, memoryMb: 256, claim: 'arguments of 100 MB, forty of them, do not reach the host', code: 'const a = "x".repeat(1e8); return (await Promise.allSettled(Array.from({ length: 40 }, () => host.kv.get(a)))).filter((r) => r.status === "rejected").length;', end: 'ended or contained' },
    { ...slow, memoryMb: 256, claim: 'an error message of 400 MB is cut before it leaves', code: 'throw new Error("x".repeat(4e8));', end: { throws: /^x{500}$/ } },
    { ...slow, claim: 'a flood of promises ends with its plugin', code: 'const all = []; for (;;) all.push(new Promise(() => {}));', end: bomb },
    { ...slow, claim: 'a flood of host calls is refused past 64', code: 'let refused = 0; for (let i = 0; i < 1e4; i++) host.kv.get({}).catch(() => refused++); await 0; await 0; await new Promise((r) => setTimeout(r, 50)); return refused;', end: { returns: 9936 } },
    { ...slow, claim: 'a flood of log lines is dropped', code: 'for (let i = 0; i < 1e6; i++) console.log("x".repeat(100)); return 1;', end: { returns: 1 } },
    { ...slow, claim: 'a flood of timers is refused past 1000', code: 'for (let i = 0; i < 1e6; i++) setTimeout(() => {}, 1e6);', end: { throws: /1000 timers/ } },
    { ...slow, claim: 'a script longer than an eighth of the memory is refused', code: 'return eval("1;" + " ".repeat(9e6));', end: { throws: /./ } },
    { ...slow, claim: 'a call with a hundred million arguments does not happen', code: 'return Math.max.apply(null, { length: 1e8 });', end: 'ended or contained' },
  ]; // oxfmt-ignore

describe('memory without end', () => {
  declareAttacks(sampleOf(attacks, 3));
});
