import { ConfigError } from '../platform/config.ts';

/** The error for the operator when the server cannot listen; any other error as it is. */
export function whyNotListening(
  error: unknown,
  { host, port }: { readonly host: string; readonly port: number },
): unknown {
  switch (error instanceof Error && 'code' in error ? error.code : undefined) {
    case 'EADDRINUSE':
      return new ConfigError(
        `Port ${port} of ${host} is in use by another program: stop it, or choose another port with --port.`,
      );
    case 'EADDRNOTAVAIL':
      return new ConfigError(
        `${host} is not an address of this machine: choose one of its addresses with --host.`,
      );
    case 'EACCES':
      return new ConfigError(
        `The user of the server may not listen on port ${port}: choose a port above 1023 with --port.`,
      );
    case 'ENOTFOUND':
      return new ConfigError(`The host name ${host} is unknown: give an address with --host.`);
    default:
      return error;
  }
}
