/** A marketplace source on the loopback, with the files that a test puts into it. */
import { createHash, randomBytes } from 'node:crypto';
import {
  signIndex,
  versionFacts,
  type IndexPlugin,
  type IndexVersion,
  type MarketplaceIndex,
} from '../../../kernel/run/packages/index.ts';
import type { Signer } from '../../../kernel/run/packages/signature.ts';
import { startHttpSource, type HttpSource } from '../servers/http-source.ts';
import { createPackage, createPublisher, manifestIn } from './packages.ts';

/** A source that a test changes while a server uses it. */
export interface MarketplaceSite {
  readonly http: HttpSource;
  readonly indexUrl: string;
  readonly key: Signer;
  /** Puts a package there and into the index. */
  readonly publish: (
    fields: Readonly<Record<string, unknown>> & { readonly id: string; readonly version: string },
    options: {
      readonly signer: Signer;
      readonly source?: string;
      /** What the index says otherwise than the package. */
      readonly claims?: Partial<IndexVersion>;
    },
  ) => Uint8Array;
  /** Changes the index and signs it. */
  readonly change: (
    edit: (index: Draft) => Partial<Draft>,
    options?: Partial<Pick<Draft, 'updatedAt' | 'expiresAt' | 'sequence'>> & {
      readonly signer?: Signer;
    },
  ) => void;
  /** The index as it is served now, to be served again later. */
  readonly served: () => Uint8Array;
  /** What is sent instead of a file; `null` = 404. */
  readonly replace: (path: string, bytes: Uint8Array | null) => void;
  readonly close: () => Promise<void>;
}

type Draft = Omit<MarketplaceIndex, 'publisherKey' | 'signature'>;

const dayMs = 86_400_000;

/** Starts it, with an empty index. */
export async function startMarketplaceSite(name = 'A source'): Promise<MarketplaceSite> {
  const key = createPublisher();
  const files = new Map<string, Uint8Array | null>();
  const indexId = randomBytes(16).toString('hex');
  let draft: Draft = { name, indexId, sequence: 0, updatedAt: '', expiresAt: '', plugins: [] };
  let tick = Date.now();
  let raised = 0;

  const change: MarketplaceSite['change'] = (edit, { signer = key, ...told } = {}) => {
    tick += 1000;
    raised = Math.max(raised + 1, told.sequence ?? 0);
    draft = {
      ...draft,
      ...edit(draft),
      sequence: raised,
      updatedAt: new Date(tick).toISOString(),
      expiresAt: new Date(tick + 14 * dayMs).toISOString(),
      ...told,
    };
    files.set('/index.json', Buffer.from(JSON.stringify(signIndex(draft, signer))));
  };
  change(() => ({}));

  const http = await startHttpSource((request, response) => {
    const content = files.get(request.url ?? '');
    if (!content) return response.writeHead(404).end();
    const etag = `"${createHash('sha256').update(content).digest('hex')}"`;
    if (request.headers['if-none-match'] === etag) return response.writeHead(304).end();
    return response.writeHead(200, { etag }).end(content);
  });

  return {
    http,
    indexUrl: `${http.url}/index.json`,
    key,
    change,
    served: () => files.get('/index.json') ?? new Uint8Array(),
    publish: (fields, { signer, source, claims }) => {
      const { id, version } = fields;
      const bytes = createPackage(fields, { signer, ...(source !== undefined && { source }) });
      const url = `packages/${id.replace('/', '-')}-${version}.vplugin`;
      files.set(`/${url}`, bytes);
      const offered: IndexVersion = {
        version,
        url,
        sha256: createHash('sha256').update(bytes).digest('hex'),
        size: bytes.length,
        minVersion: '>=0.1.0',
        ...versionFacts(manifestIn(fields)),
        ...claims,
      };
      change(({ plugins }) => {
        const known = plugins.find((one) => one.id === id);
        const plugin: IndexPlugin = {
          id,
          name: id,
          description: 'Written by a test.',
          author: 'A test',
          license: 'MIT',
          publisherKey: signer.publicKey,
          ...known,
          versions: [...(known?.versions ?? []), offered],
        };
        return { plugins: [...plugins.filter((one) => one.id !== id), plugin] };
      });
      return bytes;
    },
    replace: (path, bytes) => void files.set(path, bytes),
    close: http.close,
  };
}
