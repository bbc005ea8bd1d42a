export { carriedSources } from './carried-sources.ts';
export type { OffersPage, OffersQuery, ShownOffer } from './catalogue.ts';
export { createMarketplace } from './marketplace.ts';
export type { Installed, InstallOrder, Marketplace, MarketplaceParts } from './marketplace.ts';
export { createPackageWitness } from './package-changes.ts';
export { createSources } from './sources.ts';
export type { NewSource, Sources } from './sources.ts';
export type { ShownSource } from './source.ts';
export { marketplaceMigrations } from './source-store.ts';
