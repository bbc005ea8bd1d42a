/**
 * Column types that hold the same values as in SQLite: 64-bit integers, text without a length limit
 * that compares by bytes, and booleans as numbers.
 */
const types = {
  text: 'text collate "C"',
  varchar: 'text collate "C"',
  string: 'text collate "C"',
  integer: 'bigint',
  int: 'bigint',
  tinyint: 'bigint',
  smallint: 'bigint',
  mediumint: 'bigint',
  bool: 'smallint',
  boolean: 'smallint',
  floating: 'double precision',
  float: 'double precision',
} as const;

/** Replaces the types of knex's column compiler with these. */
export function withTypesOfSqlite<Compiler extends object>(compiler: Compiler): Compiler {
  const counted = 'bigincrements' in compiler ? { increments: compiler.bigincrements } : {};
  return Object.assign(compiler, types, counted);
}
