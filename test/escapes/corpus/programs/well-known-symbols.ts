import type { ProgramClass } from '../attempt.ts';

/** Hooks that the language calls by itself, inside of the code that handles the value. */
export const wellKnownSymbols: ProgramClass = {
  name: 'well-known symbols',
  attempts: {
    'toPrimitive in a key': `const seen = []; await host.kv.get({ key: { [Symbol.toPrimitive](...a) { seen.push(this, ...a, arguments.callee?.caller); return 'a'; } } }).catch(() => 0); return loot(...seen);`,
    'toString in a key': `const seen = []; await host.kv.get({ key: { toString() { seen.push(arguments.callee.caller); return 'a'; } } }).catch(() => 0); return loot(...seen);`,
    'valueOf in a number': `const seen = []; setTimeout(() => {}, { valueOf() { seen.push(arguments.callee.caller); return 1; } }); return loot(...seen, ...seen.map((f) => f?.arguments));`,
    'species of bytes for the host': `const seen = []; class B extends Uint8Array { static get [Symbol.species]() { seen.push(this, new Error()); return Uint8Array; } } await host.kv.set(new B(4)).catch(() => 0); return loot(...seen);`,
    'a constructor on bytes for the host': `const seen = []; const b = new Uint8Array(4); Object.defineProperty(b, 'constructor', { get() { seen.push(this); return { [Symbol.species]: function (...a) { seen.push(...a); return new Uint8Array(...a); } }; } }); await host.kv.set(b).catch(() => 0); return loot(...seen);`,
    'an iterator for URLSearchParams': `const seen = []; new URLSearchParams({ *[Symbol.iterator]() { seen.push(this, arguments); yield ['a', 'b']; } }); return loot(...seen);`,
    'an iterator for console': `const seen = []; console.log({ [Symbol.iterator]() { seen.push(arguments.callee.caller); return [][Symbol.iterator](); } }); return loot(...seen);`,
    'hasInstance asked by the host': `const seen = []; const t = { [Symbol.hasInstance](v) { seen.push(v); return true; } }; try { await host.kv.get(t); } catch {} return loot(...seen);`,
    'hasInstance on the classes of the realm': `const seen = []; for (const K of [Uint8Array, ArrayBuffer, Error, Promise, Map, Date]) Object.defineProperty(K, Symbol.hasInstance, { value: (v) => { seen.push(v); return false; }, configurable: true }); await host.kv.set(new Uint8Array(2)); structuredClone({ a: 1 }); return loot(...seen);`,
    'isConcatSpreadable and toStringTag': `const seen = []; const v = { get [Symbol.isConcatSpreadable]() { seen.push(this); return true; }, get [Symbol.toStringTag]() { seen.push(this); return 'Uint8Array'; } }; await host.kv.set({ key: 'k', value: v }).catch(() => 0); return loot(...seen);`,
    'a fake typed array': `const fake = Object.create(Uint8Array.prototype); const got = await host.kv.set(fake).then((v) => v, (e) => e); return loot(got);`,
    'replace, match and split of a pattern': `const seen = []; const spy = function (...a) { seen.push(this, ...a); return []; }; for (const s of [Symbol.replace, Symbol.match, Symbol.split, Symbol.search]) Object.defineProperty(String.prototype, s, { value: spy, configurable: true }); new URL('http://h/a?b'); await host.kv.get({ key: 'a' }); return loot(...seen);`,
    'dispose of what the host holds': `const seen = []; await host.kv.set({ key: 'k', value: { [Symbol.dispose]() { seen.push(this); }, async [Symbol.asyncDispose]() { seen.push(this); } } }); return loot(...seen);`,
    'unscopables and with': `return loot(Function('o', 'with (o) { return constructor; }')(host.kv));`,
  },
}; // oxfmt-ignore
