/**
 * The prepared statements of one connection; the least recently used one is dropped first. Preparing
 * costs more than running most statements, so repeated statements should have equal texts.
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

  /** Adds a statement; one that was prepared twice at the same time is stored once. */
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

/** The number of statements that a connection caches. */
export const statementsPerConnection = 256;

/**
 * SQLite replans a statement whenever a value is bound to its limit, since the plan may depend on it;
 * for most statements this costs more than running them. A limit that is a sum does not cause this.
 */
export function withOnePlan(sql: string): string {
  return sql.replace(/\blimit \?/gi, '$& + 0');
}
