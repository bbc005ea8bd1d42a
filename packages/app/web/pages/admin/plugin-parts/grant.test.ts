import { expect, test } from 'vitest';
import { changeGrant, isGranted, widest } from './grant.ts';

const asked = {
  files: 'read',
  net: ['a.example', 'b.example'],
  kv: { quotaMb: 10 },
  reasons: { net: 'To look things up.' },
};

test('the widest grant is what is asked, without the reasons', () => {
  expect(widest(asked)).toEqual({
    files: 'read',
    net: ['a.example', 'b.example'],
    kv: { quotaMb: 10 },
  });
});

test('a permission is taken and given back as it was asked for', () => {
  const taken = changeGrant({ asked, granted: widest(asked) }, 'kv', { isOn: false });
  expect(taken).toEqual({ files: 'read', net: ['a.example', 'b.example'] });
  expect(changeGrant({ asked, granted: taken }, 'kv', { isOn: true })).toEqual(widest(asked));
});

test('one value of a list is taken alone, and the last one takes the permission', () => {
  const one = changeGrant({ asked, granted: widest(asked) }, 'net', {
    isOn: false,
    value: 'a.example',
  });
  expect([isGranted(one, 'net', 'a.example'), isGranted(one, 'net', 'b.example')]).toEqual([
    false,
    true,
  ]);
  const none = changeGrant({ asked, granted: one }, 'net', { isOn: false, value: 'b.example' });
  expect([none, isGranted(none, 'net')]).toEqual([{ files: 'read', kv: { quotaMb: 10 } }, false]);
});

test('nothing is granted that is not asked for', () => {
  const granted = changeGrant({ asked, granted: {} }, 'net', { isOn: true, value: 'evil.example' });
  expect(granted).toEqual({});
});
