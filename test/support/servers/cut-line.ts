/** A line of TCP that a test cuts in one direction or in both: nothing passes, and nobody is told. */
import { once } from 'node:events';
import { createServer, connect, type AddressInfo, type Socket } from 'node:net';

/** Which way nothing passes: to the other end, back from it, or neither. */
export type Cut = 'there' | 'back' | 'both' | 'none';

export interface CutLine {
  readonly port: number;
  readonly cut: (what: Cut) => void;
  readonly close: () => Promise<void>;
}

/** Opens it, to a port of the loopback or to a socket in a file. */
export async function openCutLine(to: { port: number } | { path: string }): Promise<CutLine> {
  const ends = new Set<readonly [Socket, Socket]>();
  let now: Cut = 'none';

  function settle([near, far]: readonly [Socket, Socket]): void {
    if (now === 'there' || now === 'both') near.pause();
    else near.resume();
    if (now === 'back' || now === 'both') far.pause();
    else far.resume();
  }

  const server = createServer((near) => {
    const far = connect(to);
    const pair = [near, far] as const;
    ends.add(pair);
    near.on('data', (part) => far.write(part));
    far.on('data', (part) => near.write(part));
    for (const [one, other] of [pair, [far, near] as const]) {
      one.on('error', () => other.destroy());
      one.on('close', () => {
        ends.delete(pair);
        other.destroy();
      });
    }
    settle(pair);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    cut: (what) => {
      now = what;
      for (const pair of ends) settle(pair);
    },
    close: async () => {
      server.close();
      for (const pair of ends) for (const end of pair) end.destroy();
      await once(server, 'close');
    },
  };
}
