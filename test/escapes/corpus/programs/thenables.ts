import type { ProgramClass } from '../attempt.ts';

/** Promises call back, with functions of the waiting code. */
export const thenables: ProgramClass = {
  name: 'thenables and promises',
  attempts: {
    'resolve of a thenable that the host awaits': `let seen; globalThis.later = new Promise((done) => { globalThis.done = done; }); const t = { then(resolve, reject) { seen = [resolve, reject]; resolve(1); } }; return { then(resolve, reject) { loot(resolve, reject).then(resolve); } };`,
    'this of a thenable': `return { then(resolve) { loot(this, arguments).then(resolve); } };`,
    'a thenable as input of the host': `const seen = []; await host.kv.get({ key: 'a', then(resolve, reject) { seen.push(resolve, reject); resolve?.('a'); } }).catch(() => 0); return loot(...seen);`,
    'a thenable inside of an input': `const seen = []; await host.kv.set({ key: 'k', value: { then(resolve, reject) { seen.push(resolve, reject); } } }).catch(() => 0); return loot(...seen);`,
    'the patched then of the realm': `const seen = []; const then = Promise.prototype.then; Promise.prototype.then = function (...args) { seen.push(this, ...args); return then.apply(this, args); }; await host.kv.get({ key: 'a' }); await null; Promise.prototype.then = then; return loot(...seen);`,
    'the then of a host promise': `const p = host.kv.get({ key: 'a' }); return loot(p.then, p.catch, p.finally);`,
    'the prototype of a host promise': `const P = Object.getPrototypeOf(host.kv.get({ key: 'a' })); return loot(P.then, P.constructor, P.constructor.resolve);`,
    'a patched then of the host\'s realm': `const P = Object.getPrototypeOf(host.kv.get({ key: 'a' })); const then = P.then; const seen = []; P.then = function (...args) { seen.push(this, ...args); return then.apply(this, args); }; await host.kv.get({ key: 'b' }); P.then = then; return loot(...seen);`,
    'the constructor getter of a promise': `const seen = []; const p = Promise.resolve(1); Object.defineProperty(p, 'constructor', { get() { seen.push(this); return Promise; } }); await p; return loot(...seen);`,
    'the species of a promise': `const seen = []; class P extends Promise { static get [Symbol.species]() { return function (executor) { seen.push(executor); return new Promise(executor); }; } } await host.kv.get({ key: 'a' }).then(() => P.resolve(1)); return loot(...seen);`,
    'a promise class as constructor of a host promise': `const seen = []; const p = host.kv.get({ key: 'a' }); p.constructor = { [Symbol.species]: function (executor) { executor((v) => seen.push(v), (v) => seen.push(v)); seen.push(executor); } }; try { p.then(() => 1); } catch {} await null; return loot(...seen);`,
    'an async iterator as result': `return { [Symbol.asyncIterator]() { return { next: (...args) => loot(this, ...args) }; }, a: await loot(Symbol.asyncIterator) };`,
    'a promise that rejects with a function': `await Promise.reject(host.kv.get).catch((f) => loot(f)); return null;`,
    'what unhandled rejections are told': `globalThis.onunhandledrejection = (e) => { globalThis.caught = e; }; Promise.reject(1); await new Promise((r) => setTimeout(r, 5)); return loot(globalThis.caught);`,
    'Promise.try and withResolvers of a foreign promise': `const P = host.kv.get({ key: 'a' }).constructor; const w = P.withResolvers?.(); return loot(w, w?.resolve, await P.try?.(() => ({})));`,
  },
}; // oxfmt-ignore
