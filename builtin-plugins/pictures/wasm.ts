/**
 * Modules of WebAssembly. Each is compiled at its first use. The memory of an instance never
 * shrinks and may be damaged by a hostile picture, so each picture is decoded by an instance of its
 * own.
 */
import { overBudget } from './picture-error.ts';
import { withMemoryLimit } from './wasm-memory.ts';

/**
 * Returns the compiled module; the bytes are compiled once. Its instances have at most `maxMemoryBytes`
 * of memory.
 */
export function createModule(
  bytes: Uint8Array<ArrayBuffer>,
  maxMemoryBytes: number = usualMemoryBytes,
): () => object {
  let compiled: object | undefined;
  return () => (compiled ??= new WebAssembly.Module(withMemoryLimit(bytes, maxMemoryBytes)));
}

/** What decoding or encoding one picture may take. */
const usualMemoryBytes = 96 * 1024 * 1024;

/** What the C codecs export, which have no runtime of their own. */
export interface CExports {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly malloc: (size: number) => number;
}

/** Copies the bytes into the memory of an instance; returns where they are. */
export function copyIn({ malloc, memory }: CExports, bytes: Uint8Array): number {
  const at = malloc(bytes.length);
  if (at === 0) throw overBudget('The picture needs too much memory.');
  new Uint8Array(memory.buffer, at, bytes.length).set(bytes);
  return at;
}

/** Bytes in the memory of an instance; they are valid until the instance is used again. */
export const bytesAt = (
  { memory }: CExports,
  at: number,
  length: number,
): Uint8Array<ArrayBuffer> => new Uint8Array(memory.buffer, at, length);

/** The system calls that the C codecs import and never make with a picture. */
export const noSystem: Readonly<Record<string, () => number>> = Object.fromEntries(
  ['environ_get', 'fd_close', 'fd_seek', 'fd_write', 'proc_exit']
    .map((name): [string, () => number] => [
      name,
      () => {
        throw new Error(`The codec called ${name}.`);
      },
    ])
    .concat([['environ_sizes_get', () => 0]]),
);

/** Makes a codec that Emscripten has wrapped. */
type Factory<Codec> = (options: object) => Promise<Codec>;

/** Returns a codec; its module is compiled and instantiated without waiting. */
export function createCodec<Codec>(wrapper: unknown, moduleOf: () => object): Promise<Codec> {
  // The types of the wrappers name types that their packages do not contain.
  const factory = wrapper as Factory<Codec>;
  return factory({
    noInitialRun: true,
    // Without it, Emscripten makes a URL of the place of its own file.
    locateFile: (name: string) => name,
    instantiateWasm: (imports: unknown, receive: (instance: object) => void) => {
      const instance = new WebAssembly.Instance(moduleOf(), imports);
      receive(instance);
      return exportsOf<object>(instance);
    },
  });
}

/** The exports of an instance, of which the caller knows the shape. */
export function exportsOf<Exports>(instance: object): Exports {
  const { exports } = instance as { readonly exports: Exports };
  return exports;
}
