/**
 * The frame of the PDF reader without the server. A frame of an opaque origin loads nothing by a service
 * worker, so all of it stands in one document. Its policy is that of the server, except that scripts and
 * styles are only those that stand in it: it is still in a sandbox, without a network and a session.
 */

/** The address of the frame. */
export const pdfFrame = '/web/pdf-frame.html';
/** Whether it is the page of a PDF. */
export const isPdfPage = (path: string): boolean => /^\/read\/pdf\/[^/]+$/.test(path);

type Find = (address: string) => Promise<Response | undefined>;

/** The text of a script as it may stand in a document: what would end it is written in another way. */
export const inScript = (text: string): string =>
  text.replaceAll(/<\/(script)/gi, String.raw`<\/$1`).replaceAll('<!--', String.raw`<\!--`);

/** The document and its policy with all that they name; `undefined` = something of it is not there. */
export async function frameWithoutServer(
  find: Find,
  nonce: string = crypto.randomUUID(),
): Promise<Response | undefined> {
  const page = await find(pdfFrame);
  const policy = page?.headers.get('content-security-policy');
  if (page === undefined || policy === null || policy === undefined) return undefined;
  const html = await page.text();
  const named = [
    /<link rel="stylesheet" href="([^"]+)" \/>/,
    /<meta name="parser" content="([^"]+)" \/>/,
    /<script src="([^"]+)" defer><\/script>/,
  ];
  const texts = await Promise.all(
    named.map(async (pattern) => {
      const address = pattern.exec(html)?.[1];
      return address === undefined ? undefined : (await find(address))?.text();
    }),
  );
  const [styles, parser, script] = texts;
  if (styles === undefined || parser === undefined || script === undefined) return undefined;
  const own = html
    .replace(/<link rel="stylesheet"[^>]*>/, () => `<style nonce="${nonce}">${styles}</style>`)
    .replace(/<script src[^>]*><\/script>/, '')
    .replace(
      '</body>',
      () =>
        `<script type="text/plain" id="parser">${inScript(parser)}</script>` +
        `<script nonce="${nonce}">${inScript(script)}</script></body>`,
    );
  return new Response(own, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy
        .replace("script-src 'self'", `script-src 'nonce-${nonce}'`)
        .replace("style-src 'self'", `style-src 'nonce-${nonce}'`),
      'x-frame-options': 'SAMEORIGIN',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    },
  });
}
