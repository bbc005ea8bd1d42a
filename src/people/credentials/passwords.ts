/**
 * Passwords. Stored is the argon2id hash as a PHC string. A check for a name that does not exist
 * does the same work, so the time of a reply reveals no name.
 */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { AppError } from '../../platform/errors.ts';
import { createHashQueue, type HashFor } from './hash-queue.ts';

/** The cost of one hash. */
export interface PasswordCost {
  readonly memoryKib: number;
  readonly passes: number;
}

/** Creates and verifies password hashes in a queue: each needs tens of MiB and a core. */
export type Passwords = ReturnType<typeof createPasswords>;

export interface PasswordsParts {
  readonly cost?: PasswordCost;
  readonly random?: (count: number) => Buffer;
  /** Called, and awaited, before each hash is computed; for tests. */
  readonly onHash?: (of: HashFor) => unknown;
}

const shortest = 10;
const longest = 1000;
const usualCost: PasswordCost = { memoryKib: 65_536, passes: 3 };
const saltBytes = 16;
const tagBytes = 32;
const phcForm = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=1\$([\w+/]{22,86})\$([\w+/]{43})$/;

interface Hash extends PasswordCost {
  readonly salt: Buffer;
  readonly tag: Buffer;
}

/** Creates the only place where passwords are hashed. */
export function createPasswords(parts: PasswordsParts = {}) {
  const { cost = usualCost, random = randomBytes, onHash = () => undefined } = parts;
  const queue = createHashQueue();
  const dummyHash: Hash = { ...cost, salt: random(saltBytes), tag: random(tagBytes) };

  const tagOf = (password: string, { salt, memoryKib, passes }: Omit<Hash, 'tag'>, of: HashFor) =>
    queue.run(of, async () => {
      await onHash(of);
      return argon2id(password.normalize('NFKC'), salt, { memoryKib, passes });
    });

  /** Rejects with `invalid_request` when the password is too short or too long. */
  async function hash(password: string, of: HashFor): Promise<string> {
    assertUsable(password);
    const salt = random(saltBytes);
    const tag = await tagOf(password, { ...cost, salt }, of);
    return phcOf({ ...cost, salt, tag });
  }

  /** Whether the password belongs to the hash; without a hash the same work, and `false`. */
  async function verify(password: string, stored: string | null, of: HashFor): Promise<boolean> {
    const known = stored === null ? dummyHash : parsePhc(stored);
    // Too long a password is not hashed in full, because the time of a hash grows with its length.
    const tag = await tagOf(password.slice(0, 2 * longest), known, of);
    return timingSafeEqual(tag, known.tag) && stored !== null;
  }

  /** Whether the hash was made with another cost than the current one. */
  function isOutdated(stored: string): boolean {
    const { memoryKib, passes } = parsePhc(stored);
    return memoryKib !== cost.memoryKib || passes !== cost.passes;
  }

  return { hash, verify, isOutdated };
}

function assertUsable(password: string): void {
  const length = Array.from(password.normalize('NFKC')).length;
  if (length >= shortest && length <= longest) return;
  throw new AppError('invalid_request', {
    what: `password must be ${shortest} to ${longest} characters.`,
  });
}

function argon2id(message: string, nonce: Buffer, cost: PasswordCost): Promise<Buffer> {
  const { memoryKib: memory, passes } = cost;
  const parameters = { message, nonce, parallelism: 1, tagLength: tagBytes, memory, passes };
  return new Promise((resolve, reject) => {
    argon2('argon2id', parameters, (error, tag) => (error ? reject(error) : resolve(tag)));
  });
}

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '');

const phcOf = ({ memoryKib, passes, salt, tag }: Hash): string =>
  `$argon2id$v=19$m=${memoryKib},t=${passes},p=1$${unpadded(salt)}$${unpadded(tag)}`;

function parsePhc(text: string): Hash {
  const [, memory, passes, salt, tag] = phcForm.exec(text) ?? [];
  if (salt === undefined || tag === undefined) {
    throw new Error(
      'A stored password is not an argon2id hash in the form that this server writes.',
    );
  }
  return {
    memoryKib: Number(memory),
    passes: Number(passes),
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  };
}
