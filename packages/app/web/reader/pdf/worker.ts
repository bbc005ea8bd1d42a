/** The parser of PDF.js, which runs in a worker of the frame. It starts when it is loaded. */
import 'pdfjs-dist/legacy/build/pdf.worker.min.mjs';
