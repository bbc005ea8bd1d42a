import type { ServiceClass } from '../attempt.ts';

const ask = (url: string): string => `return host.net.fetch({ url: \`${url}\` });`;
const led = (to: string): string =>
  `return host.net.fetch({ url: \`http://127.0.0.1:\${place.open}/to?\` + encodeURIComponent(\`${to}\`) });`;

/** One host is granted, `127.0.0.1:<open>`; behind `ungranted` a canary waits. */
export const ungrantedHosts: ServiceClass = {
  name: 'hosts that were not granted',
  by: 'burglar',
  control: `return (await host.net.fetch({ url: \`http://127.0.0.1:\${place.open}/to?\` + encodeURIComponent('/') })).body === 'open' ? 'ok' : null;`,
  attempts: {
    'another port': ask('http://127.0.0.1:${place.ungranted}/'),
    'another name of the host': ask('http://localhost:${place.ungranted}/'),
    'the granted host as user name': ask('http://127.0.0.1:${place.open}@127.0.0.1:${place.ungranted}/'),
    'the granted host as password': ask('http://x:127.0.0.1@127.0.0.1:${place.ungranted}/'),
    'the granted host in the fragment': ask('http://127.0.0.1:${place.ungranted}/#127.0.0.1:${place.open}'),
    'the granted host below another': ask('http://127.0.0.1.example.invalid:${place.open}/'),
    'the granted host before a backslash': ask('http://127.0.0.1:${place.ungranted}\\\\\\\\@127.0.0.1:${place.open}/'),
    'a port with zeros': ask('http://127.0.0.1:0${place.ungranted}/'),
    'a tabulator in the port': ask('http://127.0.0.1:\\t${place.ungranted}/'),
    'a number for the address': ask('http://2130706433:${place.ungranted}/'),
    'the wrapped address': ask('http://[::ffff:127.0.0.1]:${place.ungranted}/'),
    'a redirect': led('http://127.0.0.1:${place.ungranted}/'),
    'a redirect without scheme': led('//127.0.0.1:${place.ungranted}/'),
    'a redirect over two hops': led('/to?http%3A%2F%2F127.0.0.1%3A${place.ungranted}%2F'),
    'a redirect to a file': led('file:///etc/passwd'),
    'a redirect to data': led('data:text/plain,canary'),
    'a redirect with a user name': led('http://x@127.0.0.1:${place.ungranted}/'),
    'a redirect to a forbidden address': led('https://127.0.0.1:${place.hidden}/'),
    'a redirect without end': `return host.net.fetch({ url: \`http://127.0.0.1:\${place.open}/round\` }).then(() => won);`,
    'a file': ask('file:///etc/passwd'),
    'data': ask('data:text/plain,WON'),
    'a blob': ask('blob:http://127.0.0.1:${place.ungranted}/x'),
    'a relative address': ask('/api/health'),
    'a header that names another host': `const { body } = await host.net.fetch({ url: \`http://127.0.0.1:\${place.open}/echo\`, headers: { host: 'internal' } }); return body.includes('internal') ? won : null;`,
    'a header with a line end': `const { body } = await host.net.fetch({ url: \`http://127.0.0.1:\${place.open}/echo\`, headers: { 'x-a': 'b\\r\\nx-smuggled: c' } }); return body.includes('x-smuggled') ? won : null;`,
    'a header name with a line end': `const { body } = await host.net.fetch({ url: \`http://127.0.0.1:\${place.open}/echo\`, headers: { 'x-a\\r\\nx-smuggled': 'c' } }); return body.includes('x-smuggled') ? won : null;`,
    'a second length': `const { body } = await host.net.fetch({ url: \`http://127.0.0.1:\${place.open}/echo\`, method: 'POST', body: 'x', headers: { 'transfer-encoding': 'chunked' } }); return won;`,
    'a cookie': `const { body } = await host.net.fetch({ url: \`http://127.0.0.1:\${place.open}/echo\`, headers: { cookie: 'a=1' } }); return won;`,
    'the cookie of an earlier answer': `await host.net.fetch({ url: \`http://127.0.0.1:\${place.open}/cookie\` }); const { body } = await host.net.fetch({ url: \`http://127.0.0.1:\${place.open}/echo\`, maxAge: 0 }); return body.includes('jar') ? won : null;`,
    'a cookie that was set': `const { headers } = await host.net.fetch({ url: \`http://127.0.0.1:\${place.open}/cookie\` }); return 'set-cookie' in headers ? won : null;`,
    'a header that says where it comes from': `const { body } = await host.net.fetch({ url: \`http://127.0.0.1:\${place.open}/echo\`, headers: { 'x-forwarded-for': '1.2.3.4' } }); return won;`,
    'a method with a line end': `return host.net.fetch({ url: \`http://127.0.0.1:\${place.open}/\`, method: 'GET / HTTP/1.1\\r\\nx: y' }).then(() => won);`,
    'a list of addresses': `return host.net.fetch({ url: [\`http://127.0.0.1:\${place.ungranted}/\`] });`,
  },
}; // oxfmt-ignore
