import type { ServiceClass } from '../attempt.ts';

/** The victim keeps a canary under `secret`. */
export const kvCrossing: ServiceClass = {
  name: 'stores of other plugins',
  by: 'burglar',
  control: `await host.kv.set({ key: 'mine', value: 1 }); return (await host.kv.list({})).keys.includes('mine') ? 'ok' : null;`,
  attempts: {
    'the same key': `return host.kv.get({ key: 'secret' });`,
    'a key with the name of the plugin': `return [await host.kv.get({ key: 'victim/secret' }), await host.kv.get({ key: 'victim:secret' }), await host.kv.get({ key: 'victim.secret' })];`,
    'a key that climbs': `return host.kv.get({ key: '../victim/secret' });`,
    'a key with NUL': `return host.kv.get({ key: 'x\\0victim\\0secret' });`,
    'a field with the name of the plugin': `return host.kv.get({ key: 'secret', pluginId: 'victim' });`,
    'a field of SQL': `return host.kv.get({ key: 'secret', plugin_id: 'victim' });`,
    'SQL in a key': `return host.kv.get({ key: "' or plugin_id = 'victim' -- " });`,
    'SQL in a prefix': `return host.kv.list({ prefix: "' union select value from kv_entries -- " });`,
    'SQL in a cursor': `return host.kv.list({ cursor: "' or '1'='1" });`,
    'wildcards in a prefix': `return [await host.kv.list({ prefix: '%' }), await host.kv.list({ prefix: '_' }), await host.kv.list({ prefix: '*' })];`,
    'every key': `const { keys } = await host.kv.list({}); return keys.includes('secret') ? won : null;`,
    'a prefix past the last key': `return host.kv.list({ prefix: '\\u{10ffff}' });`,
    'a key that is an object': `return host.kv.get({ key: { toString: 'secret' } });`,
    'a key that is a list': `return host.kv.get({ key: ['secret'] });`,
    'operators of a query language': `return host.kv.get({ key: { $ne: null } });`,
    'the prototype as key': `return [await host.kv.get({ key: '__proto__' }), await host.kv.get({ key: 'constructor' })];`,
    'removal of the key of another': `await host.kv.remove({ key: 'secret' }); return null;`,
    'more than the quota': `for (let i = 0; i < 20; i++) await host.kv.set({ key: 'k' + i, value: 'x'.repeat(9e5) }); return won;`,
    'more than the quota at once': `const all = await Promise.allSettled(Array.from({ length: 30 }, (_, i) => host.kv.set({ key: 'q' + i, value: 'x'.repeat(2e5) }))); return all.filter((one) => one.status === 'fulfilled').length > 5 ? won : null;`,
  },
}; // oxfmt-ignore
