import type { ProgramClass } from '../attempt.ts';

const everyTrap = `const seen = []; const trap = (name) => (...args) => { seen.push(...args); return Reflect[name](...args); };
  const handler = Object.fromEntries(Reflect.ownKeys(Reflect).filter((k) => typeof k === 'string').map((k) => [k, trap(k)]));`;

/** Traps on values that the host reads: what do they see of the reader? */
export const proxies: ProgramClass = {
  name: 'proxies',
  attempts: {
    'a proxy as input of a host call': `${everyTrap} await host.kv.get(new Proxy({ key: 'a' }, handler)); return loot(...seen);`,
    'a proxy inside the input': `${everyTrap} await host.kv.set({ key: 'k', value: new Proxy({ a: 1 }, handler) }); return loot(...seen);`,
    'a proxy as key': `${everyTrap} await host.kv.get({ key: new Proxy({ toString: () => 'a' }, handler) }).catch(() => 0); return loot(...seen);`,
    'a proxied function as callback of a timer': `const seen = []; await new Promise((r) => setTimeout(new Proxy(() => r(), { apply(t, self, args) { seen.push(self, args); return t(); } }), 1, 'x')); return loot(...seen);`,
    'the this of a timer': `let self; await new Promise((r) => setTimeout(function () { 'use strict'; self = this; r(); }, 1)); return loot(self);`,
    'a proxied listener': `const seen = []; const t = new EventTarget(); t.addEventListener('x', new Proxy(function () {}, { apply(_, self, args) { seen.push(self, ...args); } })); t.dispatchEvent(new Event('x')); return loot(...seen);`,
    'a proxy given to console': `${everyTrap} console.log(new Proxy({}, handler), new Proxy([], handler), new Proxy(new Error('x'), handler)); return loot(...seen);`,
    'a proxy given to structuredClone': `${everyTrap} try { structuredClone(new Proxy({ a: 1 }, handler)); } catch (e) { seen.push(e); } return loot(...seen);`,
    'a proxy given to URL': `${everyTrap} try { new URL(new Proxy({ toString: () => 'http://a/' }, handler)); } catch (e) { seen.push(e); } return loot(...seen);`,
    'a proxy given to URLSearchParams': `${everyTrap} try { new URLSearchParams(new Proxy({ a: '1' }, handler)); } catch (e) { seen.push(e); } return loot(...seen);`,
    'a proxy given to TextDecoder': `${everyTrap} try { new TextDecoder(new Proxy({ toString: () => 'utf-8' }, handler)); } catch (e) { seen.push(e); } return loot(...seen);`,
    'a proxy around host': `const p = new Proxy(host, { get: (t, k, r) => Reflect.get(t, k, r) }); return loot(p.kv, p.kv.get);`,
    'a proxy whose prototype is a foreign object': `return loot(Object.getPrototypeOf(new Proxy({}, { getPrototypeOf: () => Object.getPrototypeOf(input) })));`,
    'a proxy that says it is an array': `${everyTrap} await host.kv.set({ key: 'k', value: new Proxy([1, 2], handler) }); return loot(...seen);`,
    'a revoked proxy': `const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); try { await host.kv.get(proxy); } catch (e) { return (await loot(e)) ?? e.stack; }`,
  },
}; // oxfmt-ignore
