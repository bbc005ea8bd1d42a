import type { ProgramClass } from '../attempt.ts';

/** What WebAssembly brings along when it is granted. */
export const webAssembly: ProgramClass = {
  name: 'WebAssembly',
  wasm: true,
  attempts: {
    'a shared memory': `try { const m = new WebAssembly.Memory({ initial: 1, maximum: 2, shared: true }); return typeof m.buffer.constructor === 'function' && /Shared/.test(m.buffer.constructor.name) ? won : null; } catch { return null; }`,
    'the growth of a shared buffer': `try { const m = new WebAssembly.Memory({ initial: 1, maximum: 2, shared: true }); const P = Object.getPrototypeOf(m.buffer); return 'grow' in P || 'growable' in P ? won : null; } catch { return null; }`,
    'a shared buffer of its own': `try { const m = new WebAssembly.Memory({ initial: 1, maximum: 2, shared: true }); const S = m.buffer.constructor; return new S(8, { maxByteLength: 64 }).grow(64) === undefined ? won : null; } catch { return null; }`,
    'a memory as a buffer that may grow': `const m = new WebAssembly.Memory({ initial: 1, maximum: 4096 }); return typeof m.toResizableBuffer === 'function' ? won : null;`,
    'functions of the host as imports': `const bytes = new Uint8Array([0,97,115,109,1,0,0,0,1,4,1,96,0,0,2,7,1,1,97,1,98,0,0,7,5,1,1,99,0,0]); const i = new WebAssembly.Instance(new WebAssembly.Module(bytes), { a: { b: host.kv.get } }); return loot(i.exports, i.exports.c);`,
    'the error of a module': `try { new WebAssembly.Module(new Uint8Array([1, 2, 3])); } catch (e) { return (await loot(e, e.constructor)) ?? e.stack; } return null;`,
    'the promise of compile': `return loot(WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])), WebAssembly.Module);`,
    'a module from the network': `return ['compileStreaming', 'instantiateStreaming'].some((k) => k in WebAssembly) ? won : null;`,
    'custom sections': `const m = new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])); return loot(WebAssembly.Module.customSections(m, 'x'), WebAssembly.Module.imports(m));`,
    'a trap with a stack': `const bytes = new Uint8Array([0,97,115,109,1,0,0,0,1,4,1,96,0,0,3,2,1,0,7,7,1,3,114,117,110,0,0,10,5,1,3,0,0,11]); try { new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports.run(); } catch (e) { return (await loot(e, e.constructor)) ?? e.stack; } return null;`,
  },
}; // oxfmt-ignore
