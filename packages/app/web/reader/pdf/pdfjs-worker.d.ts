/** The package has no types for its parser. */
declare module 'pdfjs-dist/legacy/build/pdf.worker.min.mjs';
