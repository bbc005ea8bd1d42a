/**
 * MediaInfo, compiled to WebAssembly. The module is compiled at the first file and kept; an instance
 * that has failed once is thrown away, since nobody knows what is left of its memory.
 */
import mediaInfoFactory, { type MediaInfo as Instance } from 'mediainfo.js';
import wasm from 'mediainfo.js/MediaInfoModule.wasm';

export type MediaInfo = Instance<'JSON'>;

/** Gives an instance, made when it is first wanted. */
export interface MediaInfoPool {
  readonly take: () => Promise<MediaInfo>;
  /** Forgets the instance: the next file gets another. */
  readonly discard: () => void;
}

export function createMediaInfoPool(): MediaInfoPool {
  let instance: Promise<MediaInfo> | undefined;
  return {
    take: () => {
      installWasmLoader();
      instance ??= mediaInfoFactory({
        format: 'JSON',
        coverData: true,
        full: true,
        locateFile: (name) => name,
      });
      return instance;
    },
    discard: () => {
      instance = undefined;
    },
  };
}

let compiled: object | undefined;

/**
 * The library wants to fetch its module and to compile it beside other work. An isolate has neither
 * network nor other work: the bytes are at hand, and compiling waits for nothing.
 */
function installWasmLoader(): void {
  if (compiled !== undefined) return;
  const module = new WebAssembly.Module(wasm);
  compiled = module;
  const load = async (_: unknown, imports: unknown) => ({
    module,
    instance: new WebAssembly.Instance(module, imports),
  });
  Object.assign(WebAssembly, { instantiate: load, instantiateStreaming: load });
  Object.assign(globalThis, {
    fetch: async () => ({ ok: true, arrayBuffer: async () => wasm.buffer }),
  });
}
