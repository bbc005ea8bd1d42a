import { toText } from './to-text.ts';

const codes: Readonly<Record<string, number>> = {
  IndexSizeError: 1,
  InvalidCharacterError: 5,
  NotSupportedError: 9,
  InvalidStateError: 11,
  SyntaxError: 12,
  NetworkError: 19,
  AbortError: 20,
  QuotaExceededError: 22,
  TimeoutError: 23,
  DataCloneError: 25,
};

/** The error class of web APIs; its `name` identifies the error. */
export class DOMException extends Error {
  readonly #name: string;

  constructor(message = '', name = 'Error') {
    super(toText(message));
    this.#name = toText(name);
  }

  override get name(): string {
    return this.#name;
  }

  get code(): number {
    return codes[this.#name] ?? 0;
  }
}
