import type { ProgramClass } from '../attempt.ts';

const leave = (code: string, witness: string) => ({
  code: `${code} return null;`,
  witness: `return (${witness}) ? 'WON' : null;`,
});

/** Marks that one plugin leaves, and another one in the same process would find. */
export const sharedBuiltIns: ProgramClass = {
  name: 'built-ins that plugins would share',
  attempts: {
    'on globalThis': leave(`globalThis.mark = 1;`, `'mark' in globalThis`),
    'on Object.prototype': leave(`Object.prototype.mark = 1;`, `'mark' in {}`),
    'on Array.prototype': leave(`Array.prototype.mark = 1;`, `'mark' in []`),
    'on console': leave(`console.mark = 1; console.log.mark = 1;`, `'mark' in console || 'mark' in console.log`),
    'on the classes of the web': leave(`URL.mark = 1; URL.prototype.mark = 1;`, `'mark' in URL || 'mark' in URL.prototype`),
    'on crypto': leave(`try { crypto.mark = 1; Object.getPrototypeOf(crypto).mark = 1; crypto.subtle.mark = 1; } catch {}`, `'mark' in crypto || 'mark' in crypto.subtle`),
    'on host': leave(`try { host.mark = 1; host.kv.mark = 1; host.kv.get.mark = 1; } catch {}`, `'mark' in host || 'mark' in host.kv || 'mark' in host.kv.get`),
    'on Math and Intl': leave(`Math.mark = 1; Intl.mark = 1; JSON.mark = 1;`, `'mark' in Math || 'mark' in Intl || 'mark' in JSON`),
    'in the registry of symbols': leave(`globalThis[Symbol.for('mark')] = 1;`, `Symbol.for('mark') in globalThis`),
    'in the statics of RegExp': leave(`/(canary-mark)/.exec('canary-mark');`, `RegExp.$1 === 'canary-mark'`),
    'on an answer of the host': leave(`const a = await host.kv.get({ key: 'same' }); try { a.mark = 1; } catch {}`, `'mark' in ((await host.kv.get({ key: 'same' })) ?? {})`),
    'on bytes of the host': leave(`globalThis.keep = new Uint8Array([7]); await host.kv.set(globalThis.keep); globalThis.keep[0] = 9;`, `(await host.kv.set(new Uint8Array([7])))[0] === 9`),
    'on timers': leave(`setTimeout.mark = 1; Object.getPrototypeOf(setTimeout).mark = 1;`, `'mark' in setTimeout`),
    'by a function that is called later': leave(`globalThis.hook = (v) => v; Function.prototype.call = function () { globalThis.mark = 1; };`, `'mark' in globalThis`),
    'by the store of the other': { code: `await host.kv.set({ key: 'of-the-attacker', value: 'x' }); return null;`, witness: `return (await host.kv.get({ key: 'of-the-attacker' }))?.pluginId === 'attacker' ? 'WON' : null;` },
    'by asking for its global': `return typeof theirSecret === 'string' ? theirSecret : null;`,
  },
}; // oxfmt-ignore
