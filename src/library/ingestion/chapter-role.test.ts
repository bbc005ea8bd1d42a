import { expect, test } from 'vitest';
import { roleOfTitle } from './chapter-role.ts';

test.each([
  ['Intro', 'intro'],
  ['OPENING', 'intro'],
  ['01. Opening Credits', 'intro'],
  ['Vorspann', 'intro'],
  ['Générique d’ouverture', 'intro'],
  ['Czołówka', 'intro'],
  ['オープニング', 'intro'],
  ['Credits', 'credits'],
  ['12 - End Credits', 'credits'],
  ['Titoli di coda', 'credits'],
  ['Финальные титры', 'credits'],
  ['Aftiteling', 'credits'],
  ['Recap', 'recap'],
  ['Was bisher geschah …', 'recap'],
  ['Previously on…', 'recap'],
  ['Resumo', 'recap'],
  ['En capítulos anteriores', 'recap'],
  ['Opening Night', 'chapter'],
  ['The Introduction of Ada', 'chapter'],
  ['Chapter 1', 'chapter'],
  ['12', 'chapter'],
  ['', 'chapter'],
])('a chapter named %j has the role %s', (title, role) => {
  expect(roleOfTitle(title)).toBe(role);
});
