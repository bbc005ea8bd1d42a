import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startServer } from '../support/servers/server.ts';
import { median, type Figure } from './figure.ts';
import { generatedLibrary, libraryArguments } from './generated-library.ts';
import { measurePeer, peerNames, type PeerFigures } from './peers.ts';
import { jobsEnd, scanAgain, scansEnd } from './scan.ts';
import { watchMemory } from './catalogue/watch-memory.ts';

interface OwnFigures {
  /** Until every item is there by its name. */
  readonly names: number;
  /** Until every file is probed and every item understood. */
  readonly all: number;
  readonly again: number;
  readonly peakMb: number;
}

/** What each count of files has as its goals. */
const goals = {
  small: { names: 2.5, peakMb: 500, again: 1 },
  large: { names: 25, peakMb: 500, again: 0.5 },
} as const;

/** Full ingest of a library, probe and identify included, against the peers of the same run. */
export async function benchIngest(count: number): Promise<readonly Figure[]> {
  const folder = generatedLibrary(count);
  const ours = await measureOurs(folder);
  // Of 100,000 files gerbera does not come to an end.
  const names = count > 10_000 ? peerNames.filter((name) => name !== 'gerbera') : peerNames;
  const peers = names.flatMap((name) => measurePeer(name, folder) ?? []);
  const goal = count > 10_000 ? goals.large : goals.small;
  const value = (name: string, own: number, most: number, unit: string): Figure => ({
    name: `ingest: ${name}, ${count} files`,
    ours: own,
    bare: null,
    unit,
    goal: most,
  });
  return [
    value('items there by name', ours.names, goal.names, 's'),
    value('peak of server and hosts', ours.peakMb, goal.peakMb, 'MB'),
    ...peers.map(({ name, first }) => against(name, 'all of it', ours.all, first, 1)),
    ...fastest(peers, 'first').map(({ name, first }) =>
      against(name, 'items there by name', ours.names, first, 0.25),
    ),
    ...fastest(peers, 'again').map(({ name, again }) =>
      against(name, 'again, nothing changed', ours.again, again, goal.again),
    ),
  ];
}

async function measureOurs(folder: string): Promise<OwnFigures> {
  const data = mkdtempSync(path.join(tmpdir(), 'vitrine-bench-'));
  const server = await startServer({ data, args: libraryArguments(folder) });
  const memory = watchMemory(server);
  const names = await scansEnd(server);
  const all = await jobsEnd(server, ({ type }) => type === 'scan' || type === 'probe');
  const peakMb = (await memory.stop()) / 1e6;
  const again = median([await scanAgain(server), await scanAgain(server), await scanAgain(server)]);
  await server.stop();
  rmSync(data, { recursive: true });
  return { names, all, again, peakMb };
}

function against(peer: string, what: string, ours: number, theirs: number, goal: number): Figure {
  return { name: `ingest: ${what}, against ${peer}`, ours, bare: theirs, unit: 's', goal };
}

function fastest(peers: readonly PeerFigures[], of: 'first' | 'again'): readonly PeerFigures[] {
  return peers.toSorted((a, b) => a[of] - b[of]).slice(0, 1);
}
