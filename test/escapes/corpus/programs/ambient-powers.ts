import type { ProgramClass } from '../attempt.ts';

/** Names that other homes of JavaScript have. */
export const ambientPowers: ProgramClass = {
  name: 'ambient powers',
  attempts: {
    'process': `return typeof process !== 'undefined' ? process.env.VITRINE_CANARY ?? won : null;`,
    'require': `return typeof require !== 'undefined' ? won : null;`,
    'module, exports and __filename': `return [typeof module, typeof exports, typeof __filename, typeof __dirname].some((t) => t !== 'undefined') ? won : null;`,
    'global and Buffer': `return typeof global !== 'undefined' || typeof Buffer !== 'undefined' ? won : null;`,
    'fetch and its family': `return [typeof fetch, typeof Request, typeof WebSocket, typeof XMLHttpRequest, typeof EventSource].some((t) => t !== 'undefined') ? won : null;`,
    'workers and channels': `return [typeof Worker, typeof MessageChannel, typeof BroadcastChannel, typeof postMessage, typeof SharedWorker].some((t) => t !== 'undefined') ? won : null;`,
    'Deno, Bun and others': `return [typeof Deno, typeof Bun, typeof WScript, typeof java, typeof Packages].some((t) => t !== 'undefined') ? won : null;`,
    'windows and documents': `return [typeof window, typeof document, typeof navigator, typeof location, typeof self, typeof top].some((t) => t !== 'undefined') ? won : null;`,
    'stores of browsers': `return [typeof localStorage, typeof sessionStorage, typeof indexedDB, typeof caches].some((t) => t !== 'undefined') ? won : null;`,
    'setImmediate': `return typeof setImmediate !== 'undefined' ? won : null;`,
    'Reference, Isolate and ivm': `return [typeof ivm, typeof Reference, typeof Isolate, typeof ExternalCopy, typeof NativeModule].some((t) => t !== 'undefined') ? won : null;`,
    'process through a foreign global object': `return loot(Function('return this')(), globalThis.constructor, Reflect.getPrototypeOf(globalThis));`,
    'getBuiltinModule of a foreign process': `const F = host.kv.get.constructor; const p = F('return typeof process === "undefined" ? null : process')(); return p?.getBuiltinModule?.('node:fs') ? p.env.VITRINE_CANARY ?? won : null;`,
    'a canary file by a foreign fs': `const F = host.kv.get.constructor; const p = F('return typeof process === "undefined" ? null : process')(); return p ? p.getBuiltinModule('node:fs').readFileSync(p.env.VITRINE_CANARY_FILE, 'utf8') : null;`,
    'a child process of a foreign realm': `const F = input.constructor.constructor; const p = F('return typeof process === "undefined" ? null : process')(); return p ? String(p.getBuiltinModule('node:child_process').execFileSync('printenv', ['VITRINE_CANARY'])) : null;`,
    'ending the process of a foreign realm': `const F = input.constructor.constructor; const p = F('return typeof process === "undefined" ? null : process')(); return typeof p?.exit === 'function' ? won : null;`,
  },
}; // oxfmt-ignore
