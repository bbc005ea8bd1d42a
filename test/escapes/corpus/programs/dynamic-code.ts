import type { ProgramClass } from '../attempt.ts';

const look = 'typeof canary === "string" ? canary : null';

/** Code that is made while other code runs, and modules. */
export const dynamicCode: ProgramClass = {
  name: 'code made at run time',
  attempts: {
    'direct eval': `return eval('${look}');`,
    'indirect eval': `return (0, eval)('${look}');`,
    'eval as a method of the global object': `return globalThis.eval('${look}');`,
    'import of a module of Node': `return import('node:fs').then((m) => m.default ? won : null, () => null);`,
    'import of a module of Node without its scheme': `return import('fs').then((m) => (m.readFileSync ? won : null), () => null);`,
    'import of a file': `return import('file:///etc/hostname').then(() => won, () => null);`,
    'import of a data address': `return import('data:text/javascript,export default globalThis.canary').then((m) => m.default ?? won, () => null);`,
    'import inside of eval': `return (0, eval)('import("node:process")').then((m) => m.default?.env?.VITRINE_CANARY ?? won, () => null);`,
    'import inside of Function': `return Function('return import("node:process")')().then((m) => m.default?.env?.VITRINE_CANARY ?? won, () => null);`,
    'import inside of a foreign Function': `return host.kv.get.constructor('return import("node:process")')().then((m) => m.default?.env?.VITRINE_CANARY ?? won, () => null);`,
    'import with attributes': `return import('/etc/hostname', { with: { type: 'json' } }).then(() => won, () => null);`,
    'the error of an import': `return import('node:fs').then(() => won, async (e) => (await loot(e, e.constructor)) ?? e.stack);`,
    'import.meta': `try { return Object.keys((0, eval)('import.meta')).length >= 0 ? won : null; } catch { return null; }`,
    'a timer with text': `setTimeout('globalThis.ran = typeof canary', 1); await new Promise((r) => setTimeout(r, 10)); return globalThis.ran ? won : null;`,
    'a comment that ends the wrapper': `return Function('/*', '*/){ return ${look}; }//')?.();`,
    'a name of a source that is a file': `return (0, eval)('new Error().stack //# sourceURL=file:///etc/passwd').includes('node:') ? won : null;`,
    'this of top-level code': `return (0, eval)('this.process ?? this.canary ?? null') ? won : null;`,
    'a variable in the scope of the runtime': `for (const n of ['e', 't', 'n', 'r', 'o', 'i', 's', 'a', 'Be', 'send', 'outbox', 'bridge']) { try { if (typeof eval(n) === 'function') return won; } catch {} } return null;`,
  },
}; // oxfmt-ignore
