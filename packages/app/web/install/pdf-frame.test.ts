import { expect, test } from 'vitest';
import { frameWithoutServer, inScript, isPdfPage } from './pdf-frame.ts';

const policy =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; worker-src blob:; frame-ancestors 'self'; sandbox allow-scripts; trusted-types pdf-parser";
const html = `<!doctype html><html><head><title>PDF</title>
  <link rel="stylesheet" href="/web/pdf-paper.css" />
  <meta name="parser" content="/web/pdf-parser.js" />
  <script src="/web/pdf-frame.js" defer></script></head><body></body></html>`;
const files: Readonly<Record<string, string>> = {
  '/web/pdf-frame.html': html,
  '/web/pdf-paper.css': 'p { color: red }',
  '/web/pdf-parser.js': "parse('</script><!--')",
  '/web/pdf-frame.js': "show('$& </SCRIPT>')",
};
const find =
  (missing?: string) =>
  async (name: string): Promise<Response | undefined> => {
    const text = name === missing ? undefined : files[name];
    return text === undefined
      ? undefined
      : new Response(text, { headers: { 'content-security-policy': policy } });
  };

test('the frame without the server keeps its sandbox, and runs only what stands in it', async () => {
  const frame = await frameWithoutServer(find(), 'once');
  expect(frame?.headers.get('content-security-policy')).toBe(
    policy
      .replace("script-src 'self'", "script-src 'nonce-once'")
      .replace("style-src 'self'", "style-src 'nonce-once'"),
  );
  const text = (await frame?.text()) ?? '';
  expect(text).not.toMatch(/ (src|href)=/);
  // Nothing in a script ends it before its end.
  expect(text.match(/<\/script>/gi)).toHaveLength(2);
  expect(text).toContain(String.raw`show('$& <\/SCRIPT>')`);
  expect(text).toContain('<style nonce="once">p { color: red }</style>');
});

test.each(Object.keys(files))('without %s there is no frame', async (name) => {
  expect(await frameWithoutServer(find(name))).toBeUndefined();
});

test('what would end a script, or hide its end, is written in another way', () => {
  expect(inScript('</script </SCRIPT <!-- </p>')).toBe(String.raw`<\/script <\/SCRIPT <\!-- </p>`);
});

test('the page of a PDF is one address', () => {
  const paths = ['/read/pdf/1', '/read/pdf/', '/read/1', '/read/pdf/1/2'];
  expect(paths.map(isPdfPage)).toEqual([true, false, false, false]);
});
