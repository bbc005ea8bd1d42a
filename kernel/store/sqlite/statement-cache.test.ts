import { describe, expect, test } from 'vitest';
import { StatementCache, withOnePlan } from './statement-cache.ts';

describe('the statement cache', () => {
  test('drops the statement that was used least recently', () => {
    const dropped: string[] = [];
    const cache = new StatementCache<string>(2, (statement) => dropped.push(statement));
    cache.add('a', 'A');
    cache.add('b', 'B');
    cache.find('a');

    cache.add('c', 'C');

    expect(dropped).toEqual(['B']);
    expect(cache.find('a')).toBe('A');
  });
});

describe('withOnePlan', () => {
  test('turns every bound limit into a sum, and changes nothing else', () => {
    const sql = 'select * from (select "limit" from t where a = ? limit ?) LIMIT ? offset ?';

    expect(withOnePlan(sql)).toBe(
      'select * from (select "limit" from t where a = ? limit ? + 0) LIMIT ? + 0 offset ?',
    );
    expect(withOnePlan('select 1 limit 5')).toBe('select 1 limit 5');
  });
});
