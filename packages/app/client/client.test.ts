import { describe, expect, test } from 'vitest';
import { createWorld } from '../../../test/support/identity-fakes/world.ts';

describe('an app that pairs by code', () => {
  test('shows eight digits in two groups, signs in to all servers and lists their libraries', async () => {
    const { app, broker, clock } = await createWorld();
    const { client } = await app();

    const pairing = await client.pairByCode();
    expect(pairing).toMatchObject({ code: '1234 5679', url: `${broker.url}/pair` });
    expect(client.state().pairing).toMatchObject({ code: '1234 5679' });
    await broker.approve();
    await clock.advance(3_000);
    expect(await pairing.done).toMatchObject({ userId: 'u_ada', deviceName: 'Kitchen' });
    await client.connect();

    expect(client.state()).toMatchObject({
      status: 'signed_in',
      pairing: null,
      servers: [
        { name: 'Home', status: 'online', isPlainHttp: true },
        { name: 'Cabin', status: 'online', isPlainHttp: true },
      ],
    });
    const [home] = client.servers();
    expect(await home?.me()).toMatchObject({ userId: 'u_ada', role: 'user' });
    expect(await home?.libraries()).toMatchObject([{ name: 'Films', itemCount: 1 }]);
    expect(await home?.items({ sortBy: 'addedAt' })).toMatchObject({
      items: [{ title: 'A film of Home' }],
      nextCursor: null,
    });
  });
});
