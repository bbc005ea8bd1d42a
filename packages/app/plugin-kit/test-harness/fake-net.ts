/** Prepared answers of network hosts for a plugin under test. No request leaves the machine. */
import { KernelError } from '../../../../kernel/index.ts';
import type {
  Exchange,
  ExchangeReply,
  ExchangeRequest,
} from '../../../../src/platform/net/index.ts';
import type { FakeNet, NetAnswer, NetReply, NetRequest } from './plugin-under-test.ts';

/** The answers, and the wire that gives them. */
export interface AnsweringNet extends FakeNet {
  readonly exchange: Exchange;
}

/** Creates it with the initial answers. */
export function createFakeNet(hosts: Readonly<Record<string, NetAnswer>> = {}): AnsweringNet {
  const answers = new Map<string, NetAnswer>();
  const requests: NetRequest[] = [];
  const answer = (address: string, given: NetAnswer): void => {
    answers.set(withoutScheme(address), given);
  };

  /** The longest matching address wins. */
  function find(url: string): NetAnswer | undefined {
    const asked = withoutScheme(url);
    const fitting = [...answers.keys()].filter((address) => isBelow(asked, address));
    const closest = fitting.sort((one, other) => other.length - one.length)[0];
    return closest === undefined ? undefined : answers.get(closest);
  }

  const exchange: Exchange = async (asked) => {
    const request = requestOf(asked);
    requests.push(request);
    const found = find(request.url);
    const { host } = asked.target;
    if (found === undefined) throw unanswered(request.url);
    if (found === 'unreachable') {
      throw new KernelError('net_unreachable', `${host} could not be reached.`);
    }
    if (found === 'timeout') {
      throw new KernelError('net_timeout', `${host} did not answer in time.`);
    }
    return replyOf(typeof found === 'function' ? await found(request) : found);
  };

  for (const [address, given] of Object.entries(hosts)) answer(address, given);
  return {
    answer,
    requests: () => [...requests],
    exchange,
  };
}

const withoutScheme = (address: string): string => address.replace(/^[a-z]+:\/\//, '');

/** Whether the address is the host, or a prefix of the requested URL. */
function isBelow(asked: string, address: string): boolean {
  if (!asked.startsWith(address)) return false;
  const isHostAlone = !address.includes('/');
  return !isHostAlone || /^([:/?]|$)/.test(asked.slice(address.length));
}

const requestOf = ({ target, method, headers, body }: ExchangeRequest): NetRequest => ({
  method,
  url: target.url.href,
  headers,
  body,
});

function replyOf({ status = 200, headers = {}, body = '' }: NetReply): ExchangeReply {
  const isText = typeof body === 'string';
  const isBytes = body instanceof Uint8Array;
  const bytes = isBytes ? body : Buffer.from(isText ? body : JSON.stringify(body));
  const given = Object.entries(headers).map(
    ([name, value]) => [name.toLowerCase(), value] as const,
  );
  const type = isText
    ? 'text/plain; charset=utf-8'
    : isBytes
      ? 'application/octet-stream'
      : 'application/json';
  return {
    status,
    headers: { 'content-type': type, ...Object.fromEntries(given) },
    body: bytes,
    receivedBytes: bytes.length,
  };
}

const unanswered = (url: string): KernelError =>
  new KernelError(
    'net_unreachable',
    `No answer for ${url} in this test; set one with plugin.net.answer('${withoutScheme(url).split('/')[0] ?? ''}', …).${url.startsWith('http:') ? onlyEntered : ''}`,
  );

const onlyEntered =
  ' On a server http: needs a host that an admin entered in a field with "grants": "private-hosts"; others need https:.';
