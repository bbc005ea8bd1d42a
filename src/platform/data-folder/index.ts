export { addressOf, isHeld, openDataFolder, type DataFolder } from './data-folder.ts';
export { giveToOwnerOf } from './give-away.ts';
export { assertNotEmptied } from './emptied-database.ts';
