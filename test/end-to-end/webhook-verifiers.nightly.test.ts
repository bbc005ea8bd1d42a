/** The verifiers of docs/webhooks.md, as they stand there, against what the official library signs. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, describe, expect, test } from 'vitest';

interface Message {
  readonly id: string;
  readonly seconds: number;
  readonly signature: string;
  readonly body: string;
  readonly secret: string;
}

/** Runs one verifier on one message. */
type Verify = (message: Message) => boolean | Promise<boolean>;

const page = readFileSync(path.resolve(import.meta.dirname, '../../docs/webhooks.md'), 'utf8');
const folder = mkdtempSync(path.join(tmpdir(), 'vitrine-verifiers-'));
afterAll(() => rmSync(folder, { recursive: true }));

function verifier(language: string): string {
  const found = new RegExp(`<!-- verifier: ${language} -->\n+\`\`\`\\w+\n([^]*?)\`\`\``).exec(page);
  return found?.[1] ?? '';
}

function written(name: string, text: string): string {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return file;
}

const has = (command: string): boolean => spawnSync(command, ['--version']).status === 0;

const headersOf = ({ id, seconds, signature }: Message): Record<string, string> => ({
  'webhook-id': id,
  'webhook-timestamp': String(seconds),
  'webhook-signature': signature,
});

const javascript: Verify = async (message) => {
  const file = written('verify.mjs', verifier('javascript'));
  const { verify } = (await import(file)) as { verify: (...input: unknown[]) => boolean };
  return verify(headersOf(message), message.body, message.secret);
};

const python: Verify = (message) => {
  const lines = [
    verifier('python'),
    'import json, sys',
    'm = json.load(sys.stdin)',
    'sys.exit(0 if verify(m["headers"], m["body"].encode(), m["secret"]) else 1)',
  ];
  const input = JSON.stringify({ ...message, headers: headersOf(message) });
  return spawnSync('python3', [written('verify.py', lines.join('\n'))], { input }).status === 0;
};

const shell: Verify = ({ id, seconds, signature, secret, body }) => {
  const file = written('verify.sh', verifier('shell'));
  return spawnSync('sh', [file, id, `${seconds}`, signature, secret], { input: body }).status === 0;
};

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;

function signed(change: Partial<Message> & { readonly agoSeconds?: number } = {}): Message {
  const id = '019aa514-6c1c-7000-a2f1-3b6a52d7c9e0';
  const body = '{"id":"1","data":{"title":"Zoë $HOME %s \\n"}}';
  const at = new Date(Date.now() - (change.agoSeconds ?? 0) * 1000);
  const signature = new Webhook(secret).sign(id, at, body);
  return { id, seconds: Math.floor(at.getTime() / 1000), signature, body, secret, ...change };
}

const languages = [
  ['JavaScript', javascript, true],
  ['Python', python, has('python3')],
  ['a shell with openssl', shell, spawnSync('openssl', ['version']).status === 0],
] as const;

describe.each(languages)('the verifier in %s', (_, verify, isThere) => {
  test.skipIf(!isThere)('takes what was signed', async () => {
    expect(await verify(signed())).toBe(true);
  });

  test.skipIf(!isThere).each([
    ['another body', signed({ body: '{}' })],
    ['another id', signed({ id: '2' })],
    ['another secret', signed({ secret: other })],
    ['another time', signed({ seconds: Math.floor(Date.now() / 1000) + 2 })],
    ['no signature', signed({ signature: '' })],
    ['a signature of another version', signed({ signature: 'v2,AAAA' })],
    ['what was signed ten minutes ago', signed({ agoSeconds: 600 })],
    ['what was signed for ten minutes from now', signed({ agoSeconds: -600 })],
  ])('refuses %s', async (_why, message) => {
    expect(await verify(message)).toBe(false);
  });
});

describe('a verifier', () => {
  test.each([javascript, ...(has('python3') ? [python] : [])])(
    'takes one of several signatures, as when a secret is replaced',
    async (verify) => {
      const { signature, ...rest } = signed();

      expect(await verify({ ...rest, signature: `v1,AAAA ${signature}` })).toBe(true);
    },
  );

  test('is no longer than twenty lines', () => {
    for (const language of ['javascript', 'python', 'shell']) {
      const lines = verifier(language).trim().split('\n').length;
      expect(lines).toBeGreaterThan(3);
      expect(lines).toBeLessThanOrEqual(20);
    }
  });
});
