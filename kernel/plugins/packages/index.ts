export { longestPackage } from './envelope.ts';
export { isRotation, leadsTo, rotateKey, type KeyRotation } from './key-rotation.ts';
export { filesOf, makeArchive, manifestIn, openArchive, packed } from './plugin-archive.ts';
export type { OpenedArchive, OpenOptions, Opening, PackageFault } from './plugin-archive.ts';
export { readSignature, signatureFile } from './package-signature.ts';
export type { PackageFiles } from './tar.ts';
