/** argon2id in WebAssembly, by itself: a page loads it when somebody has a passphrase, and not before. */
export { argon2id } from 'hash-wasm';
