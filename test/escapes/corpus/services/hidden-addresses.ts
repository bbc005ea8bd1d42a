import type { ServiceClass } from '../attempt.ts';

const ask = (host: string): string =>
  `return host.net.fetch({ url: 'https://${host}:' + place.hidden + '/' });`;

/** Any host is granted; a door on this machine counts who knocks at it. */
export const hiddenAddresses: ServiceClass = {
  name: 'addresses of the own network',
  by: 'wanderer',
  control: `return (await host.net.fetch({ url: 'http://127.0.0.1:' + place.open + '/' })).status === 200 ? 'ok' : null;`,
  attempts: {
    'the loopback address': ask('127.0.0.1'),
    'in two parts': ask('127.1'),
    'in hexadecimal': ask('0x7f000001'),
    'in hexadecimal parts': ask('0x7f.0x0.0x0.0x1'),
    'in octal': ask('0177.0.0.1'),
    'as one number': ask('2130706433'),
    'as one octal number': ask('017700000001'),
    'with a dot behind': ask('127.0.0.1.'),
    'another of its network': ask('127.255.255.254'),
    'all addresses': ask('0.0.0.0'),
    'nothing': ask('0'),
    'of IPv6': ask('[::1]'),
    'all of IPv6': ask('[::]'),
    'wrapped into IPv6': ask('[::ffff:127.0.0.1]'),
    'wrapped in hexadecimal': ask('[::ffff:7f00:1]'),
    'wrapped at full length': ask('[0:0:0:0:0:ffff:7f00:0001]'),
    'compatible with IPv4': ask('[::127.0.0.1]'),
    'translated': ask('[64:ff9b::7f00:1]'),
    'in 6to4': ask('[2002:7f00:1::]'),
    'in ISATAP': ask('[fe80::5efe:7f00:1]'),
    'with a zone': ask('[::1%25lo]'),
    'by its name': ask('localhost'),
    'by its name in capitals': ask('LOCALHOST'),
    'by its name with a dot behind': ask('localhost.'),
    'by its name in percents': ask('%6c%6f%63%61%6c%68%6f%73%74'),
    'by the name of IPv6': ask('ip6-localhost'),
    'below its name': ask('a.localhost'),
    'in digits with rings': ask('①②⑦.⓪.⓪.①'),
    'with dots of another script': ask('127。0。0。1'),
    'in wide letters': ask('ｌｏｃａｌｈｏｓｔ'),
    'behind a user name': ask('example.org@127.0.0.1'),
    'behind a backslash': ask('127.0.0.1\\\\\\\\@example.org'),
    'over http': `return host.net.fetch({ url: 'http://127.0.0.1:' + place.hidden + '/' });`,
    'over another scheme': `return host.net.fetch({ url: 'ftp://127.0.0.1:' + place.hidden + '/' });`,
    'with a line end in the address': `return host.net.fetch({ url: 'https://127.0.0.1:' + place.hidden + '/\\r\\nHost: a' });`,
    'the server itself': `return host.net.fetch({ url: place.self + '/api/health' }).then(() => won);`,
  },
}; // oxfmt-ignore
