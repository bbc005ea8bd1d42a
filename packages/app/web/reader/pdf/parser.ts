/**
 * Starts the parser of PDF.js. The frame has an opaque origin, which may make no worker from an
 * address: its worker is a line that loads the script. A browser that refuses that runs the parser in
 * the frame itself, where a page is drawn less smoothly.
 */
import { PDFWorker } from 'pdfjs-dist/legacy/build/pdf.mjs';

interface Policies {
  readonly createPolicy: (
    name: string,
    rules: { readonly createScriptURL: (text: string) => string },
  ) => { readonly createScriptURL: (text: string) => string };
}

/** The policy of the frame allows one Trusted Types policy, in the frame and in its worker. */
const policyName = 'pdf-parser';

/** The parser. `address` is that of its script, and `text` the script where the document has it. */
export async function startParser(address: string, text?: string): Promise<PDFWorker> {
  const policies = (globalThis as { readonly trustedTypes?: Policies }).trustedTypes;
  let given = '';
  const policy = policies?.createPolicy(policyName, { createScriptURL: () => given });
  const trusted = (url: string): string => {
    given = url;
    return policy?.createScriptURL('') ?? url;
  };
  const port = await startWorker(text ?? loading(address), trusted).catch(() => null);
  if (port !== null) return PDFWorker.create({ port });
  await loadScript(address, trusted);
  // Without a port, PDF.js takes the parser that the script left in the window.
  return PDFWorker.create({});
}

/** A line of a worker that loads the script. */
function loading(address: string): string {
  const quoted = JSON.stringify(address);
  return `
    const policy = self.trustedTypes?.createPolicy('${policyName}', { createScriptURL: () => ${quoted} });
    importScripts(policy?.createScriptURL('') ?? ${quoted});`;
}

async function startWorker(script: string, trusted: (url: string) => string): Promise<Worker> {
  const text = `${script}\npostMessage('up');`;
  const url = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
  const worker = new Worker(trusted(url));
  try {
    await new Promise((resolve, reject) => {
      worker.onmessage = resolve;
      worker.onerror = reject;
    });
  } finally {
    URL.revokeObjectURL(url);
    [worker.onmessage, worker.onerror] = [null, null];
  }
  return worker;
}

async function loadScript(address: string, trusted: (url: string) => string): Promise<void> {
  const script = document.createElement('script');
  script.src = trusted(address);
  await new Promise((resolve, reject) => {
    script.onload = resolve;
    script.onerror = reject;
    document.head.append(script);
  });
}
