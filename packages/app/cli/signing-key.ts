/** Creates and reads the private keys of publishers. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import path from 'node:path';
import type { Signer } from '../../../kernel/run/packages/index.ts';
import { ConfigError } from '../../../src/platform/config.ts';
import { createSecretFile, readSecretFile } from '../../../src/platform/secrets/index.ts';

/** Writes a new private key to a file that only its owner can read; returns the public key. */
export function makeSigningKey(out: string, cwd: string): { file: string; publicKey: string } {
  const file = path.resolve(cwd, out);
  const { privateKey } = generateKeyPairSync('ed25519');
  const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
  if (!createSecretFile(file, pem)) {
    throw new ConfigError(
      `--out ${out}: the file exists already; a private key is never overwritten.`,
    );
  }
  return { file, publicKey: signerOf(pem)?.publicKey ?? '' };
}

/**
 * The signer of a file that {@link makeSigningKey} wrote; throws a {@link ConfigError} for another
 * file.
 */
export function readSigningKey(given: string, cwd: string): Signer {
  const pem = readSecretFile(path.resolve(cwd, given));
  if (pem === null)
    throw new ConfigError(`--key ${given}: there is no such file; keygen creates one.`);
  const signer = signerOf(pem);
  if (signer) return signer;
  throw new ConfigError(`--key ${given}: it is not a private key made by vitrine plugin keygen.`);
}

function signerOf(pem: string): Signer | null {
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType !== 'ed25519') return null;
    const { x = '' } = createPublicKey(key).export({ format: 'jwk' });
    const publicKey = Buffer.from(x, 'base64url').toString('hex');
    return { publicKey, sign: (bytes) => sign(null, bytes, key) };
  } catch {
    return null;
  }
}
