import { describe, expect, test } from 'vitest';
import { closestPattern, coversHost } from './host-pattern.ts';

describe('a pattern of hosts', () => {
  test.each([
    ['api.example.org', 'api.example.org'],
    ['api.example.org', 'api.example.org:8443'],
    ['api.example.org:8443', 'api.example.org:8443'],
    ['*.example.org', 'a.b.example.org:443'],
    ['*.example.org', '*.b.example.org'],
    ['*', 'anything.example:80'],
    ['*', '*'],
    ['*:8443', 'anything.example:8443'],
    ['[::1]', '[::1]:80'],
    ['[::1]:80', '[::1]:80'],
  ])('%s names %s', (pattern, entry) => {
    expect(coversHost(pattern, entry)).toBe(true);
  });

  test.each([
    ['api.example.org', 'example.org'],
    ['api.example.org', 'api.example.org.evil.example'],
    ['api.example.org:8443', 'api.example.org'],
    ['api.example.org:8443', 'api.example.org:443'],
    ['*.example.org', 'example.org'],
    ['*.example.org', 'evilexample.org'],
    ['*.example.org', '*'],
    ['*:8443', '*'],
    ['[::1]', '[::11]'],
  ])('%s does not name %s', (pattern, entry) => {
    expect(coversHost(pattern, entry)).toBe(false);
  });

  test('is passed over for one that names the host more closely', () => {
    const patterns = ['*', '*.example.org', '*.api.example.org', 'v2.api.example.org'];

    expect(closestPattern(patterns, 'v2.api.example.org:443')).toBe('v2.api.example.org');
    expect(closestPattern(patterns, 'v1.api.example.org:443')).toBe('*.api.example.org');
    expect(closestPattern(patterns, 'www.example.org:443')).toBe('*.example.org');
    expect(closestPattern(patterns, 'example.net:443')).toBe('*');
    expect(closestPattern([], 'example.net:443')).toBeUndefined();
  });
});
