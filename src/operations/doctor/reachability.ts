/** Checks whether the server answers, and whether remote clients reach it safely. */
import type { Config } from '../../platform/config.ts';
import { bad, good, hint, type Finding } from './finding.ts';

const timeoutMs = 5000;
const loopback = new Set(['127.0.0.1', '::1', 'localhost']);

/**
 * Sends a request to the server at its own address; `isRunning` = a process holds the data folder.
 */
export async function examineReachability(
  config: Config,
  isRunning: boolean,
): Promise<readonly Finding[]> {
  const running = await server(config, isRunning);
  return [...running, exposure(config), ...proxies(config)];
}

async function server({ host, port }: Config, isRunning: boolean): Promise<readonly Finding[]> {
  const check = 'server';
  if (!isRunning) return [good(check, 'No server is running on this data folder.')];
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  const url = `http://${name.includes(':') ? `[${name}]` : name}:${port}/api/health`;
  try {
    const reply = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
    const ready = await fetch(url.replace(/health$/, 'ready'), {
      signal: AbortSignal.timeout(timeoutMs),
    });
    return judge(await reply.json(), await ready.json());
  } catch {
    return [
      bad(check, {
        what: `A server is running on this data folder, but ${url} does not answer.`,
        remedy: 'Give this command the --host and --port of the server; otherwise check its log.',
      }),
    ];
  }
}

function judge(health: unknown, ready: unknown): readonly Finding[] {
  const { status, plugins } = (health ?? {}) as { status?: unknown; plugins?: unknown };
  const { failed = 0, total = 0 } = (plugins ?? {}) as { failed?: number; total?: number };
  const state =
    status === 'ok' || status === 'starting'
      ? good('server', `It answers: ${status}.`)
      : bad('server', {
          what: [`It answers: ${String(status)}.`, ...reasonsIn(ready)].join(' '),
          remedy: 'Manage, Doctor lists its problems; so do the lines above.',
        });
  if (failed === 0) return [state, good('plugins', `${total} plugins, none has failed.`)];
  return [
    state,
    bad('plugins', {
      what: `${failed} of ${total} plugins have failed.`,
      remedy:
        'Manage, Plugins lists them; vitrine plugin rollback <id> restores the previous version.',
    }),
  ];
}

/** What keeps the server from taking requests. */
function reasonsIn(ready: unknown): readonly string[] {
  const { reasons } = (ready ?? {}) as { reasons?: unknown };
  const list: readonly unknown[] = Array.isArray(reasons) ? reasons : [];
  return list.flatMap((one) => {
    const { message } = (one ?? {}) as { message?: unknown };
    return typeof message === 'string' ? message : [];
  });
}

function exposure({ host, publicUrl }: Config): Finding {
  const check = 'network';
  if (publicUrl?.startsWith('http:') === true && !loopback.has(new URL(publicUrl).hostname))
    return hint(check, {
      what: `Clients reach ${publicUrl} without encryption: passwords can be read on the network.`,
      remedy: 'Put a proxy with a certificate in front of it: docs/reverse-proxy.md.',
    });
  if (!loopback.has(host) && publicUrl === null)
    return hint(check, {
      what: `The server listens on ${host}, but --public-url, the address for clients, is not set.`,
      remedy: 'Set --public-url; invites and passkeys need it.',
    });
  return good(check, publicUrl ?? `It listens on ${host} only.`);
}

function proxies({ host, publicUrl, trustedProxies }: Config): readonly Finding[] {
  const isProxied = loopback.has(host) && publicUrl?.startsWith('https:') === true;
  if (!isProxied || trustedProxies.length > 0) return [];
  return [
    hint('proxy', {
      what: 'Behind an untrusted proxy all clients have the same address: one that guesses passwords locks out all.',
      remedy: 'Set --trusted-proxy 127.0.0.1 (and ::1), if the proxy is on this machine.',
    }),
  ];
}
