import { describe, expect, test } from 'vitest';
import { URL as GuestUrl } from './url.ts';
import { URLSearchParams as GuestParams } from './url-search-params.ts';

const inputs: readonly (readonly string[])[] = [
  ['http://example.com'], ['HTTP://User:Pa%20ss@EXAMPLE.com:8080/a/../b/./c?x=1#y'], ['https://example.com:443/'],
  ['https://example.com:/'], ['http://example.com:80/'], ['http://example.com:65536/'], ['http://example.com:8a/'],
  ['//example.org/x', 'https://a.b/c'], ['/x', 'https://a.b/c/d?e#f'], ['x', 'https://a.b/c/d?e#f'], ['../x', 'https://a.b/c/d/e'],
  ['../../../x', 'https://a.b/c/d/e'], ['?q', 'https://a.b/c/d?e#f'], ['#h', 'https://a.b/c/d?e#f'], ['', 'https://a.b/c/d?e#f'],
  ['https:foo', 'https://a.b/c/d'], ['https:/foo', 'https://a.b/c/d'], ['http:foo', 'https://a.b/c/d'], ['http:\\\\x\\y'],
  ['http:////x/y'], ['http://a b/'], ['http://a%41b/'], ['http://a%00b/'], ['http://[::1]:80/x'], ['http://[1:2:3:4:5:6:7:8]/'],
  ['http://[1::8]/'], ['http://[::ffff:192.168.0.1]/'], ['http://[1:0:0:2:0:0:0:3]/'], ['http://[::1'], ['http://[1:2]/'],
  ['http://[::1::2]/'], ['http://[1:2:3:4:5:6:7:8:9]/'], ['http://[::1.2.3]/'], ['http://[::01.2.3.4]/'], ['http://[G::]/'],
  ['http://1.2.3.4/'], ['http://1.2.3/'], ['http://0x7f.1/'], ['http://256/'], ['http://1.2.3.4.5/'], ['http://1.2.3.256/'],
  ['http://4294967296/'], ['http://4294967295/'], ['http://01.02.03.04/'], ['http://08.1/'], ['http://1.2.3.4./'], ['http://a.1.b/'],
  ['http://0x/'], ['http://foo.0x'], ['http://foo.09'], ['http://münchen.de/ü?ü#ü'], ['http://EXÄMPLE.com/'], ['http://日本語。jp/'],
  ['http://xn--mnchen-3ya.de/'], ['http://faß.de/'], ['http://a\u00adb.com/'], ['http://☃.net/'], ['http:///'], ['http://'], ['http://:80/'],
  ['http://@/'], ['http://a@/'], ['http://a:b@c:d@e/'], ['http://a@b@c/'], ['http://user@host'], ['http://:pw@host'], ['http://u:@host'],
  ['file:///a/b%20c.mkv'], ['file://localhost/x'], ['file://host/x'], ['file:x'], ['file:/x'], ['file:///C|/x/../..'], ['file:///C:/../x'],
  ['/x', 'file:///C:/a/b'], ['x', 'file:///C:/'], ['..', 'file:///C:/'], ['//h/x', 'file:///C:/a'], ['C|/x', 'file:///d/e'], ['/D:/x', 'file:///C:/a'],
  ['file:///a/./b/%2e%2E/c'], ['file:\\\\host\\x'], ['?x', 'file:///a/b?c'], ['#x', 'file:///a/b?c'],
  ['mailto:a@b c'], ['data:text/plain,hello world #x'], ['javascript:alert(1)'], ['about:blank?x#y'], ['#x', 'mailto:a@b'], ['x', 'mailto:a@b'],
  ['blob:https://a.b/c'], ['blob:x'], ['web+demo:/.//not-a-host/'], ['a://b/c/../d'], ['a:/b/../c'], ['a:b/../c'], ['a://B%2f/c'], ['a://h h/'],
  ['a://[::1]:5/'], ['a:///x'], ['a:?x'], ['a:#x'], ['a://'], ['a:/..//x'], ['s3://bucket/key?x=\'1\''], ['http://h/?x=\'1\' "<>'],
  ['http://h/a b"<>`{}?^|'], ['http://h/%zz%2'], ['http://h/\\a\\b'], ['a://h/\\a\\b'], ['  http://h/  '], ['ht\ntp://h/\ta\rb'], ['http://h/\ud800'],
  ['http://h/a/b/..'], ['http://h/a/b/.'], ['http://h/.%2e/x'], ['http://h/a//b/../c'], ['1http://h'], [':x'], ['x'], ['http'], ['http:'], ['//x'],
  ['http://h#a b`<>"'], ['http://h?a#b?c#d'], ['ws://h:80/'], ['wss://h:443/'], ['ftp://h:21/'], ['ws://h:81/'], ['http://h:0/'], ['http://h:00080/'],
  ['http://a..b/'], ['http://a_b/'], ['http://-a/'], ['http://a<b/'], ['http://a|b/'], ['http://a"`{}b/'], ['file://{h}/x'], ['http://a%80/'], ['http://\ud800/'], ['http://h/😀?😀#😀'], ['http://h', 'nonsense'], ['http://h', 'http://b'],
]; // oxfmt-ignore

