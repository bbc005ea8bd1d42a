/** `host.secrets`: lets a plugin use secrets that it cannot read. */
import { createHash } from 'node:crypto';
import type { SecretDescription, SecretName } from '../../../plugin-api/index.ts';
import { hostMethods } from '../../../plugin-api/server/index.ts';
import { KernelError } from '../../errors.ts';
import { hostService, type HostCaller, type HostService } from '../../call/host-service.ts';
import { reachesSecret, refusal, secretText } from './secret.ts';
import { missing, sealedElsewhere, type OwnSecrets } from './secrets.ts';
import { signChain } from './sign.ts';

const { maxLength: mostMessageBytes } = hostMethods.secrets.sign.needs.messages.items;
/** A plugin that may sign with a shorter key could find it by trying all. */
const shortestKeyBytes = 16;

export function createSecretsService(secrets: OwnSecrets): HostService<'secrets'> {
  /** The refusal of a secret that does not open: it is not there, or the server lacks its key. */
  async function whyClosed(pluginId: string, secret: SecretName): Promise<KernelError> {
    const kept = await secrets.list(pluginId, secret.scope ?? 'plugin');
    const isThere = kept.some(({ name }) => name === secret.name);
    return isThere ? sealedElsewhere(secret) : missing(secret);
  }

  /** A secret that is long enough to sign with. */
  async function keyFor(pluginId: string, name: SecretName, method: string): Promise<Uint8Array> {
    const secret = await secrets.open(pluginId, name);
    if (!secret) throw await whyClosed(pluginId, name);
    if (secret.value.length >= shortestKeyBytes) return secret.value;
    throw refusal(
      `host.secrets.${method}: ${secretText(name)} has fewer than ${shortestKeyBytes} bytes, so a plugin that signs with it could guess it.`,
    );
  }

  return hostService('secrets', {
    list: async (_input, caller) => {
      const kept = await secrets.list(caller.pluginId);
      const profile = ownProfile(caller);
      const shown = kept.filter((one) => reachesSecret(caller.reach, one) && isFor(one, profile));
      return { secrets: shown.map(described) };
    },
    create: {
      subject: ({ name }) => name,
      run: async (name, caller) => {
        assertOwnProfile(name, ownProfile(caller));
        return { created: await secrets.create(caller.pluginId, name) };
      },
    },
    remove: {
      subject: ({ name }) => name,
      run: async (name, { pluginId }) => ({ removed: await secrets.drop(pluginId, name) }),
    },
    digest: async ({ algorithm, parts }, { pluginId }) => {
      assertSigned(parts.filter((part) => typeof part === 'string'));
      const hash = createHash(algorithm);
      for (const part of parts)
        hash.update(typeof part === 'string' ? part : await keyFor(pluginId, part, 'digest'));
      return { digest: hash.digest('hex') };
    },
    sign: {
      subject: ({ name }) => name,
      run: async (input, { pluginId }) => {
        assertSigned(input.messages);
        const key = await keyFor(pluginId, input, 'sign');
        const { algorithm = 'sha256', prefix = '', messages, encoding = 'base64' } = input;
        const signature = signChain(key, { algorithm, prefix, messages });
        return { signature: signature.toString(encoding) };
      },
    },
  });
}

/** The name of the plugin's viewer inside the plugin; `null` = it works for no person. */
const ownProfile = ({ pluginId, viewer }: HostCaller): string | null =>
  viewer?.shownTo(pluginId).profile ?? null;

/** While it works for a person, a plugin is shown its own secrets and those of that person only. */
function isFor({ scope }: SecretDescription, profile: string | null): boolean {
  if (profile === null || scope === 'plugin') return true;
  return 'profile' in scope && scope.profile === profile;
}

/** A secret under another profile name would never be deleted. */
function assertOwnProfile({ scope = 'plugin' }: SecretName, profile: string | null): void {
  if (scope === 'plugin' || !('profile' in scope) || scope.profile === profile) return;
  throw new KernelError('permission_denied', 'a secret of a profile for which it does not work');
}

/** Without `isLost`, which is for admins only. */
const described = ({ name, scope, hosts, updatedAt }: SecretDescription): SecretDescription => ({
  name,
  scope,
  hosts,
  updatedAt,
});

function assertSigned(messages: readonly string[]): void {
  const bytes = messages.reduce((sum, message) => sum + Buffer.byteLength(message), 0);
  if (bytes <= mostMessageBytes) return;
  throw new KernelError(
    'too_large',
    `host.secrets.sign: messages have ${bytes} bytes, above ${mostMessageBytes}.`,
  );
}
