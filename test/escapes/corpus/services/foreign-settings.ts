import type { ServiceClass } from '../attempt.ts';

/** The victim's configuration holds a canary. */
export const foreignSettings: ServiceClass = {
  name: 'settings and secrets of others',
  by: 'burglar',
  control: `return (await host.config.get({})).colour === 'blue' ? 'ok' : null;`,
  attempts: {
    'the configuration': `return host.config.get({});`,
    'by a field with the name of the plugin': `return host.config.get({ pluginId: 'victim' });`,
    'by an id': `return host.config.get({ id: 'victim' });`,
    'by the text of the name': `return host.config.get('victim');`,
    'by a list': `return host.config.get(['victim']);`,
    'by nothing': `return host.config.get(null);`,
    'by bytes': `return host.config.get(new TextEncoder().encode('{"pluginId":"victim"}'));`,
    'by the prototype of the answer': `return (await host.config.get({})).__proto__.token ?? null;`,
    'a secret by its name': `return host.secrets?.list({}) ?? null;`,
    'a secret of another by a field': `return host.secrets?.list({ pluginId: 'victim' }) ?? null;`,
    'a signature with the secret of another': `return host.secrets?.sign({ name: 'theirs', messages: ['x'] }) ?? null;`,
    'a secret in a header': `return host.net.fetch({ url: \`http://127.0.0.1:\${place.open}/echo\`, headers: { authorization: '{secret:theirs}' } }).then(({ body }) => body);`,
    'the value of a secret': `return host.secrets?.get?.({ name: 'theirs' }) ?? null;`,
    'removal of the secret of another': `await host.secrets?.remove({ name: 'theirs' }).catch(() => 0); return null;`,
  },
}; // oxfmt-ignore
