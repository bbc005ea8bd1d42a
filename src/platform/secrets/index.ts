export { derivedKey } from './derived-key.ts';
export { layKeys } from './key-file.ts';
export { createSecretBox, type SecretBox } from './secret-box.ts';
export { createSecretFile, readSecretFile } from './secret-file.ts';
export { openServerKey, type ServerKeyParts } from './server-key.ts';
export { readPassphrase } from './passphrase.ts';
