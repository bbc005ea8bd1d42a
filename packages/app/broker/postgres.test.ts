import { expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../../kernel/index.ts';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { ask, good, textOf, verdictOf } from '../../../test/support/identity/ask.ts';
import { claimsOf, createDevice } from '../../../test/support/identity/device.ts';
import { registerPerson } from '../../../test/support/identity/person.ts';
import { hasPostgres } from '../../../test/support/storage/postgres.ts';
import { newDatabaseUrl, temporaryFolder } from '../../../test/support/storage/storage.ts';
import type { SignedObject } from '../../lib/identity-protocol/index.ts';
import { createBroker } from './broker.ts';
import { usualLimits } from './service/config.ts';

test.skipIf(!hasPostgres())(
  'a broker on PostgreSQL pairs, renews, rotates keys, revokes and restarts',
  async () => {
    const clock = createFakeClock();
    const [data, database] = [temporaryFolder(), await newDatabaseUrl('pg')];
    const open = async (port: number) => {
      const broker = await createBroker({
        config: {
          ...{ host: '127.0.0.1', port, data, database, identityUrl: null, pages: null },
          ...{ trustedProxies: [], version: '0.0.0', limits: usualLimits },
        },
        key: Buffer.alloc(32, 7),
        clock,
        log: silentLog,
        fetchProof: async () => null,
        resolveTxt: async () => [],
      });
      onTestFinished(() => broker.stop());
      return { broker, ...(await broker.start()) };
    };
    const { broker, identityUrl } = await open(0);
    const ada = await registerPerson('ada', { identityUrl, clock });
    const app = { slug: 'telly', name: 'Telly', callbacks: [], domain: null, icon: null };
    good(await ada.web('apps', { body: app }));
    expect(verdictOf(await ada.web('apps', { body: app }))).toBe('409 app_id_taken');

    const device = await createDevice({ identityUrl, appId: 'app_telly', clock });
    const requestId = await ada.typeCode(textOf(await device.pairBegin(), 'pairingCode'));
    const approvals = [await ada.prepareApproval(requestId), await ada.prepareApproval(requestId)];
    const answers = await Promise.all(approvals.map((approve) => approve()));
    expect(answers.map(verdictOf).filter((verdict) => verdict === '200')).toHaveLength(1);
    const cert = good(await device.poll(requestId))['cert'] as SignedObject;

    await clock.advance(30 * 86_400_000);
    const ts = clock.now();
    expect(verdictOf(await device.renew(cert, { ts }))).toBe('200');
    expect(verdictOf(await device.renew(cert, { ts }))).toBe('409 replayed');
    await ada.signIn();
    expect(verdictOf(await ada.topUp())).toBe('204');
    expect(verdictOf(await ada.rotate())).toBe('204');
    await ada.signIn();
    expect(verdictOf(await ada.revoke(String(claimsOf(cert)['clientId'])))).toBe('204');
    await clock.advance(1000);
    expect(verdictOf(await device.renew(cert))).toBe('403 revoked');
    const page = (await ask(`${identityUrl}/api/identity/revocations`)).body;
    expect(page['records']).toHaveLength(2);
    await broker.sweep();

    await broker.stop();
    const again = await open(Number(new URL(identityUrl).port));
    expect((await ask(`${again.identityUrl}/api/identity/revocations`)).body).toEqual(page);
  },
  120_000,
);
