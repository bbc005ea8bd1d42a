import type { ProgramClass } from '../attempt.ts';

const scan = (bytes: string): string =>
  `for (const b of [${bytes}].flat()) { const view = b instanceof ArrayBuffer ? new Uint8Array(b) : new Uint8Array(b.buffer); let text = ''; for (const byte of view) text += String.fromCharCode(byte); const at = text.indexOf('canary-'); if (at >= 0) return text.slice(at, at + 60); } return null;`;

/** Memory that held something else before. */
export const residue: ProgramClass = {
  name: 'residue of memory',
  attempts: {
    'in new typed arrays': scan(`Array.from({ length: 40 }, (_, i) => new Uint8Array(2 ** (i % 14)))`),
    'in new buffers': scan(`Array.from({ length: 40 }, () => new ArrayBuffer(4096))`),
    'in arrays of doubles': scan(`Array.from({ length: 40 }, () => new Float64Array(512))`),
    'around the bytes that the host answers': `const b = await host.kv.set(new Uint8Array([1, 2, 3])); return b.buffer.byteLength !== b.byteLength ? won : null;`,
    'in the rest of the buffer of an answer': `const all = []; for (let i = 0; i < 20; i++) all.push(await host.kv.set(new Uint8Array([i]))); ${scan('all')}`,
    'in what TextEncoder gives': `const e = new TextEncoder().encode('short'); return e.buffer.byteLength !== e.byteLength ? won : null;`,
    'in a digest': `const d = await crypto.subtle.digest('SHA-256', new Uint8Array(1)); return d.byteLength !== 32 ? won : null;`,
    'in what structuredClone gives': `const v = structuredClone(new Uint8Array(64).subarray(8, 16)); ${scan('v')}`,
    'in holes of arrays': `const a = new Array(1000); return a.some((v) => v !== undefined) || [...a].some((v) => v !== undefined) ? won : null;`,
    'in a slice past the end': `const b = new ArrayBuffer(8).slice(0, 4096); return b.byteLength > 8 ? won : null;`,
    'in a view past the end': `try { return new Uint8Array(new ArrayBuffer(8), 0, 4096).length > 8 ? won : null; } catch { return null; }`,
    'in text made from bytes': `const t = new TextDecoder().decode(new Uint8Array(4096)); return /[^\\0]/.test(t) ? won : null;`,
  },
}; // oxfmt-ignore
