import type { ProgramClass } from '../attempt.ts';

/** Calls and answers that are mistaken for others. */
export const callIdentity: ProgramClass = {
  name: 'calls mistaken for others',
  attempts: {
    'an answer given twice': `return new Promise((resolve) => { resolve('first'); resolve(won); });`,
    'an answer and then an error': `return new Promise((resolve, reject) => { resolve(null); reject(new Error(won)); });`,
    'an answer from a timer after the answer': `setTimeout(() => console.log(won), 1); return null;`,
    'a host call after the answer': `queueMicrotask(async () => { for (let i = 0; i < 20; i++) await null; await host.kv.get({ key: 'after-the-answer' }).then(() => console.log(won), () => 0); }); return null;`,
    'a host call from a timer after the answer': `setTimeout(() => host.kv.get({ key: 'after-the-answer' }).then(() => console.log(won)), 1); return null;`,
    'a timer that is set while the plugin is loaded': { prelude: `setTimeout(() => console.log('WON'), 1);`, code: `return null;` },
    'a promise of an earlier host call': `globalThis.kept = host.kv.get({ key: 'a' }); const again = await globalThis.kept; return again === (await host.kv.get({ key: 'a' })) ? won : null;`,
    'answers that come in another order': `const order = await Promise.all([host.kv.get({ key: 'slow' }), host.kv.get({ key: 'fast' })]); return order[0]?.body !== JSON.stringify({ key: 'slow' }) && order[0]?.key !== 'slow' ? won : null;`,
    'calls inside of calls': `let n = 0; const again = { toJSON() { if (n++ < 50) host.kv.get(again).catch(() => 0); return { key: String(n) }; } }; await host.kv.get(again).catch(() => 0); return null;`,
    'a definition replaced while it runs': `__plugin.default = { methods: { ping: () => 'WON', sneak: () => 'WON' } }; __plugin = undefined; return null;`,
    'a handler on the prototype': { prelude: `Object.prototype.sneak = () => 'WON'; Object.prototype.methods = { sneak: () => 'WON' };`, code: `return null;` },
    'two plugins in one script': { prelude: `Object.defineProperty(globalThis, '__plugin', { set(v) { Object.defineProperty(globalThis, '__plugin', { value: v, configurable: true, writable: true }); }, get() { return undefined; }, configurable: true });`, code: `return null;` },
  },
}; // oxfmt-ignore
