import type { Words } from './english.ts';

/** The same in German. */
export const german: Words = {
  'backups.auditLogContinuesReplacedOne':
    'Das Prüfprotokoll geht weiter: Das ersetzte endete mit dem Eintrag {lastEntry}.',
  'backups.backupRestored': 'Die Sicherung {filename} wurde wiederhergestellt',
  'backups.carried': '{label}: {names}.',
  'backups.installPgDump':
    'Installieren Sie die Client-Programme von PostgreSQL (Debian: postgresql-client), oder setzen Sie --backup-elsewhere on, wenn andere sie sichern.',
  'backups.nobodyBacksUp': 'Der Server sichert seine Datenbank nicht.',
  'backups.pgDumpIsMissing': 'pg_dump oder pg_restore wurde nicht gefunden.',
  'backups.namesAndMore': '{names} und {rest} weitere',
  'backups.noReadableDatabaseRevocationsSince':
    'Es gab keine lesbare Datenbank: Widerrufe seit der Sicherung sind verloren.',
  'blobs.storeFull': 'Der Speicher von --blobs ist voll und nimmt nichts mehr an.',
  'blobs.storeFails': 'Der Speicher von --blobs ist nicht zu benutzen.',
  'blobs.checkStore':
    'Schaffen Sie Platz darin, oder prüfen Sie Adresse und Schlüssel. Bis dahin werden Bilder neu erzeugt, wo das geht, und nichts geht verloren.',
  'conversion.deviceEncodesPicturesFailedThree':
    'Das Gerät, das Bilder kodiert ({kind}), ist in einer Stunde dreimal gescheitert.',
  'conversion.processorEncodesForAnHour':
    'Eine Stunde lang kodiert der Prozessor an seiner Stelle, was langsamer ist; dann wird das Gerät wieder versucht. Das Protokoll sagt, was das Gerät geantwortet hat: Suchen Sie nach „A conversion failed“. Prüfen Sie seinen Treiber, ob andere Programme seinen Speicher füllen, und ob der Benutzer des Servers es öffnen darf. Bis es geht, starten Sie den Server mit --transcoder-hardware none.',
  'database.checkDiskPostgresqlRunsCan':
    'Prüfen Sie ihre Platte, oder ob PostgreSQL läuft und erreichbar ist; vitrine doctor sagt mehr.',
  'database.checkLoadMachineHealthDisk':
    'Prüfen Sie die Last der Maschine und den Zustand ihrer Platte.',
  'database.databaseCannotRead': 'Die Datenbank kann nicht gelesen werden.',
  'database.databaseDamaged': 'Die Datenbank ist beschädigt.',
  'database.databaseTakesMoreMsOne':
    'Die Datenbank braucht mehr als {slowMs} ms, um einmal zu lesen.',
  'database.didNotAnswerWithinS': 'Sie antwortete nicht binnen {seconds} s.',
  'database.restoreBackupAskHelpFaults':
    'Stellen Sie eine Sicherung wieder her, oder fragen Sie um Hilfe mit den Fehlern, die Verwalten, Diagnose aufzählt.',
  'disk.diskDataFolderNearlyFull': 'Die Platte des Datenordners ist fast voll.',
  'disk.diskDataFolderRunningLow': 'Auf der Platte des Datenordners wird der Platz knapp.',
  'disk.freeSomeSpaceMoveData': 'Schaffen Sie Platz, oder verlegen Sie den Datenordner.',
  'disk.mibFreeWithoutSpaceDatabase':
    '{free} MiB sind frei; ohne Platz kann nicht in die Datenbank geschrieben werden.',
  'doctor.allowLimitnofileSystemdUlimitN':
    'Erlauben Sie {leastFiles}: LimitNOFILE={leastFiles} für systemd, ulimit -n für eine Shell.',
  'doctor.answers': 'Er antwortet: {status}.',
  'doctor.becauseOfPluginIsolation': 'wegen --plugin-isolation',
  'doctor.behindUntrustedProxyAllClients':
    'Hinter einem Proxy, dem nicht vertraut wird, haben alle Geräte dieselbe Adresse: Eines, das Passwörter errät, sperrt alle aus.',
  'doctor.clientsReachWithoutEncryptionPasswords':
    'Geräte erreichen {publicUrl} ohne Verschlüsselung: Passwörter lassen sich im Netz mitlesen.',
  'doctor.closeKeyFile':
    'chmod 600 {file}; konnten ihn andere Benutzer lesen, siehe docs/security.md.',
  'doctor.commandRunsRootServerDoes':
    'Dieser Befehl läuft als root; ein Server braucht diese Rechte nicht.',
  'doctor.databaseCannotBeRead': 'Sie lässt sich nicht lesen: {cause}',
  'doctor.databaseIsIntact': 'Sie ist unbeschädigt.',
  'doctor.doesNotExistButDatabase':
    '{name} fehlt, aber es gibt eine Datenbank: Ihre Geheimnisse lassen sich nicht öffnen.',
  'doctor.doesNotRunRoot': 'Er läuft nicht als root.',
  'doctor.existsOnlyOwnerCanRead': '{name} ist da, und nur sein Eigentümer kann ihn lesen.',
  'doctor.ffmpegConvertsWithoutCageBecause':
    'ffmpeg {version} wandelt ohne Käfig um, wegen --transcoder-cage none.',
  'doctor.ffmpegEncodes': 'ffmpeg {version} kodiert {where}.',
  'doctor.ffmpegEncodesButProcessorAlone':
    'ffmpeg {version} kodiert {where}, aber nur mit dem Prozessor.',
  'doctor.ffmpegEncodesPictures': 'ffmpeg {version} kodiert {where}, und Bilder mit {encoder}.',
  'doctor.firstStartCreates': 'Das legt der erste Start an.',
  'doctor.fixCauseMessage': 'Beheben Sie die Ursache in der Meldung.',
  'doctor.fixCauseMessageDatabaseItself':
    'Beheben Sie die Ursache in der Meldung; die Datenbank selbst kann ganz sein.',
  'doctor.folderCanBeRead': '{folder} lässt sich lesen.',
  'doctor.freeSomeSpaceMoveData':
    'Schaffen Sie Platz, oder verlegen Sie den Datenordner auf eine größere Platte (--data).',
  'doctor.giveCommandHostPortServer':
    'Geben Sie diesem Befehl --host und --port des Servers; sonst sehen Sie in sein Protokoll.',
  'doctor.giveMachineContainer1Gib': 'Geben Sie der Maschine oder ihrem Container 1 GiB.',
  'doctor.inCage': 'in seinem Käfig',
  'doctor.inCageOfLandlock': 'in einem Käfig von Landlock',
  'doctor.installBubblewrapForCage':
    'Installieren Sie bubblewrap, erlauben Sie Namespaces für Benutzer, und lassen Sie --transcoder-cage weg.',
  'doctor.installBubblewrapForPlugins':
    'Installieren Sie bubblewrap und erlauben Sie Namespaces für Benutzer, oder util-linux 2.41 oder später, wie es docs/installing.md sagt.',
  'doctor.installFfmpeg51Later':
    'Installieren Sie ffmpeg 5.1 oder später, und bubblewrap oder util-linux 2.41 oder später, wie es docs/installing.md sagt.',
  'doctor.keyCannotBeRead': '{name} lässt sich nicht lesen.',
  'doctor.letServerMakeBackupsBackup':
    'Lassen Sie den Server sichern (--backup-hours 24), oder führen Sie vitrine backup create aus.',
  'doctor.letUserServerOpenDevice':
    'Lassen Sie den Benutzer des Servers das Gerät öffnen (Gruppe render oder video) und installieren Sie seinen Treiber, oder lassen Sie --transcoder-hardware weg.',
  'doctor.listensOnly': 'Er hört nur auf {host}.',
  'doctor.manageDoctorListsProblemsDo':
    'Verwalten, Diagnose zählt seine Probleme auf; ebenso die Zeilen oben.',
  'doctor.managePluginsListsThemVitrine':
    'Verwalten, Plugins zählt sie auf; vitrine plugin rollback <id> stellt die Version davor wieder her.',
  'doctor.mediaNotConvertedPlayersCannot':
    'Medien werden nicht umgewandelt für Geräte, die sie nicht abspielen können: {why}',
  'doctor.mibFreeDiskDataFolder': '{size} MiB sind auf der Platte des Datenordners frei.',
  'doctor.mountGiveUserServerRead':
    'Hängen Sie ihn ein, oder geben Sie dem Benutzer des Servers Leserechte; seine Titel bleiben bis dahin.',
  'doctor.newestBackupDaysOld': 'Die neueste Sicherung in {backupFolder} ist {days} Tage alt.',
  'doctor.newestOneDaysOld': 'Die neueste ist {days} Tage alt.',
  'doctor.noBackup': 'In {backupFolder} ist keine Sicherung.',
  'doctor.noServerRunningDataFolder': 'Auf diesem Datenordner läuft kein Server.',
  'doctor.nodeButPluginsNeedNode': 'Das ist Node {version}, aber Plugins brauchen Node 24.',
  'doctor.openEveryUserMachineMode':
    '{data} ist für jeden Benutzer der Maschine offen (Modus {mode}).',
  'doctor.placeCannotBeRead': '{uri} lässt sich nicht lesen.',
  'doctor.placeDoesNotExist': '{name} gibt es noch nicht.',
  'doctor.placeDoesNotExistYet': '{folder} gibt es noch nicht.',
  'doctor.pluginHostStartsEndlessLoop':
    'Ein Plugin-Host startet, und eine Endlosschleife darin lässt sich anhalten.',
  'doctor.pluginIsolationRequireNoPlugin': 'Mit --plugin-isolation require startet kein Plugin.',
  'doctor.pluginsBehindLandlock': '{tier}: Plugins laufen hinter Landlock, gesetzt von {program}.',
  'doctor.pluginsFailed': '{failed} von {total} Plugins sind gescheitert.',
  'doctor.pluginsInNamespaces': '{tier}: Plugins laufen in Namespaces, angelegt von {program}.',
  'doctor.pluginsNoneFailed': '{total} Plugins, keines ist gescheitert.',
  'doctor.pluginsWithoutNamespaces': '{tier}: Plugins laufen ohne Namespaces ({why}).',
  'doctor.postgresqlBackedUpElsewhere': 'Andere sichern PostgreSQL (--backup-elsewhere on).',
  'doctor.putFileBackBackupKeys':
    'Legen Sie die Datei aus einer Sicherung mit Schlüsseln zurück. Der nächste Start erzeugt eine neue; dann müssen der Lizenzschlüssel und die Geheimnisse der Plugins noch einmal eingegeben werden.',
  'doctor.putProxyCertificateFrontDocs':
    'Stellen Sie einen Proxy mit Zertifikat davor: docs/reverse-proxy.md.',
  'doctor.removeNodeModulesStartAgain':
    'Löschen Sie node_modules und starten Sie wieder mit npm start, auf einem System, das README.md nennt.',
  'doctor.restoreBackupVitrineBackupRestore':
    'Stellen Sie eine Sicherung wieder her: vitrine backup restore <file>.',
  'doctor.runCommandUserServerGive':
    'Führen Sie diesen Befehl als der Benutzer des Servers aus, oder geben Sie diesem den Ordner mit chown -R.',
  'doctor.runUserOwnDocsInstalling':
    'Führen Sie ihn als eigener Benutzer aus, wie es docs/installing.md zeigt.',
  'doctor.serverListensButPublicUrl':
    'Der Server hört auf {host}, aber --public-url, die Adresse für Geräte, ist nicht gesetzt.',
  'doctor.serverMayOpenFiles': 'Der Server darf {most} Dateien öffnen.',
  'doctor.serverMayOpenFilesClients':
    'Der Server darf {most} Dateien öffnen; Geräte und beobachtete Ordner brauchen mehr.',
  'doctor.serverMayUse': 'Der Server darf {shown} nutzen.',
  'doctor.serverMayUseTooLittle':
    'Der Server darf {shown} nutzen; das ist zu wenig für viele Plugins.',
  'doctor.serverRunningDataFolderBut':
    'Auf diesem Datenordner läuft ein Server, aber {url} antwortet nicht.',
  'doctor.setPublicUrlInvitesPasskeys':
    'Setzen Sie --public-url; Einladungen und Passkeys brauchen sie.',
  'doctor.setTrustedProxy':
    'Setzen Sie --trusted-proxy 127.0.0.1 (und ::1), wenn der Proxy auf dieser Maschine ist.',
  'doctor.startServerNpmStartInstalls':
    'Starten Sie den Server mit npm start; das installiert Node 24.',
  'doctor.sysctlFsInotifyMaxUser':
    'sysctl fs.inotify.max_user_watches=524288, und dieselbe Zeile in /etc/sysctl.d.',
  'doctor.systemWatchesUpFolders': 'Das System beobachtet bis zu {most} Ordner.',
  'doctor.systemWatchesUpFoldersLibraries':
    'Das System beobachtet bis zu {most} Ordner; Bibliotheken mit mehr werden von Zeit zu Zeit gescannt.',
  'doctor.thisIsNode': 'Das ist Node {version}.',
  'doctor.vitrineBackupCreateMakesOne':
    'vitrine backup create erstellt jetzt eine; Verwalten, Einstellungen sagt, warum keine entstand.',
  'files.moreFiles':
    'Erhöhen Sie die Grenze für offene Dateien (LimitNOFILE von systemd, ulimit -n).',
  'files.nearlyUsedUp': 'Der Server hat fast so viele Dateien und Verbindungen offen, wie er darf.',
  'files.openOfMost': '{open} von {most} sind offen; ohne freie werden neue Clients abgewiesen.',
  'libraries.andMore': 'Und {rest} weitere.',
  'libraries.cannotReachedNoneFilesMarked':
    'Er ist nicht erreichbar, darum gilt keine seiner Dateien als fehlend.',
  'libraries.diskMountedHereAbsentNone':
    'Die Platte, die hier eingehängt war, ist nicht da. Keine ihrer Dateien gilt als fehlend, bis sie 30 Tage lang fehlt.',
  'libraries.emptyNowDiskMayMissing':
    'Er ist jetzt leer: Vielleicht fehlt eine Platte. Keine seiner Dateien gilt als fehlend. Soll er leer sein, nehmen Sie ihn aus der Bibliothek.',
  'libraries.firstPlace': 'Die erste Stelle ist {uri}.',
  'libraries.folderCannotBeUsed': 'Ein Ordner der Bibliothek {library} ist nicht benutzbar.',
  'libraries.lastScanFailed': 'Der letzte Scan der Bibliothek {library} ist gescheitert.',
  'libraries.lastScanLibraryCouldNot':
    'Der letzte Scan der Bibliothek {library} konnte nicht alles lesen.',
  'libraries.liesAnotherDiskBeforeLacks':
    'Er liegt auf einer anderen Platte als vorher, und ihm fehlen Dateien. Keine davon gilt als fehlend. Ist die neue Platte richtig, nehmen Sie den Ordner aus der Bibliothek und fügen Sie ihn wieder hinzu.',
  'libraries.mountDiskGiveUserServer':
    'Hängen Sie seine Platte ein, oder geben Sie dem Benutzer des Servers Leserechte; lesen Sie die Bibliothek dann neu ein.',
  'libraries.removeCauseScanLibraryAgain':
    'Beheben Sie die Ursache, und scannen Sie die Bibliothek noch einmal.',
  'libraries.resultScanPageJobsLists':
    'Das Ergebnis des Scans, auf der Seite der Aufgaben, zählt sie auf. Geben Sie dem Benutzer des Servers Leserechte, oder reparieren Sie die Verweise.',
  'license.expiredCouldNotConfirmedToo':
    'Sie ist abgelaufen, oder sie konnte zu lange nicht bestätigt werden.',
  'license.licenseActive': 'Die Lizenz ist gültig.',
  'license.licenseAuthorityCouldNotTold':
    'Die Lizenzstelle erfuhr nicht, dass die Lizenz {maskedKey} hier nicht mehr benutzt wird. Geben Sie sie ein und entfernen Sie sie wieder, um ihren Platz zurückzugeben.',
  'license.licenseAuthorityNoLongerAccepts':
    'Die Lizenzstelle erkennt sie nicht mehr an. Wenden Sie sich an ihren Aussteller.',
  'license.licenseExpired': 'Die Lizenz ist abgelaufen.',
  'license.licenseInvalid': 'Die Lizenz ist ungültig.',
  'license.noLicense': 'Es gibt keine Lizenz.',
  'license.otherServersUseAllSeats':
    'Andere Server belegen alle ihre Plätze. Entfernen Sie sie von einem davon und geben Sie den Schlüssel noch einmal ein.',
  'license.seatLicenseMayStillTaken': 'Der Platz der Lizenz ist vielleicht noch belegt.',
  'load.doesWorkMsLate': 'Er tut seine Arbeit {ms} ms zu spät.',
  'load.giveMachineMoreMemoryProcessors':
    'Geben Sie der Maschine mehr Speicher und Prozessoren, oder entfernen Sie, was sie braucht.',
  'load.memoryNearlyUsedUp': 'Sein Arbeitsspeicher ist fast aufgebraucht.',
  'load.serverOverloadedRefusesRequests': 'Der Server ist überlastet und lehnt Anfragen ab.',
  'marketplace.contactPublisherRemoveSource':
    'Wenden Sie sich an den Herausgeber von {url}, oder entfernen Sie die Quelle.',
  'marketplace.indexExpiredUntilSignedAgain':
    'Ihr Verzeichnis lief am {expiresAt} ab; bis es neu signiert ist, lässt sich aus ihr kein Plugin installieren, und neue Widerrufe sind nicht bekannt.',
  'marketplace.keyRevoked': '{source} hat den Schlüssel des Herausgebers widerrufen: {reason}',
  'marketplace.marketplaceSourceExpired': 'Die Quelle {name} des Marktplatzes ist abgelaufen.',
  'marketplace.noReason': 'Die Quelle nennt keinen Grund.',
  'marketplace.pluginNoLongerRevoked': 'Das Plugin {pluginId} ist nicht mehr widerrufen.',
  'marketplace.pluginRevokedStopped': 'Das Plugin {pluginId} wurde widerrufen und angehalten.',
  'marketplace.versionRevoked': '{source} hat die Version {version} widerrufen: {reason}',
  'marketplace.versionRolledBack': 'Version {version} von {pluginId} wurde zurückgenommen.',
  'matching.cataloguesSeveralEntriesMayTheirs':
    'Kataloge haben mehrere Einträge, die passen könnten. Wählen Sie die richtigen.',
  'matching.itemsNeedLook': '{count} Titel der Bibliothek {library} sind zu prüfen.',
  'matching.oneItemNeedsLook': '1 Titel der Bibliothek {library} ist zu prüfen.',
  'notifications.jobFailed': 'Die Aufgabe {type} ist gescheitert.',
  'notifications.jobOfLibraryFailed':
    'Die Aufgabe {type} der Bibliothek {library} ist gescheitert.',
  'notifications.jobOfSomeLibraryFailed': 'Die Aufgabe {type} der Bibliothek ist gescheitert.',
  'notifications.noReasonGiven': 'Es wurde kein Grund genannt.',
  'plugins.chooseAnotherOneVitrinePlugin': 'Ein anderes wählt man mit: vitrine plugin providers.',
  'plugins.crashedTooOften': 'Es ist zu oft abgestürzt.',
  'plugins.disabled': 'Es wurde ausgeschaltet.',
  'plugins.doesNotPermission': 'Es hat das Recht nicht.',
  'plugins.eventsAboveLimitDroppedLog':
    '{count} Ereignisse über der Grenze wurden verworfen. Das Protokoll des Plugins sagt vielleicht, warum es sie nicht annimmt.',
  'plugins.failedFiftyTimesRow': '{handler} ist fünfzigmal nacheinander gescheitert.',
  'plugins.failures': '{count} Fehler in {minutes} Minuten; der letzte war {handler}: {cause}',
  'plugins.gaveNoAnswerTimeThree':
    '{handler} hat dreimal nacheinander nicht rechtzeitig geantwortet.',
  'plugins.logSaysMoreRestartWhen':
    'Sein Protokoll sagt mehr; starten Sie es neu, wenn die Ursache behoben ist.',
  'plugins.noPluginProvidesNow': 'Kein Plugin übernimmt das jetzt.',
  'plugins.noReasonGiven': 'Es wurde kein Grund genannt.',
  'plugins.pageUnderManagePluginsAll': 'Seine Seite unter Verwalten, Plugins hat sie alle.',
  'plugins.pageUnderManagePluginsLists':
    'Seine Seite unter Verwalten, Plugins zählt auf, was es verlangt, mit Gründen; es läuft, sobald das erteilt ist.',
  'plugins.partPluginSuspended': 'Ein Teil des Plugins {name} ist ausgesetzt.',
  'plugins.pluginFailedStopped': 'Das Plugin {name} ist gescheitert und wurde angehalten.',
  'plugins.pluginFailsOften': 'Das Plugin {name} scheitert oft.',
  'plugins.pluginMissedEvents': 'Dem Plugin {plugin} fehlen Ereignisse.',
  'plugins.pluginNoLongerProvides': 'Das Plugin {pluginId} übernimmt nicht mehr {keys}.',
  'plugins.pluginProvidesNow': 'Das Plugin {instead} übernimmt das jetzt.',
  'plugins.pluginWaitsPermissions': 'Das Plugin {name} wartet auf Rechte.',
  'plugins.publisherRevoked': 'Sein Herausgeber hat es widerrufen.',
  'plugins.removed': 'Es wurde entfernt.',
  'plugins.serverDoesNotCallMinute':
    'Der Server ruft ihn eine Minute lang nicht auf, und länger, solange das so bleibt; der Rest des Plugins arbeitet. Seine Seite unter Verwalten, Plugins sagt mehr.',
  'secrets.keyServerDoesNotOpen':
    'Der Schlüssel dieses Servers öffnet die gespeicherten Geheimnisse nicht.',
  'secrets.licenseLost': 'Die Lizenz ist verloren.',
  'secrets.secretsThesePluginsLost': 'Geheimnisse dieser Plugins sind verloren: {ofPlugins}.',
  'secrets.stopServerPutServerKey':
    'Halten Sie den Server an und legen Sie server.key und server-id.key des früheren Datenordners zurück, aus einer Sicherung mit Schlüsseln. Ohne sie geben Sie die Geheimnisse noch einmal ein.',
  'secrets.theySealedAnotherServerKey': 'Sie wurden mit einem anderen server.key versiegelt.',
  'servers.differs': 'Der Server {name} unterscheidet sich vom führenden.',
  'servers.gaveNoSignSince': 'Der Server {name} hat seit {at} kein Zeichen gegeben.',
  'servers.itLacks':
    'Diese Plugins laufen auf ihm nicht: {detail}. Er übernimmt keine Arbeit ihrer Bibliotheken und führt nicht.',
  'servers.itsClock': 'Seine Uhr geht der der Datenbank um {detail} Sekunden vor.',
  'servers.itsPlugins': 'Diese Plugins oder ihre Versionen sind andere: {detail}.',
  'servers.itsSettings': 'Diese Einstellungen sind andere: {detail}.',
  'servers.itsVersion': 'Seine Version ist {detail}.',
  'servers.listed': 'Von {count} Servern fehlen {missing}; der führende ist {leader}.',
  'servers.makeThemAlike':
    'Geben Sie allen Servern dieselbe Version, dieselben Einstellungen und Plugins; welche, sagt docs/several-servers.md.',
  'servers.seeWhyItLacks':
    'Er versucht es von selbst wieder. Hilft das nicht, sehen Sie in sein Protokoll, oder installieren Sie das Plugin noch einmal.',
  'servers.setItsClock': 'Stellen Sie seine Uhr nach dem Netz (NTP).',
  'servers.startItAgain':
    'Sehen Sie nach, warum er nicht läuft, und starten Sie ihn wieder. Sonst wird er nach einem Tag vergessen.',
  'tasks.lastMadeAt': 'Sie entstand am {lastSuccess}.',
  'tasks.lastScheduledBackupOlderTwo':
    'Die letzte geplante Sicherung ist älter als zwei ihrer Abstände.',
  'tasks.manageSettingsReasonLastFailure':
    'Verwalten, Einstellungen nennt den Grund des letzten Fehlers; erstellen Sie inzwischen von Hand eine Sicherung.',
  'tasks.noScheduledBackupSucceededYet': 'Noch keine geplante Sicherung ist gelungen.',
  'tasks.removeCauseRunAgainUnder':
    'Beheben Sie die Ursache, und führen Sie sie unter Verwalten, Einstellungen noch einmal aus.',
  'tasks.runsAgainWhenDueRun':
    'Sie läuft wieder, wenn sie an der Reihe ist, oder Sie führen sie unter Verwalten, Einstellungen noch einmal aus.',
  'tasks.scheduledBackupFailed': 'Die geplante Sicherung ist gescheitert.',
  'tasks.scheduledTaskFailed': 'Die geplante Aufgabe {name} ist gescheitert.',
  'updates.vitrineAvailable': 'Vitrine {version} ist da.',
  'updates.youHave': 'Sie haben {currentVersion}.',
  'watching.foldersCannotWatchedHere': 'ihre Ordner lassen sich hier nicht beobachten',
  'watching.libraryNotWatchedChanges':
    'Die Bibliothek {name} wird nicht auf Änderungen beobachtet: {why}.',
  'watching.noPluginServesFiles': 'kein Plugin liefert ihre Dateien',
  'watching.scanByHand': 'Scannen Sie sie von Hand.',
  'watching.scannedEveryMinutesInstead': 'Sie wird stattdessen alle {minutes} Minuten gescannt.',
  'watching.startPluginFilesystem': 'Starten Sie das Plugin ihres Dateisystems.',
  'watching.vitrineDoctorSaysWhetherSystem':
    'vitrine doctor sagt, ob das System zu wenige Beobachtungen erlaubt.',
  'writes.anotherProgramHoldsLockDatabase': 'Ein anderes Programm hält die Sperre der Datenbank.',
  'writes.checkDiskCablesLogSystem':
    'Prüfen Sie die Platte und ihre Kabel; das Protokoll des Systems (dmesg) sagt mehr.',
  'writes.checkDiskPostgresqlRunsLog':
    'Prüfen Sie ihre Platte, oder ob PostgreSQL läuft; das Protokoll sagt mehr.',
  'writes.databaseDamaged': 'Die Datenbank ist beschädigt.',
  'writes.databaseFailedStoreChange': 'Die Datenbank konnte eine Änderung nicht speichern.',
  'writes.diskFails': 'Die Platte {place} versagt.',
  'writes.diskIsFull': 'Die Platte {place} ist voll.',
  'writes.diskIsReadOnly': 'Die Platte {place} ist schreibgeschützt.',
  'writes.giveFolderUserServerChown': 'Geben Sie den Ordner mit chown -R dem Benutzer des Servers.',
  'writes.into.dataFolder': 'den Datenordner',
  'writes.into.database': 'die Datenbank',
  'writes.into.folderOfDatabase': 'den Ordner der Datenbank',
  'writes.logSystemDmesgSaysWhy':
    'Das Protokoll des Systems (dmesg) sagt, warum. Prüfen Sie die Platte, und hängen Sie sie wieder zum Schreiben ein.',
  'writes.makeRoomWhatReadsKeeps':
    'Schaffen Sie Platz darauf. Was liest, geht weiter, und alles andere läuft dann von selbst wieder.',
  'writes.mayNotWrite': 'Der Server darf nicht in {place} schreiben.',
  'writes.of.dataFolder': 'des Datenordners',
  'writes.of.database': 'der Datenbank',
  'writes.of.folderOfDatabase': 'des Ordners der Datenbank',
  'writes.runVitrineDatabaseCheckConfirms':
    'Führen Sie vitrine database check aus. Bestätigt das den Schaden, stellen Sie eine Sicherung wieder her (vitrine backup restore).',
  'writes.stopOtherProgramBackupTool':
    'Beenden Sie das andere Programm: eines für Sicherungen oder eine offene Shell von SQLite.',
  'restored.sessionsEnded': 'Sitzungen, die endeten',
  'restored.profilesAskPinAgain': 'Profile, die wieder nach ihrer PIN fragen',
  'restored.usersLatestPasswordRoleAccess':
    'Benutzer mit ihrem letzten Passwort, ihrer Rolle und ihrem Zugang; entfernte sind ausgeschaltet',
  'restored.groupsLatestAccess': 'Gruppen mit ihrem letzten Zugang',
  'restored.profilesLatestPinAccess': 'Profile mit ihrer letzten PIN und ihrem Zugang',
  'restored.apiKeysStayRemoved': 'API-Schlüssel, die entfernt bleiben',
  'restored.passkeysStayRemovedAddedSince': 'Passkeys, die entfernt bleiben oder seither dazukamen',
  'restored.invitesStayUsedRemoved': 'Einladungen, die verbraucht oder entfernt bleiben',
  'restored.latestAdminsBecauseBackupNone':
    'Die letzten Verwalter, da sich keiner aus der Sicherung anmelden kann',
  'restored.sessionsIdentitiesEnded': 'Sitzungen von Identitäten, die endeten',
  'restored.identitiesStayUnlinkedKeepLatest':
    'Identitäten, die getrennt bleiben oder ihren letzten Schlüssel behalten',
  'restored.replacedKeysIdentities': 'Ersetzte Schlüssel von Identitäten',
  'restored.devicesIdentitiesStayRevoked': 'Geräte von Identitäten, die gesperrt bleiben',
  'restored.pluginsStayDisabledMayDo': 'Plugins, die ausgeschaltet bleiben oder weniger dürfen',
  'restored.partsServerProviderJustBefore': 'Teile des Servers mit dem Anbieter von zuletzt',
  'restored.pluginsWhosePackageStaysRevoked': 'Plugins, deren Paket widerrufen bleibt',
  'restored.marketplaceSourcesStayRemovedNewer':
    'Quellen des Marktplatzes, die entfernt bleiben oder das neuere Verzeichnis haben',
  'restored.marketplaceIndexesLaterKnownSequence':
    'Verzeichnisse des Marktplatzes mit einer späteren bekannten Nummer',
  'restored.revocationsMarketplaceSources': 'Widerrufe von Quellen des Marktplatzes',
  'restored.replacedKeysPublishers': 'Ersetzte Schlüssel von Herausgebern',
  'restored.librariesStayHidden': 'Bibliotheken, die verborgen bleiben',
  'restored.pluginsActForProfileNoLonger': 'Plugins, die nicht mehr für ein Profil handeln',
  'restored.serversOfBackup': 'Server, die liefen, als die Sicherung entstand',
  'health.ok': 'Alles ist in Ordnung',
  'health.starting': 'Er startet noch',
  'health.degraded': 'Etwas braucht Aufmerksamkeit',
  'health.failing': 'Er kann seine Arbeit nicht tun',
  'stored.internalError': 'Ein Fehler im Server; sein Protokoll sagt mehr.',
  'stored.fileFolderDoesNotExist': 'Die Datei oder den Ordner gibt es nicht.',
  'stored.pathDoesNotExist': 'Den Pfad gibt es nicht.',
  'stored.scanFailed': 'Der Scan ist gescheitert.',
  'stored.crashed': 'Es ist abgestürzt.',
  'stored.gaveNoReason': 'Es nannte keinen Grund.',
  'stored.processEnded': 'Sein Prozess endete.',
  'stored.processNoLongerAnswers': 'Sein Prozess antwortet nicht mehr.',
  'stored.processWentOverMemoryCap': 'Sein Prozess brauchte mehr Speicher, als er darf.',
  'stored.channelFailed': 'Die Verbindung zu seinem Prozess brach ab.',
  'stored.wentOverMemoryLimit': 'Es brauchte mehr Speicher, als es darf.',
  'stored.sentTooManyMalformedMessages': 'Es schickte zu viele falsche Nachrichten.',
  'stored.wentComputingPastDeadlineCall': 'Es rechnete länger, als sein Aufruf dauern darf.',
  'stored.runsCodeNothingCanInterrupt': 'Es führt etwas aus, das sich nicht anhalten lässt.',
  'stored.processSharedOthersEnded': 'Der Prozess, den es mit anderen teilte, endete.',
  'stored.computedMsWithoutPause': 'Es rechnete {time} ms lang ohne Pause.',
  'stored.pluginDidNotStartWithin': 'Das Plugin startete nicht binnen {time} s.',
  'stored.pluginDidNotStart': 'Das Plugin {id} startete nicht: {why}',
  'stored.pluginNotRunning': 'Das Plugin {id} läuft nicht.',
  'stored.noAnswerCameMs': 'In {time} ms kam keine Antwort.',
  'stored.didNotAnswerTime': '{host} antwortete nicht rechtzeitig.',
  'stored.redirectsTooOften': '{host} leitet zu oft weiter.',
  'stored.serverEndedTimesDuringJob':
    'Der Server endete während dieser Aufgabe {times}-mal, und sie kam nicht voran.',
  'stored.noPluginFindsFilesLibrary':
    'Kein Plugin findet Dateien für eine Bibliothek der Art {type}; hier gehen die Arten {types}.',
  'stored.diskBackupFolderFullNothing':
    'Die Platte des Ordners der Sicherungen {place} ist voll, und nichts wurde gespeichert.',
  'stored.makeRoom': 'Schaffen Sie Platz darauf.',
  'stored.diskBackupFolderReadOnly':
    'Die Platte des Ordners der Sicherungen {place} ist schreibgeschützt.',
  'stored.mountWriting': 'Hängen Sie sie zum Schreiben ein.',
  'stored.backupFolderCannotUsedUser':
    'Der Benutzer dieses Prozesses kann den Ordner der Sicherungen {place} nicht benutzen ({code}).',
  'stored.makeUserOwner': 'Machen Sie ihn zum Eigentümer.',
  'stored.diskBackupFolderFailed':
    'Die Platte des Ordners der Sicherungen {place} versagte ({code}).',
  'stored.logSystemDmesgSaysMore': 'Das Protokoll des Systems (dmesg) sagt mehr.',
  'stored.backupFolderNotFolderLies':
    'Der Ordner der Sicherungen {place} ist kein Ordner oder liegt in einer Datei ({code}).',
  'stored.moveFileAway': 'Verschieben Sie diese Datei.',
  'stored.updateServiceCouldNotReached': 'Der Dienst für neue Versionen ist nicht erreichbar.',
  'stored.updateServiceAnswered': 'Der Dienst für neue Versionen antwortete mit {status}.',
  'stored.noUpdateChecksStartServer':
    'Es wird nicht nach neuen Versionen gesehen: Starten Sie den Server mit --update-url und --update-key.',
  'stored.channelFileNotJson': 'Die Datei des Kanals ist kein JSON.',
  'stored.channelFileNotSignedKey':
    'Die Datei des Kanals ist nicht mit dem Schlüssel von --update-key signiert.',
  'stored.databaseDamaged': 'Die Datenbank ist beschädigt: {fault}.',
  'stored.couldNotReached': '{host} ist nicht erreichbar{why}.',
  'stored.couldNotRead': '{what} ließ sich nicht lesen.',
};
