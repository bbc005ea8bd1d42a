import type { ProgramClass } from '../attempt.ts';

/** Every object of another realm leads to that realm's Function. */
export const constructorChains: ProgramClass = {
  name: 'constructor chains',
  attempts: {
    'the object host': 'return loot(host);',
    'a service of host': 'return loot(host.kv);',
    'a function of host': 'return loot(host.kv.get);',
    'the input of the call': 'return loot(input);',
    'what is inside of the input': 'return loot(input.list, input.list?.[0]);',
    'the promise of a host call': 'return loot(host.kv.get({ key: "a" }));',
    'the answer of a host call': 'return loot(await host.kv.get({ key: "a" }));',
    'the bytes of a host call': 'return loot(await host.kv.set(new Uint8Array([1, 2, 3])));',
    'the buffer of those bytes': 'return loot((await host.kv.set(new Uint8Array([1]))).buffer);',
    'the error of a host call': 'return host.kv.get({ key: "fail" }).then(() => null, (e) => loot(e));',
    'console and its functions': 'return loot(console, console.log, console.error);',
    'timers': 'return loot(setTimeout, clearTimeout, setTimeout(() => {}, 1e6));',
    'crypto': 'return loot(crypto, crypto.subtle, crypto.getRandomValues, crypto.randomUUID);',
    'classes of the web': 'return loot(URL, URLSearchParams, TextEncoder, TextDecoder, AbortController, EventTarget);',
    'objects of the web': 'return loot(new URL("http://a/"), new TextEncoder(), new AbortController().signal, performance);',
    'what structuredClone gives': 'return loot(structuredClone({ a: [1] }), structuredClone, structuredClone(new Map()));',
    'what TextEncoder gives': 'return loot(new TextEncoder().encode("a"), new TextEncoder().encodeInto("a", new Uint8Array(3)));',
    'this, arguments and callee': 'return loot(this, arguments, arguments[0], arguments[1], (function () { return arguments.callee; })());',
    'this of a sloppy function': 'return loot(Function("return this")());',
    'the global object and its prototypes': 'return loot(globalThis, Object.getPrototypeOf(globalThis), globalThis.constructor);',
  },
}; // oxfmt-ignore
