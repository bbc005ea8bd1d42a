/**
 * The prepared statements of one connection, the least recently used one dropped first. Preparing
 * costs more than most statements take to run, so a text that comes again should come unchanged.
 */
export class StatementCache<Statement> {
  readonly #statements = new Map<string, Statement>();
  readonly #limit: number;
  readonly #drop: (statement: Statement) => void;

  constructor(limit: number, drop: (statement: Statement) => void) {
    this.#limit = limit;
    this.#drop = drop;
  }

  find(sql: string): Statement | undefined {
    const statement = this.#statements.get(sql);
    if (statement === undefined) return undefined;
    this.#statements.delete(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  /** Keeps a statement; one that was prepared twice at the same time is kept once. */
  add(sql: string, statement: Statement): void {
    if (this.#statements.has(sql)) {
      this.#drop(statement);
      return;
    }
    this.#statements.set(sql, statement);
    const oldest = this.#statements.size > this.#limit ? this.#statements.keys().next() : undefined;
    if (oldest?.value !== undefined) this.#remove(oldest.value);
  }

  clear(): void {
    for (const sql of [...this.#statements.keys()]) this.#remove(sql);
  }

  #remove(sql: string): void {
    const statement = this.#statements.get(sql);
    this.#statements.delete(sql);
    if (statement !== undefined) this.#drop(statement);
  }
}

/** How many statements a connection keeps. */
export const statementsPerConnection = 256;

/**
 * SQLite plans a statement anew whenever a value is bound to its limit, since it may plan by that
 * value; for most statements this costs more than to run them. A sum it leaves alone.
 */
export function withOnePlan(sql: string): string {
  return sql.replace(/\blimit \?/gi, '$& + 0');
}
