import { describe, expect, onTestFinished, test } from 'vitest';
import { createTestApp } from '../../../test/support/servers/http.ts';
import { mount } from '../http-app.ts';
import { securityTxtRoutes } from './security-txt.ts';

const now = () => Date.UTC(2026, 10, 21, 7, 44, 53);
const url = '/.well-known/security.txt';

async function get(securityContact: string | null, publicUrl: string | null = null) {
  const parts = { securityContact, publicUrl, now };
  const app = await createTestApp([mount(securityTxtRoutes, parts)]);
  onTestFinished(() => app.close());
  return app.inject({ url, headers: { host: 'evil.example' } });
}

describe('GET /.well-known/security.txt', () => {
  test('names the security contact and the expiry date, as in RFC 9116', async () => {
    const reply = await get('mailto:security@example.org', 'https://films.example.org');

    expect(reply.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(reply.body).toBe(
      [
        'Contact: mailto:security@example.org',
        'Expires: 2027-05-20T00:00:00.000Z',
        'Preferred-Languages: en',
        'Canonical: https://films.example.org/.well-known/security.txt',
        '',
      ].join('\n'),
    );
  });

  test('does not exist while no contact is set', async () => {
    expect((await get(null)).statusCode).toBe(404);
  });
});
