import type { ProgramClass } from '../attempt.ts';

/** More than the wall takes at once. The harness holds the limit against all that comes out. */
export const sizes: ProgramClass = {
  name: 'sizes and depths',
  attempts: {
    'a result of nine megabytes': `return 'x'.repeat(9 * 2 ** 20);`,
    'a result of three-byte letters': `return '\\u20ac'.repeat(3 * 2 ** 20);`,
    'bytes of nine megabytes': `return new Uint8Array(9 * 2 ** 20);`,
    'an input of nine megabytes': `await host.kv.get({ key: 'x'.repeat(9 * 2 ** 20) }).catch(() => 0); return null;`,
    'an input of three-byte letters': `await host.kv.get({ key: '\\u20ac'.repeat(3 * 2 ** 20) }).catch(() => 0); return null;`,
    'an input of bytes above the limit': `await host.kv.set(new Uint8Array(9 * 2 ** 20)).catch(() => 0); return null;`,
    'an input whose toJSON grows': `await host.kv.get({ toJSON: () => 'y'.repeat(9 * 2 ** 20) }).catch(() => 0); return null;`,
    'a length that lies': `const b = new Uint8Array(4); Object.defineProperty(b, 'byteLength', { value: 9 * 2 ** 20 }); Object.defineProperty(b, 'length', { value: 1 }); const back = await host.kv.set(b); return back.length !== 4 ? won : null;`,
    'a text whose length lies': `const s = new String('abc'); Object.defineProperty(s, 'length', { value: 0, writable: true }); await host.kv.get(s).catch(() => 0); return null;`,
    'a hundred calls at once': `let over = 0; const all = Array.from({ length: 100 }, () => host.kv.get({ key: 'a' }).then(() => 0, () => over++)); await Promise.allSettled(all); return over < 36 ? won : null;`,
    'a hundred calls by patched promises': { prelude: `Object.defineProperty(Map.prototype, 'size', { get: () => 0 });`, code: `let over = 0; const all = Array.from({ length: 100 }, () => host.kv.get({ key: 'a' }).then(() => 0, () => over++)); await Promise.allSettled(all); return over < 36 ? won : null;` },
    'a message of a megabyte': `throw new Error('m'.repeat(1e6));`,
    'a code of a megabyte': `throw Object.assign(new Error('x'), { code: 'c'.repeat(1e6) });`,
    'an array of four thousand million': `const a = []; a.length = 2 ** 32 - 1; await Promise.race([1]); try { return Object.keys(a).length; } catch { return null; }`,
  },
}; // oxfmt-ignore
