import { expect, test } from 'vitest';
import { createEncoderChoice, type AskedPicture } from './encoder-choice.ts';
import { softwareEncoder, type UsedEncoder } from './picture-encoders.ts';

const card: UsedEncoder = { kind: 'vaapi', devices: [], codecs: ['h264'] };
const asked = (more: Partial<AskedPicture> = {}): AskedPicture => ({
  ...{ sessionId: 'ada', contentKey: 'film', codec: 'h264', name: 'a', ...more },
});

function scene() {
  let at = 0;
  const rests: string[] = [];
  const choice = createEncoderChoice({ now: () => at }, (kind) => void rests.push(kind));
  const kindOf = (more?: Partial<AskedPicture>) => choice.choose(asked(more), card).kind;
  return { choice, rests, kindOf, pass: (ms: number) => void (at += ms) };
}

test('a device encodes what it was seen to encode, and the processor the rest', () => {
  const { kindOf } = scene();

  expect([kindOf(), kindOf({ codec: 'hevc' })]).toEqual(['vaapi', 'software']);
});

test('a session stays with the encoder whose init segment it has', () => {
  const { choice, kindOf } = scene();
  choice.given(asked(), card);

  expect(choice.failed(asked(), card)).toBe(false);
  expect([kindOf(), kindOf({ sessionId: 'bob' })]).toEqual(['vaapi', 'software']);
  choice.ended('ada');
  expect(kindOf()).toBe('software');
});

test('a film for which a device fails at first is encoded on the processor in the same request', () => {
  const { choice, kindOf } = scene();

  expect(choice.failed(asked(), card)).toBe(true);
  expect([kindOf(), kindOf({ contentKey: 'other' })]).toEqual(['software', 'vaapi']);
  expect(choice.failed(asked(), softwareEncoder)).toBe(false);
});

test('a device that fails three times in an hour rests for an hour', () => {
  const { choice, kindOf, pass } = scene();
  for (const contentKey of ['one', 'two', 'three']) choice.failed(asked({ contentKey }), card);

  expect([choice.isResting(), kindOf()]).toEqual([true, 'software']);
  pass(3_600_000);
  expect([choice.isResting(), kindOf(), kindOf({ contentKey: 'one' })]).toEqual([
    false,
    'vaapi',
    'vaapi',
  ]);
});

test('a device that begins to rest is told once each time, and others are not', () => {
  const { choice, rests, pass } = scene();
  const fail = (times: number) => {
    for (let time = 0; time < times; time += 1)
      choice.failed(asked({ contentKey: `${time}` }), card);
  };
  for (const contentKey of ['one', 'two', 'three'])
    choice.failed(asked({ contentKey }), softwareEncoder);
  fail(2);
  expect(rests).toEqual([]);
  fail(5);
  expect(rests).toEqual(['vaapi']);

  pass(3_600_000);
  fail(3);

  expect(rests).toEqual(['vaapi', 'vaapi']);
});
