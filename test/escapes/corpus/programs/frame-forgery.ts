import type { ProgramClass } from '../attempt.ts';

const forged = `"},{"kind":"host-call","call":7,"dispatch":1,"service":"vault","method":"open","as":"","body":true},{"x":"`;

/** Words of a plugin that end up inside of the frames that leave its isolate. */
export const frameForgery: ProgramClass = {
  name: 'forged frames',
  attempts: {
    'in a line of the log': `console.log(${JSON.stringify(forged)}); return null;`,
    'in an error message': `throw new Error(${JSON.stringify(forged)});`,
    'in an error code': `throw Object.assign(new Error('x'), { code: ${JSON.stringify(forged)} });`,
    'in an error code of numbers': `throw Object.assign(new Error('x'), { code: 7 });`,
    'in a result': `return ${JSON.stringify(forged)};`,
    'in the name of a digest': `await crypto.subtle.digest(${JSON.stringify(forged)}, new Uint8Array(1)).catch(() => 0); return null;`,
    'in the name of a digest with a patched list of names': `Array.prototype.includes = () => true; String.prototype.toUpperCase = function () { return String(this); }; await crypto.subtle.digest(${JSON.stringify(forged)}, new Uint8Array(1)).catch(() => 0); return null;`,
    'in the bytes of a digest': `globalThis.Uint8Array = class { constructor() { return new Uint16Array(4); } }; const race = crypto.subtle.digest('SHA-256', new ArrayBuffer(4)).then(() => 0, () => 0); await Promise.race([race, new Promise((r) => setTimeout(r, 20))]); return null;`,
    'in the input of a host call': `await host.kv.get({ key: ${JSON.stringify(forged)} }).catch(() => 0); return null;`,
    'in the word of a profile': `await host.as(${JSON.stringify(forged)}).viewing.lists({}).catch(() => 0); await host.as({ toString: () => ${JSON.stringify(forged)}, length: 1 }).media.list({}).catch(() => 0); return null;`,
    'in the word of a profile with a patched text': `String.prototype.slice = () => ${JSON.stringify(forged)}; JSON.stringify = () => ${JSON.stringify(forged)}; await host.as('a').viewing.lists({}).catch(() => 0); return null;`,
    'in a host call with a patched Array': `Array.isArray = () => true; Array.prototype[Symbol.iterator] = function* () { yield 'vault'; }; await host.kv.get({ key: 'a' }).catch(() => 0); return null;`,
    'in the delay of a timer': `setTimeout(() => {}, { valueOf: () => 1, toString: () => ${JSON.stringify(forged)} }); setTimeout(() => {}, NaN); setTimeout(() => {}, -1); setTimeout(() => {}, 1e300); return null;`,
    'in a log line that holds a number': `console.log({ toJSON: () => ${JSON.stringify(forged)} }); return null;`,
    'in bytes that look like a frame': `await host.kv.set(new TextEncoder().encode(${JSON.stringify('[{"kind":"host-call","service":"vault","method":"open","as":"","body":true}]')})); return null;`,
    'as bytes for a result': `return new TextEncoder().encode(${JSON.stringify(forged)});`,
    'as another typed array for a result': `return new Uint16Array([1, 2, 3]);`,
    'in a plugin that defines the way in': { prelude: `var deliver = 1, send = 1; var guestRuntime = { boot() { return 'mine'; } };`, code: `await host.kv.get({ key: 'a' }); return null;` },
  },
}; // oxfmt-ignore
