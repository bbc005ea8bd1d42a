import type { ServiceClass } from '../attempt.ts';

const echo = (request: string): string =>
  `return host.net.fetch({ url: \`http://127.0.0.1:\${place.open}/echo\`, ${request} });`;

/**
 * The plugin may use two secrets: `mine` for the open host, which gives back what it is sent, and
 * `elsewhere` for another host. The victim has one named `theirs`.
 */
export const sealedSecrets: ServiceClass = {
  name: 'secrets that are used unseen',
  by: 'burglar',
  control: `const { secrets } = await host.secrets.list({}); const { body } = await host.net.fetch({ url: \`http://127.0.0.1:\${place.open}/echo\`, headers: { authorization: 'Bearer {secret:mine}' } }); return secrets.length === 2 && body.includes('Bearer ***') ? 'ok' : body;`,
  attempts: {
    'by a host that gives it back': echo(`headers: { authorization: 'Bearer {secret:mine}' }`),
    'by a host that gives it back, among other letters': echo(`headers: { 'x-a': 'a{secret:mine}b' }`),
    'by a host that gives it back as bytes': `const bytes = await host.net.fetch({ url: \`http://127.0.0.1:\${place.open}/echo\`, headers: { authorization: '{secret:mine}' }, bodyAs: 'bytes' }); return new TextDecoder().decode(bytes);`,
    'by a host that gives it back in a header': `return host.net.fetch({ url: \`http://127.0.0.1:\${place.open}/mirror\`, headers: { 'x-mirror': '{secret:mine}' } });`,
    'by a host that gives it back in a redirect': `return host.net.fetch({ url: \`http://127.0.0.1:\${place.open}/mirror\`, headers: { 'x-mirror': '{secret:mine}' }, redirect: 'manual' });`,
    'by a host that gives it back to a post': `return host.net.fetch({ url: \`http://127.0.0.1:\${place.open}/echo\`, method: 'POST', body: 'x', headers: { 'x-a': '{secret:mine}' } });`,
    'by the cache of what was given back': `const url = \`http://127.0.0.1:\${place.open}/echo?cached\`; await host.net.fetch({ url, headers: { 'x-a': '{secret:mine}' }, maxAge: 1000 }); return host.net.fetch({ url, headers: { 'x-a': '{secret:mine}' }, maxAge: 1000 });`,
    'at a host that is not its own': echo(`headers: { authorization: '{secret:elsewhere}' }`),
    'behind a redirect': `return host.net.fetch({ url: \`http://127.0.0.1:\${place.open}/to?\` + encodeURIComponent(\`http://127.0.0.1:\${place.ungranted}/echo\`), headers: { authorization: '{secret:mine}' } });`,
    'in the address': `return host.net.fetch({ url: \`http://127.0.0.1:\${place.open}/echo?{secret:mine}\` });`,
    'in the body': `return host.net.fetch({ url: \`http://127.0.0.1:\${place.open}/echo\`, method: 'POST', body: '{secret:mine}' });`,
    'in the name of a header': echo(`headers: { 'x-{secret:mine}': 'a' }`),
    'in a cookie': echo(`headers: { cookie: '{secret:mine}' }`),
    'of another plugin': echo(`headers: { authorization: '{secret:theirs}' }`),
    'of another plugin by its name': echo(`headers: { authorization: '{secret:victim/theirs}' }`),
    'by the name of a prototype': echo(`headers: { authorization: '{secret:__proto__}' }`),
    'by a name inside of a name': echo(`headers: { authorization: '{secret:{secret:mine}}' }`),
    'of a user': echo(`headers: { authorization: '{secret:mine;user=1}' }`),
    'of a scope with SQL': echo(`headers: { authorization: "{secret:mine;user=' or 1=1}" }`),
    'in the list': `return host.secrets.list({});`,
    'by a signature over nothing': `return host.secrets.sign({ name: 'mine', messages: [] });`,
    'by a signature of another plugin': `return host.secrets.sign({ name: 'theirs', messages: ['x'] }).then(() => won);`,
    'by a method that gives values': `return host.secrets.get?.({ name: 'mine' }) ?? host.secrets.read?.({ name: 'mine' }) ?? null;`,
    'by making it again': `return host.secrets.create({ name: 'mine' }).then(({ created }) => (created ? won : null));`,
    'removal of that of another': `const { removed } = await host.secrets.remove({ name: 'theirs' }); return removed ? won : null;`,
  },
}; // oxfmt-ignore
