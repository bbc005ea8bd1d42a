import type { ProgramClass } from '../attempt.ts';

/** What was taken away: shared memory, weak references, growing buffers, WebAssembly. */
export const lostGlobals: ProgramClass = {
  name: 'globals that were taken away',
  attempts: {
    'by their names': `return ['WebAssembly', 'SharedArrayBuffer', 'Atomics', 'WeakRef', 'FinalizationRegistry', 'ShadowRealm'].some((n) => n in globalThis) ? won : null;`,
    'by Reflect on the global object': `return Reflect.ownKeys(globalThis).some((k) => /WebAssembly|Shared|Atomics|WeakRef|Finalization|Realm/.test(String(k))) ? won : null;`,
    'by the prototypes of the global object': `for (let o = globalThis; o; o = Object.getPrototypeOf(o)) if (Reflect.ownKeys(o).some((k) => /WebAssembly|SharedArray|Atomics|WeakRef|FinalizationRegistry/.test(String(k)))) return won; return null;`,
    'by Function in sloppy mode': `return Function('return typeof WebAssembly + typeof SharedArrayBuffer + typeof Atomics')() !== 'undefined'.repeat(3) ? won : null;`,
    'by deleting what hides them': `for (const n of ['WebAssembly', 'SharedArrayBuffer', 'Atomics', 'WeakRef']) { delete globalThis[n]; if (typeof globalThis[n] !== 'undefined') return won; } return null;`,
    'SharedArrayBuffer by the buffer of a view': `return /Shared/.test(new Uint8Array(1).buffer.constructor.name) || /Shared/.test(new DataView(new ArrayBuffer(1)).buffer.constructor.name) ? won : null;`,
    'resize, by the prototype of buffers': `return ['resize', 'transfer', 'transferToFixedLength', 'resizable', 'maxByteLength'].some((k) => k in ArrayBuffer.prototype) ? won : null;`,
    'transfer, out of structuredClone by Function.prototype.call': `let stolen; const { call } = Function.prototype; Function.prototype.call = function (...a) { if (this.name === 'transfer') stolen = this; return Reflect.apply(this, a[0], a.slice(1)); }; const b = new ArrayBuffer(8); try { structuredClone(b, { transfer: [b] }); } finally { Function.prototype.call = call; } return stolen ? won : null;`,
    'transfer, out of structuredClone by apply and bind': `let stolen; for (const k of ['apply', 'bind']) Function.prototype[k] = function () { stolen = this; }; const b = new ArrayBuffer(8); try { structuredClone(b, { transfer: [b] }); } catch {} return stolen ? won : null;`,
    'transfer, out of structuredClone by a patched iterator': `const seen = []; const real = Array.prototype[Symbol.iterator]; Array.prototype[Symbol.iterator] = function () { seen.push(...Object.values(this).filter((v) => typeof v === 'function')); return real.call(this); }; const b = new ArrayBuffer(8); try { structuredClone(b, { transfer: [b] }); } finally { Array.prototype[Symbol.iterator] = real; } return seen.some((f) => f.name === 'transfer') ? won : null;`,
    'a buffer that may grow': `const b = new ArrayBuffer(1, { maxByteLength: 2 ** 20 }); return b.resizable || b.maxByteLength > 1 || new Uint8Array(b).length > 1 ? won : null;`,
    'a buffer that may grow, by the constructor of a view': `const B = new Uint8Array(1).buffer.constructor; const b = new B(1, { maxByteLength: 64 }); try { b.resize(64); return won; } catch { return null; }`,
    'a buffer that may grow, by Reflect.construct': `const b = Reflect.construct(ArrayBuffer, [1, { maxByteLength: 64 }], Object); try { Object.getPrototypeOf(new Uint8Array(1).buffer).resize.call(b, 64); return won; } catch { return null; }`,
    'a subclass of a buffer that may grow': `class B extends ArrayBuffer { constructor() { super(1, { maxByteLength: 64 }); } } try { new B().resize(64); return won; } catch { return null; }`,
    'memory of a buffer that may grow, past the limit of the isolate': `const all = []; try { for (let i = 0; i < 40; i++) { const b = new ArrayBuffer(4e6, { maxByteLength: 4e6 }); new Uint8Array(b).fill(1); all.push(b); } return won; } catch { return null; }`,
    'a weak reference by the language': `return typeof WeakRef !== 'undefined' || typeof FinalizationRegistry !== 'undefined' ? won : null;`,
    'waiting by Atomics': `try { return Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1) && won; } catch { return null; }`,
    'Temporal and what is newer than the list': `return ['Temporal', 'AsyncContext', 'AsyncIterator', 'Compartment', 'ModuleSource'].some((n) => n in globalThis) ? won : null;`,
  },
}; // oxfmt-ignore
