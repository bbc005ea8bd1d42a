import { coversHost, KernelError } from '../../../kernel/index.ts';

/** The target of a request. */
export interface Target {
  readonly url: URL;
  /** Always name and port: host patterns are matched against it. */
  readonly host: string;
}

/** Which hosts are allowed. */
export interface TargetRules {
  /** Patterns of the hosts that were granted to the plugin. */
  readonly granted: readonly string[];
  /** Whether the operator allows a host although it may be in the server's own network. */
  readonly isAllowed: (host: string) => boolean;
}

const longestUrl = 8192;

/** The target of a URL, if the rules allow it; throws a `KernelError`. */
export function parseTarget(text: string, rules: TargetRules): Target {
  const target = readTarget(text);
  const { host, url } = target;
  if (!rules.granted.some((pattern) => coversHost(pattern, host))) {
    throw new KernelError('permission_denied', `net: ${host}`);
  }
  if (url.protocol === 'http:' && !rules.isAllowed(host)) {
    throw new KernelError(
      'net_refused',
      `http://${host} is not encrypted: use https, or let the operator allow the host with --net-allow ${host}.`,
    );
  }
  return target;
}

function readTarget(text: string): Target {
  if (text.length > longestUrl) throw refusal(`url has more than ${longestUrl} characters.`);
  if (!URL.canParse(text))
    throw refusal('url is not an address such as https://api.example.org/films.');
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw refusal(`url has the scheme ${url.protocol.slice(0, 40)} instead of https:.`);
  }
  if (url.username !== '' || url.password !== '') {
    throw refusal('url holds a user name or password; send them as the header authorization.');
  }
  url.hash = '';
  return { url, host: hostOf(url) };
}

/** Name and port of a URL, always both. */
export function hostOf({ hostname, port, protocol }: URL): string {
  return `${hostname}:${port === '' ? (protocol === 'https:' ? '443' : '80') : port}`;
}

const refusal = (what: string): KernelError =>
  new KernelError('invalid_argument', `host.net.fetch: ${what}`);
