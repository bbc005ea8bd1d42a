/**
 * The id of this server towards license authorities and identity brokers: the public key of a key
 * pair that never leaves the data folder. It has a file of its own, separate from the key that
 * encrypts secrets, because losing it changes the id of the server.
 */
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import path from 'node:path';
import { ConfigError } from '../../platform/config.ts';
import { createSecretFile, readSecretFile } from '../../platform/secrets/index.ts';

/** The server's own key pair. */
export type ServerIdentity = ReturnType<typeof openServerIdentity>;

/** Opens `<data>/server-id.key`, and creates it if it is missing. */
export function openServerIdentity(dataFolder: string) {
  const file = path.join(dataFolder, 'server-id.key');
  if (readSecretFile(file) === null) createSecretFile(file, newPrivateKey());
  const privateKey = parsed(readSecretFile(file) ?? '', file);
  const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
  return {
    /** Its public key, 64 hex digits. */
    serverId: Buffer.from(x, 'base64url').toString('hex'),
    /** An Ed25519 signature with the server's private key. */
    sign: (bytes: Uint8Array): Uint8Array => sign(null, bytes, privateKey),
  };
}

const newPrivateKey = (): string =>
  generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();

function parsed(pem: string, file: string) {
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // Reported below with a message of our own.
  }
  throw new ConfigError(
    `${file} is damaged: restore it from a backup. Without a backup, remove it; the server then gets a new id, and its license authority and paired apps do not recognize it.`,
  );
}
