import type { ProgramClass } from '../attempt.ts';

/** Code that hides in what a plugin gives back, and runs when somebody reads it. */
export const results: ProgramClass = {
  name: 'results that run',
  attempts: {
    'a getter that sees its reader': `return { get a() { return (this && arguments.callee.caller) ? 'WON' : null; } };`,
    'a getter that climbs from its reader': `const found = []; const r = { get a() { try { found.push(arguments.callee.caller, arguments.callee.caller.arguments); } catch {} return 1; } }; JSON.stringify(r); return loot(...found);`,
    'a toJSON with its arguments': `globalThis.seen = []; return { toJSON(...args) { let out = null; for (const a of args) if (typeof a !== 'string') out = 'WON'; return out; } };`,
    'a toJSON that sees its holder': `return { a: { toJSON() { return this === globalThis ? 'WON' : null; } } };`,
    'a toJSON that answers with a foreign function': `return { toJSON() { try { return arguments.callee.caller ? 'WON' : null; } catch { return null; } } };`,
    'a result whose prototype is host': `return Object.create(host);`,
    'a result that is host': `return host;`,
    'a result that is globalThis': `return Object.getOwnPropertyNames(globalThis).includes('process') ? won : Object.keys(globalThis);`,
    'a getter that sees a stack of its reader': `return { get a() { return new Error().stack; } };`,
    'a function with properties': `const f = () => {}; f.toJSON = () => f.caller?.name ?? null; return f;`,
    'a boxed string with toString': `const s = new String('x'); s.toString = () => { throw new Error(new Error().stack); }; return s;`,
    'a date whose toISOString looks around': `const d = new Date(); d.toISOString = function () { return arguments.callee.caller === null ? 'x' : loot(arguments.callee.caller); }; return d;`,
    'an array with a getter': `const a = []; Object.defineProperty(a, 0, { enumerable: true, get() { return new Error().stack; } }); return a;`,
    'a message with the stack of its reader': `const e = new Error('x'); Object.defineProperty(e, 'message', { get() { return new Error().stack; } }); throw e;`,
    'a thrown function': `throw host.kv.get;`,
    'a thrown host': `throw host;`,
  },
}; // oxfmt-ignore
