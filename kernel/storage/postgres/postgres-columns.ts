/**
 * Columns hold what they hold in SQLite: an integer takes 64 bits, text has no greatest length and
 * compares by its bytes, truth is a number.
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

/** Gives knex's compiler of one column these types in place of its own. */
export function withTypesOfSqlite<Compiler extends object>(compiler: Compiler): Compiler {
  const counted = 'bigincrements' in compiler ? { increments: compiler.bigincrements } : {};
  return Object.assign(compiler, types, counted);
}