const parts = [
  'href',
  'origin',
  'protocol',
  'username',
  'password',
  'host',
  'hostname',
  'port',
  'pathname',
  'search',
  'hash',
] as const;

type Parsed = Record<string, string> | 'invalid';

function parse(
  Kind: typeof GuestUrl | typeof URL,
  [input, base]: readonly [string, string | undefined],
): Parsed {
  try {
    const url = base === undefined ? new Kind(input) : new Kind(input, base);
    return Object.fromEntries(parts.map((part) => [part, url[part]]));
  } catch {
    return 'invalid';
  }
}

describe('URL inside an isolate', () => {
  test.each(inputs)('parses %j against %j as Node does', (input = '', base) => {
    expect(parse(GuestUrl, [input, base])).toEqual(parse(URL, [input, base]));
  });

  const changes: readonly (readonly [url: string, part: (typeof parts)[number], value: string])[] = [
    ['http://a/b', 'protocol', 'https'], ['http://a/b', 'protocol', 'mailto'], ['http://a:8080/b', 'protocol', 'file'], ['http://a:443/', 'protocol', 'https:x'],
    ['x://a/b', 'protocol', 'y'], ['x://a/b', 'protocol', 'http'], ['http://a/', 'protocol', '1'],
    ['http://a/', 'username', 'ü@:'], ['http://a/', 'password', 'p/w'], ['file:///a', 'username', 'x'], ['mailto:a', 'username', 'x'],
    ['http://a:1/b', 'host', 'c:2'], ['http://a:1/b', 'host', 'c'], ['http://a/b', 'host', 'c/d'], ['http://a/b', 'host', ''], ['http://a/b', 'host', 'c:99999'],
    ['mailto:a', 'host', 'c'], ['file:///a', 'host', 'h'], ['http://a:1/b', 'hostname', 'c:2'], ['http://a:1/b', 'hostname', 'c'], ['x://a:1/b', 'hostname', ''],
    ['http://a/', 'port', '81'], ['http://a:81/', 'port', ''], ['http://a:81/', 'port', '80'], ['http://a/', 'port', '12x'], ['http://a/', 'port', 'x'], ['http://a/', 'port', '70000'],
    ['http://a/b', 'pathname', 'c d?e#f'], ['http://a/b', 'pathname', ''], ['x://a/b', 'pathname', ''], ['mailto:a', 'pathname', 'b'], ['http://a/b', 'pathname', '/../x'],
    ['http://a/?b', 'search', 'c=d'], ['http://a/?b', 'search', '?c#d'], ['http://a/?b', 'search', ''], ['http://a/', 'hash', 'b c'], ['http://a/#b', 'hash', ''], ['http://a/#b', 'hash', '#c'],
    ['http://a/', 'href', 'https://b/c'],
  ]; // oxfmt-ignore

  test.each(changes)('%j with %s set to %j is what Node makes of it', (input, part, value) => {
    if (part === 'origin') return;
    const guest = new GuestUrl(input);
    const node = new URL(input);
    guest[part] = value;
    node[part] = value;
    expect(guest.href).toBe(node.href);
  });

  test('keeps searchParams and search the same', () => {
    const url = new GuestUrl('http://a/?x=1&y=2');
    url.searchParams.append('z', 'ü &');
    url.searchParams.delete('x');
    expect(url.href).toBe('http://a/?y=2&z=%C3%BC+%26');
    url.search = '?q=1';
    expect([...url.searchParams]).toEqual([['q', '1']]);
  });
});

describe('URLSearchParams inside an isolate', () => {
  test.each(['', '?a=1&b=2', 'a=%20+b&a=%zz&=x&y', 'ü=ä', 'a&&b=c=d', '%C3%BC=%FF'])(
    'reads %j as Node does',
    (query) => {
      expect([...new GuestParams(query)]).toEqual([...new URLSearchParams(query)]);
      expect(new GuestParams(query).toString()).toBe(new URLSearchParams(query).toString());
    },
  );

  test('takes pairs, records and its own kind', () => {
    expect(
      new GuestParams([
        ['a', 1],
        ['a', 2],
      ]).getAll('a'),
    ).toEqual(['1', '2']);
    expect(new GuestParams({ b: 'x', a: 'y' }).toString()).toBe('b=x&a=y');
    expect(new GuestParams(new GuestParams('a=1')).has('a', '1')).toBe(true);
    const params = new GuestParams('b=1&a=2&b=3');
    params.sort();
    params.set('b', '4');
    expect(params.toString()).toBe('a=2&b=4');
  });
});
