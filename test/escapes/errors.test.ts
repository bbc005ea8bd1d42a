import { describe } from 'vitest';
import { declareAttacks, type AttackEnd } from './attack.ts';

const wordless: AttackEnd = { throws: /without a message|cannot be read/ };

describe('errors as weapons', () => {
  declareAttacks([
    { claim: 'a thrown proxy is an error without words', code: 'throw new Proxy({}, { get() { for (;;); }, getPrototypeOf() { throw 1; } });', end: wordless },
    { claim: 'a thrown proxy whose traps loop ends with its plugin', code: 'throw new Proxy({}, { getOwnPropertyDescriptor() { for (;;); } });', end: { ended: ['cpu'] } },
    { claim: 'getters of a thrown error are not asked', code: 'const e = new Error("x"); for (const k of ["message", "stack", "name", "code"]) Object.defineProperty(e, k, { get() { for (;;); } }); throw e;', end: wordless },
    { claim: 'getters of a rejection that nobody hears end with their plugin', code: 'const e = new Error("x"); Object.defineProperty(e, "message", { get() { for (;;); } }); Promise.reject(e); await new Promise(() => {});', end: { ended: ['cpu', 'stuck'] } },
    { claim: 'a rejection that nobody hears is a line in the log', code: 'Promise.reject(new Error("unheard")); return 1;', end: { returns: 1 } },
    { claim: 'nobody formats stacks', code: 'try { Error.prepareStackTrace = () => { for (;;); }; } catch {} return [typeof Error.prepareStackTrace, typeof new Error("x").stack];', end: { returns: ['undefined', 'string'] } },
    { claim: 'the stack limit stays', code: 'Error.stackTraceLimit = 1e9; return Error.stackTraceLimit;', end: { returns: 10 } },
    { claim: 'a stack shows nothing of the host', code: 'return /node:|file:|\\/(work|home|usr|tmp|root)\\//.test(new Error("x").stack) || await host.kv.get({}).then(() => false, (e) => e.stack);', end: { returns: false } },
    { claim: 'an error of the host has no stack of the host', gate: () => Promise.resolve({ ok: false, code: 'not_found', message: 'gone' }), code: 'try { await host.kv.get({}); } catch (e) { return [/node:|\\.ts|\\.mjs/.test(e.stack), e.cause ?? null, e.constructor === Error]; }', end: { returns: [false, null, true] } },
    { claim: 'a gate that rejects does not end the host', gate: () => Promise.reject(new Error('bug')), code: 'try { await host.kv.get({}); } catch (e) { return e.code; }', end: { returns: 'service_unavailable' } },
    { claim: 'control characters of a message stay out', code: 'throw new Error("\\u001b[31m\\nfake line\\u0000\\u202e");', end: { throws: /^ \[31m fake line $/ } },
    { claim: 'a code with other characters is replaced', code: 'throw Object.assign(new Error("x"), { code: "../../etc" });', end: { throws: /^x$/ } },
    { claim: 'a message that is an object is not read', code: 'throw { message: { toString() { for (;;); } } };', end: wordless },
    { claim: 'a result whose then throws is an error', code: 'return { get then() { throw new Error("then"); } };', end: { throws: /^then$/ } },
    { claim: 'a result with functions and symbols leaves as JSON', code: 'return { f() {}, s: Symbol(), a: 1, [Symbol("x")]: 2 };', end: { returns: { a: 1 } } },
    { claim: 'a BigInt in a result is an error', code: 'return 1n;', end: { throws: /BigInt/ } },
    { claim: 'a revoked proxy as a result is an error', code: 'const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return { proxy };', end: { throws: /revoked/ } },
    { claim: 'keys named like prototypes are data', code: 'return JSON.parse(\'{"__proto__":{"a":1},"constructor":2}\');', end: { returns: JSON.parse('{"__proto__":{"a":1},"constructor":2}') } },
  ]); // oxfmt-ignore
});
