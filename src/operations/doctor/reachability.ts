/** Checks whether the server answers, and whether remote clients reach it safely. */
import type { Config } from '../../platform/config.ts';
import { joinTexts, quoted, type Text } from '../../platform/text.ts';
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
  if (!isRunning)
    return [
      good(check, {
        english: 'No server is running on this data folder.',
        german: 'Auf diesem Datenordner läuft kein Server.',
      }),
    ];
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
        what: {
          english: `A server is running on this data folder, but ${url} does not answer.`,
          german: `Auf diesem Datenordner läuft ein Server, aber ${url} antwortet nicht.`,
        },
        remedy: {
          english:
            'Give this command the --host and --port of the server; otherwise check its log.',
          german:
            'Geben Sie diesem Befehl --host und --port des Servers; sonst sehen Sie in sein Protokoll.',
        },
      }),
    ];
  }
}

/** The states of the server that health tells. */
const germanStates: ReadonlyMap<unknown, string> = new Map([
  ['ok', 'Alles ist in Ordnung'],
  ['starting', 'Er startet noch'],
  ['degraded', 'Etwas braucht Aufmerksamkeit'],
  ['failing', 'Er kann seine Arbeit nicht tun'],
]);

function judge(health: unknown, ready: unknown): readonly Finding[] {
  const { status, plugins } = (health ?? {}) as { status?: unknown; plugins?: unknown };
  const { failed = 0, total = 0 } = (plugins ?? {}) as { failed?: number; total?: number };
  const answer: Text = {
    english: `It answers: ${String(status)}.`,
    german: `Er antwortet: ${germanStates.get(status) ?? String(status)}.`,
  };
  const state =
    status === 'ok' || status === 'starting'
      ? good('server', answer)
      : bad('server', {
          what: joinTexts([answer, ...reasonsIn(ready).map(quoted)]),
          remedy: {
            english: 'Manage, Doctor lists its problems; so do the lines above.',
            german: 'Verwalten, Diagnose zählt seine Probleme auf; ebenso die Zeilen oben.',
          },
        });
  if (failed === 0)
    return [
      state,
      good('plugins', {
        english: `${total} plugins, none has failed.`,
        german: `${total} Plugins, keines ist gescheitert.`,
      }),
    ];
  return [
    state,
    bad('plugins', {
      what: {
        english: `${failed} of ${total} plugins have failed.`,
        german: `${failed} von ${total} Plugins sind gescheitert.`,
      },
      remedy: {
        english:
          'Manage, Plugins lists them; vitrine plugin rollback <id> restores the previous version.',
        german:
          'Verwalten, Plugins zählt sie auf; vitrine plugin rollback <id> stellt die Version davor wieder her.',
      },
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
      what: {
        english: `Clients reach ${publicUrl} without encryption: passwords can be read on the network.`,
        german: `Geräte erreichen ${publicUrl} ohne Verschlüsselung: Passwörter lassen sich im Netz mitlesen.`,
      },
      remedy: {
        english: 'Put a proxy with a certificate in front of it: docs/reverse-proxy.md.',
        german: 'Stellen Sie einen Proxy mit Zertifikat davor: docs/reverse-proxy.md.',
      },
    });
  if (!loopback.has(host) && publicUrl === null)
    return hint(check, {
      what: {
        english: `The server listens on ${host}, but --public-url, the address for clients, is not set.`,
        german: `Der Server hört auf ${host}, aber --public-url, die Adresse für Geräte, ist nicht gesetzt.`,
      },
      remedy: {
        english: 'Set --public-url; invites and passkeys need it.',
        german: 'Setzen Sie --public-url; Einladungen und Passkeys brauchen sie.',
      },
    });
  return good(
    check,
    publicUrl === null
      ? {
          english: `It listens on ${host} only.`,
          german: `Er hört nur auf ${host}.`,
        }
      : quoted(publicUrl),
  );
}

function proxies({ host, publicUrl, trustedProxies }: Config): readonly Finding[] {
  const isProxied = loopback.has(host) && publicUrl?.startsWith('https:') === true;
  if (!isProxied || trustedProxies.length > 0) return [];
  return [
    hint('proxy', {
      what: {
        english:
          'Behind an untrusted proxy all clients have the same address: one that guesses passwords locks out all.',
        german:
          'Hinter einem Proxy, dem nicht vertraut wird, haben alle Geräte dieselbe Adresse: Eines, das Passwörter errät, sperrt alle aus.',
      },
      remedy: {
        english: 'Set --trusted-proxy 127.0.0.1 (and ::1), if the proxy is on this machine.',
        german:
          'Setzen Sie --trusted-proxy 127.0.0.1 (und ::1), wenn der Proxy auf dieser Maschine ist.',
      },
    }),
  ];
}
