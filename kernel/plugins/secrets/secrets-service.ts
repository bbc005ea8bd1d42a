/** `host.secrets`: lets a plugin use secrets that it cannot read. */
import { createHash } from 'node:crypto';
import type { SecretDescription, SecretName, SecretsService } from '../../../plugin-api/index.ts';
import { KernelError } from '../../errors.ts';
import type { HostCaller, HostMethod, HostService } from '../../host-service.ts';
import { reachesSecret, refusal, secretText } from './secret.ts';
import { missing, sealedElsewhere, type OwnSecrets } from './secrets.ts';
import { signChain } from './sign.ts';

type DigestInput = Parameters<SecretsService['digest']>[0];
type SignInput = Parameters<SecretsService['sign']>[0];

const id = { type: 'string', pattern: '^[A-Za-z0-9_-]{1,200}$', description: 'an id' } as const;
const only = (key: string) => ({
  type: 'object',
  additionalProperties: false,
  required: [key],
  properties: { [key]: id },
});

const nameProperties = {
  name: {
    type: 'string',
    pattern: '^[a-z][a-zA-Z0-9_.-]{0,63}$',
    description:
      'a small letter first, then at most 63 letters, digits, _, . and -, such as apiKey',
  },
  scope: { anyOf: [{ const: 'plugin' }, only('libraryId'), only('userId'), only('profile')] },
} as const;

const nameInput = {
  type: 'object',
  additionalProperties: false,
  required: ['name'],
  properties: nameProperties,
} as const;

const mostMessages = 8;
const mostMessageBytes = 1_048_576;
/** Messages are JSON strings, in which some characters are escaped. */
const longestSignInput = 4 * mostMessageBytes;
/** A plugin that may sign with a shorter key could find it by trying all. */
const shortestKeyBytes = 16;

const signInput = {
  type: 'object',
  additionalProperties: false,
  required: ['name', 'messages'],
  properties: {
    ...nameProperties,
    algorithm: { enum: ['sha256', 'sha512'] },
    prefix: { type: 'string', maxLength: 64 },
    messages: {
      type: 'array',
      minItems: 1,
      maxItems: mostMessages,
      items: { type: 'string', maxLength: mostMessageBytes },
    },
    encoding: { enum: ['base64', 'hex'] },
  },
} as const;

const digestInput = {
  type: 'object',
  additionalProperties: false,
  required: ['algorithm', 'parts'],
  properties: {
    algorithm: { enum: ['md5', 'sha256'] },
    parts: {
      type: 'array',
      minItems: 1,
      maxItems: 32,
      items: { anyOf: [{ type: 'string', maxLength: 262_144 }, nameInput] },
    },
  },
} as const;

const permission: HostMethod['permission'] = { name: 'secrets' };

/** Creates the service. */
export function createSecretsService(secrets: OwnSecrets): HostService {
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

  return {
    name: 'secrets',
    methods: {
      list: {
        permission,
        input: { type: 'object', additionalProperties: false },
        run: async (_input: object, caller) => {
          const kept = await secrets.list(caller.pluginId);
          const profile = ownProfile(caller);
          const shown = kept.filter(
            (one) => reachesSecret(caller.reach, one) && isFor(one, profile),
          );
          return { secrets: shown.map(described) };
        },
      },
      create: {
        permission,
        input: nameInput,
        subject: ({ name }: SecretName) => name,
        run: async (name: SecretName, caller) => {
          assertOwnProfile(name, ownProfile(caller));
          return { created: await secrets.create(caller.pluginId, name) };
        },
      },
      remove: {
        permission,
        input: nameInput,
        subject: ({ name }: SecretName) => name,
        run: async (name: SecretName, { pluginId }) => ({
          removed: await secrets.drop(pluginId, name),
        }),
      },
      digest: {
        permission,
        input: digestInput,
        maxLength: longestSignInput,
        run: async ({ algorithm, parts }: DigestInput, { pluginId }) => {
          assertSigned(parts.filter((part) => typeof part === 'string'));
          const hash = createHash(algorithm);
          for (const part of parts)
            hash.update(typeof part === 'string' ? part : await keyFor(pluginId, part, 'digest'));
          return { digest: hash.digest('hex') };
        },
      },
      sign: {
        permission,
        input: signInput,
        maxLength: longestSignInput,
        subject: ({ name }: SignInput) => name,
        run: async (input: SignInput, { pluginId }) => {
          assertSigned(input.messages);
          const key = await keyFor(pluginId, input, 'sign');
          const { algorithm = 'sha256', prefix = '', messages, encoding = 'base64' } = input;
          const signature = signChain(key, { algorithm, prefix, messages });
          return { signature: signature.toString(encoding) };
        },
      },
    },
  };
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
