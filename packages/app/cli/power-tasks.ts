/** Dry runs of grants for plugins of a server, and the secrets that are stored for them. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ConfigError } from '../../../src/platform/config.ts';
import type { MarketTask } from './market-tasks.ts';
import { fieldsOf, listIn, plainText, textIn, type Fields } from './server-client.ts';

/** The grant to compare the last run with. */
export interface DryRunFlags {
  /** JSON in the manifest's form. */
  readonly granted?: string | undefined;
  /** `all`, or JSON as in a grant. */
  readonly libraries?: string | undefined;
  /** A version that a source offers. */
  readonly version?: string | undefined;
}

/** Lists the calls of the last run that another grant would have refused; 1 when there are some. */
export async function dryRunPlugin(
  { client, write }: MarketTask,
  id: string,
  { granted, libraries, version }: DryRunFlags,
): Promise<number> {
  const query = new URLSearchParams({
    ...(granted !== undefined && { granted }),
    ...(libraries !== undefined && { libraries }),
    ...(version !== undefined && { version }),
  });
  const route = `${pluginAt(id)}/permissions/dry-run?${query.toString()}`;
  const dryRun = fieldsOf((await client.get(route))['dryRun']);
  const refused = listIn(dryRun, 'entries').filter((one) => one['wouldBeRefused'] === true);
  const given: unknown = dryRun['effects'];
  const effects: readonly unknown[] = Array.isArray(given) ? given : [];
  for (const one of refused) write(`${plainText(textIn(one, 'sentence'))}\n`);
  for (const one of effects) write(`${plainText(String(one))}\n`);
  write(
    `${String(dryRun['wouldBeRefused'])} of ${String(dryRun['calls'])} calls would have been refused.\n`,
  );
  return refused.length + effects.length > 0 ? 1 : 0;
}

/** Prints a line for each secret, without its value. */
export async function listPluginSecrets(
  { client, write }: MarketTask,
  id: string,
): Promise<number> {
  const secrets = listIn(await client.get(`${pluginAt(id)}/secrets`), 'secrets');
  if (secrets.length === 0) write('It has no secrets.\n');
  for (const one of secrets) {
    const hosts: unknown = one['hosts'];
    const where = Array.isArray(hosts) && hosts.length > 0 ? hosts.join(' ') : 'only signs';
    const cells = [textIn(one, 'name'), scopeIn(one), where, textIn(one, 'updatedAt')];
    const remark = one['isLost'] === true ? ['lost: set it again'] : [];
    write(`${[...cells, ...remark].map(plainText).join('\t')}\n`);
  }
  return 0;
}

/** The secret, and the hosts that it may be sent to. */
export interface SecretFlags {
  readonly valueFile?: string;
  readonly base64?: true;
  readonly host?: readonly string[];
  readonly library?: string;
  readonly user?: string;
  readonly profile?: string;
}

/** Sets a secret. The value comes from a file, because other users can see a command line. */
export async function setPluginSecret(
  { client, write }: MarketTask,
  { id, name, cwd }: { readonly id: string; readonly name: string; readonly cwd: string },
  flags: SecretFlags,
): Promise<number> {
  if (flags.valueFile === undefined)
    throw new ConfigError(
      'secrets set: name the file with the value, such as --value-file key.txt.',
    );
  const value = textOf(path.resolve(cwd, flags.valueFile));
  await client.send('PUT', secretAt(id, name, flags), {
    value,
    ...(flags.base64 === true && { encoding: 'base64' }),
    ...(flags.host !== undefined && { hosts: flags.host }),
  });
  write(`${name} is set.\n`);
  return 0;
}

export async function removePluginSecret(
  { client, write }: MarketTask,
  { id, name }: { readonly id: string; readonly name: string },
  flags: SecretFlags,
): Promise<number> {
  await client.send('DELETE', secretAt(id, name, flags));
  write(`${name} is removed.\n`);
  return 0;
}

const pluginAt = (id: string): string => `/api/plugins/${encodeURIComponent(id)}`;

function secretAt(id: string, name: string, { library, user, profile }: SecretFlags): string {
  const query = new URLSearchParams({
    ...(library !== undefined && { libraryId: library }),
    ...(user !== undefined && { userId: user }),
    ...(profile !== undefined && { profileId: profile }),
  });
  return `${pluginAt(id)}/secrets/${encodeURIComponent(name)}?${query.toString()}`;
}

function scopeIn(secret: Fields): string {
  const { libraryId, userId, profile } = fieldsOf(secret['scope']);
  if (typeof libraryId === 'string') return `library ${libraryId}`;
  if (typeof userId === 'string') return `user ${userId}`;
  return typeof profile === 'string' ? `profile ${profile}` : 'plugin';
}

/** The content without the line break at the end. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  } catch {
    throw new ConfigError(`${file} cannot be read.`);
  }
}
