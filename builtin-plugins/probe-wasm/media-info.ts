/**
 * MediaInfo, compiled to WebAssembly. The module is compiled at the first file. An instance is used by
 * one file at a time, or two files would be taken for one: whoever reads takes one and gives it back.
 * One that is not given back, since its file failed or its call was given up, is nobody's any more.
 */
import mediaInfoFactory, { type MediaInfo as Instance } from 'mediainfo.js';
import wasm from 'mediainfo.js/MediaInfoModule.wasm';

export type MediaInfo = Instance<'JSON'>;

/** Instances that wait for their next file. */
export interface MediaInfoPool {
  readonly take: () => Promise<MediaInfo>;
  readonly giveBack: (instance: MediaInfo) => void;
}

const keptInstances = 2;

export function createMediaInfoPool(): MediaInfoPool {
  const free: MediaInfo[] = [];
  return {
    take: async () => free.pop() ?? create(),
    giveBack: (instance) => {
      if (free.length < keptInstances) free.push(instance);
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
