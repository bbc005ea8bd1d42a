import type { HttpSource } from '../servers/http-source.ts';
import type { TestIssuer } from '../plugins/license.ts';
import type { Errand, Thing } from './errand.ts';

/** Webhooks, whose receiver fails now and then, and the license. */
export const outsideErrands = (
  libraryId: string,
  { receiver, issuer }: { readonly receiver: HttpSource; readonly issuer: TestIssuer },
): readonly Errand[] => [
  {
    name: 'webhooks',
    run: async ({ ask, no, settle }) => {
      await ask('PUT', '/api/plugins/webhooks/configuration', {
        body: { allowedHosts: [receiver.host] },
      });
      const { webhooks } = await ask<{ webhooks: readonly Thing[] }>('GET', '/api/webhooks');
      for (const one of webhooks) await ask('DELETE', `/api/webhooks/${one.id}`, { may: [404] });
      const { id } = await ask<Thing>('POST', '/api/webhooks', {
        body: { name: `Bell ${no}`, url: `${receiver.url}/${no % 2 === 0 ? 'ok' : 'away'}` },
      });
      const route = `/api/webhooks/${id}`;
      await ask('PATCH', route, { body: { events: 'library.*', name: `Gong ${no}` } });
      await ask('PATCH', `/api/libraries/${libraryId}`, { body: { name: `Reels ${no}` } });
      const { delivery } = await ask<{ delivery: Thing }>('POST', `${route}/test`);
      await settle();
      await ask('GET', `${route}/deliveries?limit=3`);
      await ask('GET', `${route}/deliveries?status=failed`, { may: [400] });
      await ask('POST', `${route}/deliveries/${delivery.id}/redeliver`, { may: [404, 409] });
      await ask('PATCH', route, { body: { enabled: false } });
      await ask('GET', route);
      await ask('DELETE', route);
    },
  },
  {
    name: 'the license',
    run: async ({ ask }) => {
      await ask('DELETE', '/api/license', { may: [404, 409] });
      await ask('POST', '/api/license/activate', { body: { licenseKey: 'no key' }, may: [400] });
      await ask('POST', '/api/license/activate', { body: { licenseKey: issuer.issue() } });
      await ask('GET', '/api/license');
      await ask('DELETE', '/api/license');
    },
  },
];
