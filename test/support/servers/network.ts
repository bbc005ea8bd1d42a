/** The way of plugins to the network, over a cache of a test's own. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { silentLog } from '../../../kernel/index.ts';
import type { FetchBytesInput, FetchInput, FetchResult } from '../../../plugin-api/index.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { createNetwork, type Network, type NetworkParts } from '../../../src/platform/net/index.ts';

export interface TestNetwork extends Network {
  /** Calls `host.net.fetch` as the kernel does, past its schema. */
  readonly fetch: (input: FetchInput, caller?: TestCaller) => Promise<FetchResult>;
  /** The same for a body of bytes. */
  readonly fetchBytes: (input: FetchBytesInput, caller?: TestCaller) => Promise<Uint8Array>;
  readonly cacheFolder: string;
  /** Cuts what is under way and deletes the cache. */
  readonly remove: () => Promise<void>;
}

/** Who asks. Everything is granted unless told otherwise. */
export interface TestCaller {
  readonly pluginId?: string;
  readonly net?: readonly string[];
  readonly secrets?: true;
  readonly signal?: AbortSignal;
}

const forever = new AbortController().signal;

/** Opens a network, on which no host is allowed that is not on the public internet unless told. */
export async function openTestNetwork(parts: Partial<NetworkParts> = {}): Promise<TestNetwork> {
  const cacheFolder = await mkdtemp(path.join(tmpdir(), 'vitrine-net-'));
  const network = createNetwork({
    cacheFolder,
    allowedHosts: [],
    version: '0.1.0',
    ratesOf: () => ({ '*': 100 }),
    grantedHosts: () => ['*'],
    clock: systemClock,
    log: silentLog,
    ...parts,
  });
  const run = network.service.methods['fetch']?.run as unknown as (
    input: FetchInput,
    caller: object,
  ) => Promise<string | Uint8Array>;
  return {
    ...network,
    cacheFolder,
    fetch: async (input, caller) =>
      JSON.parse(String(await run(input, callerOf(caller)))) as FetchResult,
    fetchBytes: async (input, caller) => (await run(input, callerOf(caller))) as Uint8Array,
    remove: async () => {
      await network.close();
      await rm(cacheFolder, { recursive: true, force: true });
    },
  };
}

const callerOf = ({
  pluginId = 'films',
  net = ['*'],
  secrets,
  signal = forever,
}: TestCaller = {}) => ({
  pluginId,
  granted: { net, ...(secrets && { secrets }) },
  signal,
});
