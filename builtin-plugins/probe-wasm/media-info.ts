/**
 * MediaInfo, compiled to WebAssembly. The module is compiled at the first file. An instance reads one file
 * at a time, or it would mix up two files: the reader takes an instance and gives it back. An instance is
 * discarded when its file failed or its call was given up.
 */
import mediaInfoFactory, { type MediaInfo as Instance } from 'mediainfo.js';
import wasm from 'mediainfo.js/MediaInfoModule.wasm';

export type MediaInfo = Instance<'JSON'>;

/** Free instances. */
export type MediaInfoPool = ReturnType<typeof createMediaInfoPool>;

const maxFree = 2;

export function createMediaInfoPool() {
  const free: MediaInfo[] = [];
  return {
    take: async (): Promise<MediaInfo> => free.pop() ?? create(),
    giveBack: (instance: MediaInfo): void => {
      if (free.length < maxFree) free.push(instance);
    },
  };
}

function create(): Promise<MediaInfo> {
  installWasmLoader();
  return mediaInfoFactory({
    format: 'JSON',
    coverData: true,
    full: true,
    locateFile: (name) => name,
  });
}

let compiled: object | undefined;

/**
 * The library wants to fetch and compile its module asynchronously. An isolate has no network and nothing
 * to do meanwhile: the bytes are in the bundle, and compiling is synchronous.
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
