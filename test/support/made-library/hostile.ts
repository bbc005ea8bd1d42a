/** Names and links that break scanners. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import type { MadeFile, Shelf } from './shelf.ts';

const names = [
  ...["it's; rm -rf $HOME.mkv", '$(touch pwned).mkv', '`id`.mkv', '<script>alert(1)<&script>.mkv'],
  ...["'; DROP TABLE items;--.mkv", '%2e%2e%2fetc%2fpasswd.mkv', 'new\nline.mkv', 'tab\there.mkv'],
  ...['-rf.mkv', '--help.mkv', ' leading and trailing .mkv', `${'a'.repeat(251)}.mkv`],
  ...['\u202Egpj.mkv', 'nul%00.mkv', 'CON.mkv', '..mkv', 'quote".mkv', 'back\\slash.mkv'],
  ...['{{7*7}}.mkv', '__proto__.mkv', 'constructor.mkv', 'ﬁ ligature ﬀ.mkv', 'é-nfc.mkv'],
  ...['e\u0301-nfd.mkv', '.hidden.mkv', '🏴‍☠️👨‍👩‍👧.mkv'],
];

/** Puts them into a folder of their own. Gives the file whose name is not UTF-8, as its URI names it. */
export function hostile(shelf: Shelf): MadeFile {
  for (const name of names) shelf.whole({ path: `Hostile/${name}`, kind: 'hostile' });
  const folder = path.join(shelf.folder, 'Hostile');
  const links = { loop: '..', 'dangling.mkv': 'nowhere/at/all.mkv', escape: '/etc' };
  for (const [name, target] of Object.entries({ ...links, 'escape.mkv': '/etc/passwd' }))
    symlinkSync(target, path.join(folder, name));
  const notUtf8 = Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff, 0xfe, 0x41])]);
  copyFileSync(path.join(folder, '-rf.mkv'), Buffer.concat([notUtf8, Buffer.from('.mkv')]));
  execFileSync('mkfifo', [path.join(folder, 'fifo.mkv')]);
  for (const name of ['dir.mkv', 'empty dir']) mkdirSync(path.join(folder, name));
  return { path: 'Hostile/%FF%FEA.mkv', kind: 'hostile' };
}
