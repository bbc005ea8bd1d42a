import { describe, expect, test } from 'vitest';
import type { Permissions } from '../../../plugin-api/index.ts';
import { consentTo, type Decided } from './consent.ts';

const asked: Permissions = { net: ['a.example', 'b.example'], library: 'write', wasm: true };

describe('consent to a version', () => {
  test('grants all that is asked for while nothing has been decided yet', () => {
    expect(consentTo({ ...asked, reasons: { net: 'Films.' } }, null)).toEqual({
      more: ['net', 'library', 'wasm'],
      granted: asked,
    });
  });

  test.each<[string, Permissions, Decided, Permissions]>([
    [
      'a power that was held back',
      { ...asked, kv: { quotaMb: 1 } },
      { asked, granted: { library: 'write' } },
      { library: 'write', kv: { quotaMb: 1 } },
    ],
    [
      'a host that was held back',
      { net: ['a.example', 'b.example', 'c.example'] },
      { asked: { net: ['a.example', 'b.example'] }, granted: { net: ['a.example'] } },
      { net: ['a.example', 'c.example'] },
    ],
    [
      'writing that was held back',
      asked,
      { asked, granted: { net: ['a.example'], library: 'read' } },
      { net: ['a.example'], library: 'read' },
    ],
  ])('holds back %s before', (_, wanted, decided, granted) => {
    expect(consentTo(wanted, decided).granted).toEqual(granted);
  });

  test('drops what is no longer asked for, and names what is new', () => {
    const wider: Permissions = { kv: { quotaMb: 5 } };
    const decided = { asked: { kv: { quotaMb: 1 }, wasm: true }, granted: { wasm: true } } as const;

    expect(consentTo(wider, decided)).toEqual({ more: ['kv'], granted: wider });
    expect(consentTo({ wasm: true }, decided)).toEqual({ more: [], granted: { wasm: true } });
  });
});
