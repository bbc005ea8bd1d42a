import { coversHost } from '../../../kernel/index.ts';

/**
 * The hosts that the operator lets plugins reach although they may be in the server's own network:
 * `nas.local`, `192.168.1.10:8096`, `[::1]:8080`. A host without a port is allowed on every port.
 */
export function createAllowedHosts(entries: readonly string[]): (host: string) => boolean {
  return (host) => entries.some((entry) => coversHost(entry, host));
}
