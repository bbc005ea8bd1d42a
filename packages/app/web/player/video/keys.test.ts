import { expect, test } from 'vitest';
import { actionOf, type Focus } from './keys.ts';

const press = (key: string, focus: Focus) => actionOf({ key, shiftKey: false }, focus);

test('letters and digits work everywhere but in fields', () => {
  for (const focus of ['picture', 'seek', 'control'] as const) {
    expect(press('k', focus)).toEqual({ kind: 'toggle' });
    expect(press('j', focus)).toEqual({ kind: 'skip', by: -10 });
    expect(press('7', focus)).toEqual({ kind: 'share', of: 0.7 });
  }
  expect(press('k', 'field')).toBeUndefined();
});

test('buttons keep their own keys, and arrows move between them', () => {
  for (const key of [' ', 'Enter', 'ArrowLeft', 'ArrowUp'])
    expect(press(key, 'control')).toBeUndefined();
});

test('arrows seek on the picture and on the bar, which they leave up and down', () => {
  expect(press('ArrowLeft', 'picture')).toEqual({ kind: 'skip', by: -5 });
  expect(press('ArrowRight', 'seek')).toEqual({ kind: 'skip', by: 5 });
  expect(press('ArrowUp', 'picture')).toEqual({ kind: 'volume', by: 0.05 });
  expect(press('ArrowUp', 'seek')).toBeUndefined();
});
