/** What lies around a server on its errands: a marketplace, a receiver of webhooks, a broker, a license service. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { silentLog } from '../../../kernel/index.ts';
import { startLicenseAuthority } from '../../../packages/app/license-authority/index.ts';
import { startHttpSource, type HttpSource } from '../servers/http-source.ts';
import { good } from '../identity/ask.ts';
import { appOrigin, callbackUrl } from '../identity/household.ts';
import type { MovingClock } from '../identity/moving-clock.ts';
import { registerPerson, type Person } from '../identity/person.ts';
import { openTestBroker } from '../identity/test-broker.ts';
import { createTestIssuer, type TestIssuer } from '../plugins/license.ts';
import { startMarketplaceSite, type MarketplaceSite } from '../plugins/marketplace-site.ts';
import { createMediaTree, type MediaTree } from '../media/media-tree.ts';

/** All of them, on the loopback. */
export interface ErrandPlaces {
  readonly site: MarketplaceSite;
  /** Takes what is sent to `/ok`, and nothing else. */
  readonly receiver: HttpSource;
  readonly issuer: TestIssuer;
  readonly identityUrl: string;
  readonly ada: Person;
  /** A folder for libraries that come and go. */
  readonly shelf: MediaTree;
  /** Settings by which a server knows them. */
  readonly flags: Readonly<Record<string, string>>;
  readonly close: () => Promise<void>;
}

export async function openErrandPlaces(clock: MovingClock): Promise<ErrandPlaces> {
  const site = await startMarketplaceSite();
  const receiver = await startHttpSource(({ url }, response) =>
    response.writeHead(url === '/ok' ? 200 : 503).end(),
  );
  const issuer = createTestIssuer();
  const data = await mkdtemp(path.join(tmpdir(), 'vitrine-authority-'));
  const authority = await startLicenseAuthority({
    ...{ host: '127.0.0.1', port: 0, data, issuer: issuer.issuer, rate: 1_000_000 },
    ...{ now: clock.now, log: silentLog },
  });
  const broker = await openTestBroker({ clock });
  const { identityUrl } = broker;
  const ada = await registerPerson('ada', { identityUrl, clock });
  const app = { slug: 'telly', name: 'Telly', domain: null, icon: null };
  good(await ada.web('apps', { body: { ...app, callbacks: [callbackUrl, appOrigin] } }));
  const shelf = await createMediaTree();
  return {
    ...{ site, receiver, issuer, identityUrl, ada, shelf },
    flags: {
      ...{ identityUrl, licenseIssuer: issuer.issuer, licenseAuthority: authority.url },
      ...{ marketplaceMinutes: '0', backupHours: '0' },
    },
    close: async () => {
      await Promise.all([site.close(), receiver.close(), authority.stop(), broker.stop()]);
      await Promise.all([shelf.remove(), rm(data, { recursive: true, force: true })]);
    },
  };
}
