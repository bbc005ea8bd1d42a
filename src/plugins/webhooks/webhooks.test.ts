import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { eventNames } from '../../../plugin-api/index.ts';
import type { CallPlugin } from '../../../kernel/index.ts';
import { openTestStorage } from '../../../test/support/storage/storage.ts';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { serverViewer } from '../../people/viewer/index.ts';
import type { AuditEntry } from '../../platform/audit/index.ts';
import { createWebhooks } from './index.ts';
import { keyOf, newSecret, parseEvents, parseUrl } from './webhook.ts';
import { defaultEvents } from '../../contract/resources/plugins/webhooks.ts';

async function openScene(answer: (method: string) => unknown, hasProvider = true) {
  const secrets = new Map<string, string>();
  const audited: AuditEntry[] = [];
  const { database } = await openTestStorage();
  const call: CallPlugin = (_, method) => Promise.resolve(answer(method));
  const webhooks = createWebhooks({
    call,
    provider: () => (hasProvider ? 'hooks' : undefined),
    refusalOf: () => Promise.resolve(null),
    secrets: {
      put: (_, { name, value }) => {
        secrets.set(name, value);
        return Promise.resolve({ name, scope: 'plugin', hosts: [], updatedAt: '', isLost: false });
      },
      remove: (_, { name }) => Promise.resolve(secrets.delete(name)),
    },
    database,
    audit: (_, entry) => Promise.resolve(void audited.push(entry)),
    clock: createFakeClock(),
    random: (count) => new Uint8Array(count).fill(7),
    newId: () => 'id-1',
  });
  return { webhooks, secrets, audited };
}

const wanted = { name: 'Chat', url: 'https://example.org/hook?key=secret' };

describe('a webhook', () => {
  test('stores no secret when the plugin refuses it', async () => {
    const { webhooks, secrets, audited } = await openScene(() => null);

    await expect(webhooks.create(wanted, serverViewer)).rejects.toMatchObject({ code: 'conflict' });
    expect([secrets.size, audited.length]).toEqual([0, 0]);
  });

  test('cannot be created while no webhooks plugin runs', async () => {
    const { webhooks } = await openScene(() => null, false);

    await expect(webhooks.list({})).rejects.toMatchObject({ code: 'unavailable' });
  });

  test.each([[{}], [{ webhooks: [{ id: 1 }] }], ['nonsense'], [{ webhooks: 'all' }]])(
    'is not read from a malformed reply: %j',
    async (answer) => {
      const { webhooks } = await openScene(() => answer);

      await expect(webhooks.list({})).rejects.toMatchObject({ code: 'unavailable' });
    },
  );

  test('is in the audit log without its secret, path and query', async () => {
    const at = '2026-11-21T07:44:53.000Z';
    const made = { ...wanted, id: 'id-1', events: '*', enabled: true, secretName: 'webhook.id-1' };
    const webhook = { ...made, createdAt: at, updatedAt: at };
    const { webhooks, secrets, audited } = await openScene(() => ({ webhook }));

    const { secret } = await webhooks.create(wanted, serverViewer);

    expect(secrets.get('webhook.id-1')).toBe(secret.replace('whsec_', ''));
    expect(audited).toMatchObject([
      { action: 'webhook.created', target: { type: 'webhook', id: 'id-1' } },
    ]);
    expect(JSON.stringify(audited)).not.toMatch(/secret|hook\?/);
  });
});

test('a change of a webhook that changes nothing is not one, except that a secret is sent', async () => {
  const at = '2026-11-21T07:44:53.000Z';
  const made = { ...wanted, id: 'id-1', events: '*', enabled: true, secretName: 'webhook.id-1' };
  const webhook = { ...made, createdAt: at, updatedAt: at };
  const { webhooks, audited } = await openScene((method) =>
    method === 'webhooks.list'
      ? { webhooks: [webhook] }
      : { webhook: { ...webhook, updatedAt: '2026-11-22T07:44:53.000Z' } },
  );

  await webhooks.update('id-1', { name: 'Chat' }, serverViewer);
  const secret = newSecret(() => new Uint8Array(32));
  await webhooks.update('id-1', { secret }, serverViewer);

  expect(audited).toMatchObject([
    { change: { before: webhook, after: webhook } },
    { change: 'event' },
  ]);
});

describe('a secret', () => {
  test('is 24 to 64 bytes in base64 after whsec_, and nothing else', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
        const secret = newSecret(() => bytes);
        const isGood = bytes.length >= 24 && bytes.length <= 64;
        if (isGood) expect(Buffer.from(keyOf(secret), 'base64')).toEqual(Buffer.from(bytes));
        else expect(() => keyOf(secret)).toThrow('body.secret');
        expect(() => keyOf(secret.slice(1))).toThrow('body.secret');
        expect(() => keyOf(`${secret} `)).toThrow('body.secret');
      }),
    );
  });
});

describe('the events of a webhook', () => {
  test.each([
    ['*', '*'],
    [' job.failed , *,library.item.*', '*'],
    ['job.failed,, library.item.* ,job.failed', 'job.failed,library.item.*'],
    ['plugin.notifier.sent', 'plugin.notifier.sent'],
  ])('%j are stored as %j', (text, kept) => {
    expect(parseEvents(text)).toBe(kept);
  });

  test('are by default all but those of the pipeline and of users', () => {
    const patterns = parseEvents(defaultEvents)
      .split(',')
      .map((pattern) => new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '[^.]+')}$`));
    const isSent = (type: string) => patterns.some((pattern) => pattern.test(type));

    expect([...eventNames, 'plugin.notifier.sent'].filter((type) => !isSent(type))).toEqual(
      eventNames.filter((type) => /^((admin\.)?pipeline|user)\./.test(type)),
    );
  });

  test.each(['', ',', 'job', 'job.fail*', 'library.item.eaten', 'job..failed', '*;*'])(
    '%j are refused',
    (text) => {
      expect(() => parseEvents(text)).toThrow('body.events');
    },
  );
});

describe('the address of a webhook', () => {
  test('is an http or https address without a password, in the URL standard’s spelling', () => {
    expect(parseUrl('HTTPS://Example.org:443/a b#c')).toBe('https://example.org/a%20b');
    for (const text of ['', 'example.org', 'ftp://a', 'javascript:1', 'https://a:b@c', 'http://'])
      expect(() => parseUrl(text)).toThrow('body.url');
  });
});
