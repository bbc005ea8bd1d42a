import type { Server } from 'node:http';
import { householdOf } from '../../platform/networks.ts';
import type { IsTrustedProxy } from '../client-address.ts';

/**
 * Closes connections of one address, or one IPv6 network, above a limit, before a byte of them is
 * read; 0 = no limit. Clients behind a trusted proxy share its address, so it has no limit.
 */
export function limitConnections(
  server: Server,
  options: { readonly perAddress: number; readonly isTrustedProxy: IsTrustedProxy },
): void {
  const { perAddress, isTrustedProxy } = options;
  if (perAddress === 0) return;
  const open = new Map<string, number>();
  server.on('connection', (socket) => {
    const address = socket.remoteAddress ?? '';
    if (isTrustedProxy(address)) return;
    const network = householdOf(address);
    const count = (open.get(network) ?? 0) + 1;
    if (count > perAddress) return void socket.destroy();
    open.set(network, count);
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1;
      if (left > 0) open.set(network, left);
      else open.delete(network);
    });
  });
}
