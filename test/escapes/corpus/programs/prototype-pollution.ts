import type { ProgramClass } from '../attempt.ts';

/** Changing what the other realm inherits from. The harness looks whether its own prototypes changed. */
export const prototypePollution: ProgramClass = {
  name: 'prototype pollution',
  attempts: {
    'by the prototype of the input': `Object.getPrototypeOf(input).polluted = 'x'; return null;`,
    'by the prototype of host': `Object.getPrototypeOf(host).polluted = 'x'; return null;`,
    'by the prototype of an answer': `(await host.kv.get({ key: 'a' })).__proto__.polluted = 'x'; return null;`,
    'by the constructor of an answer': `(await host.kv.get({ key: 'a' })).constructor.prototype.polluted = 'x'; return null;`,
    'by the prototype of a list in the input': `Object.getPrototypeOf(input.list ?? []).polluted = 'x'; return null;`,
    'by the prototype of a host function': `host.kv.get.__proto__.polluted = 'x'; return null;`,
    'by the prototype of console': `console.__proto__.polluted = 'x'; console.log.__proto__.polluted = 'x'; return null;`,
    'by __defineGetter__ of the input': `input.__proto__.__defineGetter__('polluted', () => 'x'); return null;`,
    'by the key __proto__ of an input': `await host.kv.set(JSON.parse('{"key":"k","value":1,"__proto__":{"polluted":"x"}}')).catch(() => 0); return null;`,
    'by __proto__ as key': `await host.kv.set({ key: '__proto__', value: { polluted: 'x' } }).catch(() => 0); return null;`,
    'by constructor.prototype as value': `await host.kv.set({ key: 'constructor', value: { prototype: { polluted: 'x' } } }).catch(() => 0); return null;`,
    'by reading __proto__ as key': `return loot(await host.kv.get({ key: '__proto__' }).catch(() => null), await host.kv.get({ key: 'constructor' }).catch(() => null));`,
    'by a result with __proto__': `return JSON.parse('{"__proto__":{"polluted":"x"},"constructor":{"prototype":{"polluted":"x"}}}');`,
    'by Object.prototype.toString of the input': `Object.getPrototypeOf(input).toString = () => 'polluted'; return null;`,
    'by Object.setPrototypeOf of what was given': `Object.setPrototypeOf(Object.getPrototypeOf(Object.getPrototypeOf(input.list ?? [])) ?? {}, { polluted: 'x' }); return null;`,
    'by then on the prototype of an answer': `Object.getPrototypeOf(await host.kv.get({ key: 'a' })).then = undefined; return null;`,
    'by the prototype of bytes': `Object.getPrototypeOf(await host.kv.set(new Uint8Array(1))).polluted = 'x'; return null;`,
    'by the prototype of a promise': `Object.getPrototypeOf(host.kv.get({ key: 'a' })).polluted = 'x'; return null;`,
    'by an error of the host': `await host.kv.get({ key: 'fail' }).catch((e) => { Object.getPrototypeOf(e).polluted = 'x'; }); return null;`,
  },
}; // oxfmt-ignore
