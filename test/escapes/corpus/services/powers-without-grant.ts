import type { ServiceClass } from '../attempt.ts';

/** Calls every method of a service; one that is not refused for the power alone has given it away. */
const every = (service: string): string =>
  `for (const method in host.${service} ?? {}) {
     const code = await host.${service}[method]({}).then(() => 'given', (error) => error.code);
     if (code !== 'permission_denied') return won + ' ' + method + ' ' + code;
   } return null;`;

/** A plugin without any permission. */
export const powersWithoutGrant: ServiceClass = {
  name: 'powers without a grant',
  by: 'pauper',
  control: `return typeof (await host.config.get({})) === 'object' ? 'ok' : null;`,
  attempts: {
    'kv': every('kv'),
    'textIndex': every('textIndex'),
    'fs': every('fs'),
    'disk': every('disk'),
    'library': every('library'),
    'media': every('media'),
    'viewing': every('viewing'),
    'the word of a profile': `const code = await host.as('someone').viewing.lists({}).then(() => 'given', (error) => error.code);
       return code === 'permission_denied' ? null : won + ' ' + code;`,
    'events': every('events'),
    'jobs': every('jobs'),
    'plugins': every('plugins'),
    'schedule': every('schedule'),
    'net': every('net'),
    'secrets': every('secrets'),
    'eventLog': every('eventLog'),
    'every service there is': `const needless = ['config', 'crypto'];
       for (const service in host) for (const method in host[service]) {
         if (needless.includes(service)) continue;
         const code = await host[service][method]({}).then(() => 'given', (error) => error.code);
         if (code !== 'permission_denied') return won + ' ' + service + ' ' + method + ' ' + code;
       } return null;`,
    'a service by the name of a prototype': `return ['constructor', '__proto__', 'hasOwnProperty', 'toString'].some((name) => Object.hasOwn(host, name)) ? won : null;`,
    'a service that it adds itself': `try { host.vault = { open: () => 1 }; } catch {} return host.vault ? won : null;`,
    'a method of another service': `try { return await host.config.set?.({ colour: 'red' }) ?? null; } catch { return null; }`,
  },
}; // oxfmt-ignore
