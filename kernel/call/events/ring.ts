/** A first-in first-out queue of bounded length. It allocates memory as it fills. */
export class Ring<T> {
  readonly #capacity: number;
  readonly #slots: (T | undefined)[] = [];
  #first = 0;
  #length = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get length(): number {
    return this.#length;
  }

  get isFull(): boolean {
    return this.#length === this.#capacity;
  }

  /** Adds at the end. The ring must not be full. */
  push(entry: T): void {
    if (this.isFull) throw new Error('A full ring was pushed to.');
    this.#slots[(this.#first + this.#length) % this.#capacity] = entry;
    this.#length += 1;
  }

  shift(): T | undefined {
    if (this.#length === 0) return undefined;
    const entry = this.#slots[this.#first];
    this.#slots[this.#first] = undefined;
    this.#first = (this.#first + 1) % this.#capacity;
    this.#length -= 1;
    return entry;
  }

  clear(): void {
    this.#slots.length = 0;
    this.#first = 0;
    this.#length = 0;
  }
}
