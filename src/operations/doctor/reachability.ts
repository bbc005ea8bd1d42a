/** Checks whether the server answers, and whether remote clients reach it safely. */
import type { Config } from '../../platform/config.ts';
import { addressOf } from '../../platform/data-folder/index.ts';
import { causeText } from '../../platform/cause-text.ts';
import { joinTexts, quoted, say } from '../../platform/text.ts';
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

async function server(
  { data, host, port }: Config,
  isRunning: boolean,
): Promise<readonly Finding[]> {
  const check = 'server';
  if (!isRunning) return [good(check, say('doctor.noServerRunningDataFolder'))];
  // The server of the folder may have got its address by a flag.
  const base = addressOf(data) ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const url = `${base.replace(/\/\/(0\.0\.0\.0|\[::\])/, '//127.0.0.1')}/api/health`;
  try {
    const reply = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
    const ready = await fetch(url.replace(/health$/, 'ready'), {
      signal: AbortSignal.timeout(timeoutMs),
    });
    return judge(await reply.json(), await ready.json());
  } catch {
    return [
      bad(check, {
        what: say('doctor.serverRunningDataFolderBut', { url }),
        remedy: say('doctor.giveCommandHostPortServer'),
      }),
    ];
  }
}

function judge(health: unknown, ready: unknown): readonly Finding[] {
  const { status, plugins } = (health ?? {}) as { status?: unknown; plugins?: unknown };
  const { failed = 0, total = 0 } = (plugins ?? {}) as { failed?: number; total?: number };
  const answer = say('doctor.answers', { status: causeText(String(status)) });
  const state =
    status === 'ok' || status === 'starting'
      ? good('server', answer)
      : bad('server', {
          what: joinTexts([answer, ...reasonsIn(ready).map(quoted)]),
          remedy: say('doctor.manageDoctorListsProblemsDo'),
        });
  if (failed === 0) return [state, good('plugins', say('doctor.pluginsNoneFailed', { total }))];
  return [
    state,
    bad('plugins', {
      what: say('doctor.pluginsFailed', { failed, total }),
      remedy: say('doctor.managePluginsListsThemVitrine'),
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
      what: say('doctor.clientsReachWithoutEncryptionPasswords', { publicUrl }),
      remedy: say('doctor.putProxyCertificateFrontDocs'),
    });
  if (!loopback.has(host) && publicUrl === null)
    return hint(check, {
      what: say('doctor.serverListensButPublicUrl', { host }),
      remedy: say('doctor.setPublicUrlInvitesPasskeys'),
    });
  return good(check, publicUrl === null ? say('doctor.listensOnly', { host }) : quoted(publicUrl));
}

function proxies({ host, publicUrl, trustedProxies }: Config): readonly Finding[] {
  const isProxied = loopback.has(host) && publicUrl?.startsWith('https:') === true;
  if (!isProxied || trustedProxies.length > 0) return [];
  return [
    hint('proxy', {
      what: say('doctor.behindUntrustedProxyAllClients'),
      remedy: say('doctor.setTrustedProxy'),
    }),
  ];
}
