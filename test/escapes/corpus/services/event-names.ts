import type { ServiceClass } from '../attempt.ts';

const emit = (type: string): string =>
  `await host.events.emit({ type: ${JSON.stringify(type)}, data: {} }); return won;`;

/** A plugin emits `plugin.burglar.<name>` and nothing else. */
export const eventNames: ServiceClass = {
  name: 'events in the name of others',
  by: 'burglar',
  control: `await host.events.emit({ type: 'plugin.burglar.done', data: { a: 1 } }); return 'ok';`,
  attempts: {
    'of the library': emit('library.item.added'),
    'of the server': emit('plugin.started'),
    'of another plugin': emit('plugin.victim.secretChanged'),
    'of the burglar in capitals': emit('plugin.Burglar.done'),
    'of the word plugin in capitals': emit('Plugin.burglar.done'),
    'of a longer slug': emit('plugin.burglarx.done'),
    'of a slug that goes on': emit('plugin.burglar-victim.done'),
    'with a name of two parts': emit('plugin.burglar.victim.done'),
    'without a name': emit('plugin.burglar.'),
    'with a star': emit('plugin.burglar.*'),
    'with a line end': emit('plugin.burglar.done\n'),
    'with NUL': emit('plugin.burglar.done\0'),
    'with letters that look the same': emit('plugin.burgl\u0430r.done'),
    'with letters that fall together': emit('plugin.bu\u0155glar.done'),
    'with letters of no width': emit('plugin.vic\u200btim.done'),
    'with the name of a prototype': emit('__proto__'),
    'with a name without end': emit(`plugin.burglar.${'x'.repeat(65)}`),
    'with spaces before': emit(' plugin.burglar.done'),
    'as a list': `await host.events.emit({ type: ['plugin.victim.x'], data: {} }); return won;`,
    'with data that is none': `await host.events.emit({ type: 'plugin.burglar.done', data: [] }); return won;`,
    'with keys of prototypes': `await host.events.emit({ type: 'plugin.burglar.done', data: JSON.parse('{"__proto__":{"polluted":1}}') }); return won;`,
    'with a sender': `await host.events.emit({ type: 'plugin.burglar.done', data: {}, pluginId: 'victim', timestamp: 1 }); return won;`,
    'with data above the limit': `await host.events.emit({ type: 'plugin.burglar.done', data: { x: 'x'.repeat(70000) } }); return won;`,
    'with data forty levels deep': `let d = {}; for (let i = 0; i < 40; i++) d = { d }; await host.events.emit({ type: 'plugin.burglar.done', data: d }); return won;`,
  },
}; // oxfmt-ignore
