/**
 * Passwords. Kept is what argon2id makes of them, as a PHC string; and whoever asks about a name
 * that does not exist waits for the very same work, so the time of an answer tells nobody's name.
 */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { AppError } from '../errors.ts';

/** What one hash costs. */
export interface PasswordCost {
  readonly memoryKib: number;
  readonly passes: number;
}

/** Makes and checks hashes of passwords, two at a time: each takes tens of MiB and a core. */
export interface Passwords {
  /** Rejects with `invalid_request` when the password is too short or too long. */
  readonly hash: (password: string) => Promise<string>;
  /** Whether it is the password of that hash; the same work, and `false`, where there is none. */
  readonly verify: (password: string, hash: string | null) => Promise<boolean>;
  /** Whether the hash was made at another cost than is usual now. */
  readonly isOutdated: (hash: string) => boolean;
}

/** What passwords are made of. */
export interface PasswordsParts {
  readonly cost?: PasswordCost;
  readonly random?: (count: number) => Buffer;
  /** Told of each hash that is computed: what a test counts. */
  readonly onHash?: () => void;
}

const shortest = 10;
const longest = 1000;
const usualCost: PasswordCost = { memoryKib: 65_536, passes: 3 };
const saltBytes = 16;
const tagBytes = 32;
const atOnce = 2;
const mostWaiting = 50;
const phcForm = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=1\$([\w+/]{22,86})\$([\w+/]{43})$/;

interface Hash extends PasswordCost {
  readonly salt: Buffer;
  readonly tag: Buffer;
}

/** Creates the one place where passwords are hashed. */
export function createPasswords(parts: PasswordsParts = {}): Passwords {
  const { cost = usualCost, random = randomBytes, onHash = () => undefined } = parts;
  const inTurn = createTurns();
  const nobody: Hash = { ...cost, salt: random(saltBytes), tag: random(tagBytes) };

  const tagOf = (password: string, { salt, memoryKib, passes }: Omit<Hash, 'tag'>) =>
    inTurn(() => {
      onHash();
      return argon2id(password.normalize('NFKC'), salt, { memoryKib, passes });
    });

  async function hash(password: string): Promise<string> {
    assertUsable(password);
    const salt = random(saltBytes);
    const tag = await tagOf(password, { ...cost, salt });
    return phcOf({ ...cost, salt, tag });
  }

  async function verify(password: string, kept: string | null): Promise<boolean> {
    const known = kept === null ? nobody : parsePhc(kept);
    // A hash takes as long as the text is; what nobody can have as a password is not hashed in full.
    const tag = await tagOf(password.slice(0, 2 * longest), known);
    return timingSafeEqual(tag, known.tag) && kept !== null;
  }

  function isOutdated(kept: string): boolean {
    const { memoryKib, passes } = parsePhc(kept);
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
    throw new Error('A kept password is no argon2id hash of the form that this server writes.');
  }
  return {
    memoryKib: Number(memory),
    passes: Number(passes),
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  };
}

/** So many at once, the next ones in the order in which they came, and no endless queue. */
function createTurns(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= atOnce) {
      if (waiting.length >= mostWaiting) {
        throw new AppError('too_many_requests', {
          what: 'Too many people sign in at this moment. Try again in a few seconds.',
        });
      }
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
