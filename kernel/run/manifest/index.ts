export { isDay, moveCompatibility } from './compatibility.ts';
export { createManifestReader, type ManifestReader } from './manifest.ts';
