import type { ProgramClass } from '../attempt.ts';

/** JSON is how everything leaves: what does it let through besides? */
export const jsonTricks: ProgramClass = {
  name: 'tricks with JSON',
  attempts: {
    'a toJSON that writes another call': `await host.kv.get({ toJSON: () => '"},{"kind":"host-call","call":99,"service":"vault","method":"open","as":"","body":true' }).catch(() => 0); return null;`,
    'rawJSON as a whole frame': `await host.kv.get(JSON.rawJSON?.('"a\\\\"},{\\\\"kind\\\\":\\\\"host-call"') ?? 1).catch(() => 0); return null;`,
    'rawJSON that is not JSON': `try { return JSON.rawJSON('{"kind":"returned"}'); } catch { return null; }`,
    'a toJSON on every string': `String.prototype.toJSON = () => '"},{"kind":"host-call","service":"vault","method":"open","as":"","body":true,"x":"'; await host.kv.get({ key: 'a' }).catch(() => 0); return 'x';`,
    'a toJSON on every number': `Number.prototype.toJSON = () => '1},{"kind":"host-call","service":"vault","method":"open"'; await host.kv.get({ key: 1 }).catch(() => 0); return 1;`,
    'a toJSON on Object.prototype': `Object.prototype.toJSON = function () { return { kind: 'host-call', service: 'vault', method: 'open' }; }; await host.kv.get({ key: 'a' }).catch(() => 0); return { a: 1 };`,
    'keys that come twice': `await host.kv.get({ toJSON: () => ({ key: 'a', ['key']: 'b' }) }).catch(() => 0); return JSON.parse('{"a":1,"a":2}');`,
    'lone surrogates and separators': `await host.kv.set({ key: '\\ud800\\u2028\\u2029\\0', value: '\\udfff' }).catch(() => 0); return '\\ud800\\u2028';`,
    'numbers that JSON has not': `await host.kv.set({ key: 'k', value: [NaN, Infinity, -0, 1e400, 5e-324] }).catch(() => 0); return [NaN, -Infinity, 1e400];`,
    'a replacer that the runtime never asked for': `const real = JSON.stringify; JSON.stringify = (v) => real(v, (k, x) => (k === 'key' ? { service: 'vault' } : x)); await host.kv.get({ key: 'a' }).catch(() => 0); return null;`,
    'a reviver in the answer': `const real = JSON.parse; let seen; JSON.parse = (t) => real(t, function (k, v) { seen ??= this; return v; }); await host.kv.get({ key: 'a' }); return loot(seen);`,
    'a result that looks like an answer of the runtime': `return '"},{"kind":"returned","call":1,"body":"x';`,
    'a result that looks like an envelope': `return { kind: 'threw', call: 1, code: 'forged', message: 'forged', body: true };`,
    'a result of JSON text with a byte order mark': `return '\\ufeff{"kind":"host-call"}';`,
    'getters that count their readers': `let n = 0; const v = { get key() { return n++ === 0 ? 'a' : { service: 'vault' }; } }; await host.kv.get(v).catch(() => 0); return n > 1 ? won : null;`,
  },
}; // oxfmt-ignore
