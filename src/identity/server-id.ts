/**
 * Who this server is, towards license authorities and identity brokers: the public half of a key that
 * never leaves the data folder. It lies in a file of its own, apart from the key that seals secrets,
 * since losing it means to be another server.
 */
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import path from 'node:path';
import { ConfigError } from '../config.ts';
import { createSecretFile, readSecretFile } from '../secrets/index.ts';

/** The server's own key. */
export interface ServerIdentity {
  /** Its public key, 64 hex digits. */
  readonly serverId: string;
  /** An Ed25519 signature that only this server can make. */
  readonly sign: (bytes: Uint8Array) => Uint8Array;
}

/** Opens `<data>/server-id.key`, which is made when it is not there. */
export function openServerIdentity(dataFolder: string): ServerIdentity {
  const file = path.join(dataFolder, 'server-id.key');
  if (readSecretFile(file) === null) createSecretFile(file, newPrivateKey());
  const privateKey = parsed(readSecretFile(file) ?? '', file);
  const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
  return {
    serverId: Buffer.from(x, 'base64url').toString('hex'),
    sign: (bytes) => sign(null, bytes, privateKey),
  };
}

const newPrivateKey = (): string =>
  generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();

function parsed(pem: string, file: string) {
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // Said below, in words of ours.
  }
  throw new ConfigError(
    `${file} is damaged: put it back from a backup. Without one, remove it; this server is then another one to its license authority and to the apps that know it.`,
  );
}
