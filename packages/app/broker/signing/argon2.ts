/**
 * argon2id in WebAssembly, in a module of its own: a page loads it only when it needs a passphrase.
 */
export { argon2id } from 'hash-wasm';
