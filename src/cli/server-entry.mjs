/**
 * What Node is given to run: it turns source maps on and loads the server. The flag for it would have
 * the maps read at every start, since the log asks where it was called from; so they are read when an
 * error is written, and never else.
 */
process.setSourceMapsEnabled(true);
await import(import.meta.resolve('./main.mjs'));
