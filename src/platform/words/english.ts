/**
 * What the server says to people, in English, by key; `{name}` is a value. What stands below `stored` is kept
 * or passed on in English, and found again by this text: there the more general ones come last.
 */
export const english = {
  'backups.auditLogContinuesReplacedOne':
    'The audit log continues: the replaced one ended at entry {lastEntry}.',
  'backups.backupRestored': 'The backup {filename} was restored',
  'backups.carried': '{label}: {names}.',
  'backups.installPgDump':
    'Install the client programs of PostgreSQL (Debian: postgresql-client), or set --backup-elsewhere on if others back it up.',
  'backups.namesAndMore': '{names} and {rest} more',
  'backups.nobodyBacksUp': 'The server makes no backups of its database.',
  'backups.noReadableDatabaseRevocationsSince':
    'There was no readable database: revocations since the backup are lost.',
  'backups.pgDumpIsMissing': 'pg_dump or pg_restore was not found.',
  'blobs.storeFull': 'The store of --blobs takes nothing more: it is full.',
  'blobs.storeFails': 'The store of --blobs cannot be used.',
  'blobs.checkStore':
    'Make room in it, or check its address and its keys. Until then pictures are made again where that can be, and nothing is lost.',
  'conversion.deviceEncodesPicturesFailedThree':
    'The device that encodes pictures ({kind}) failed three times within an hour.',
  'conversion.processorEncodesForAnHour':
    'For an hour the processor encodes pictures in its place, which is slower; then the device is tried again. The log says what the device answered: look for "A conversion failed". Check its driver, whether other programs fill its memory, and whether the user of the server may open it. Until it works, start the server with --transcoder-hardware none.',
  'database.checkDiskPostgresqlRunsCan':
    'Check its disk, or that PostgreSQL runs and can be reached; vitrine doctor says more.',
  'database.checkLoadMachineHealthDisk':
    'Check the load of the machine and the health of its disk.',
  'database.databaseCannotRead': 'The database cannot be read.',
  'database.databaseDamaged': 'The database is damaged.',
  'database.databaseTakesMoreMsOne': 'The database takes more than {slowMs} ms for one read.',
  'database.didNotAnswerWithinS': 'It did not answer within {seconds} s.',
  'database.restoreBackupAskHelpFaults':
    'Restore a backup, or ask for help with the faults that Manage, Doctor lists.',
  'disk.diskDataFolderNearlyFull': 'The disk of the data folder is nearly full.',
  'disk.diskDataFolderRunningLow': 'The disk of the data folder is running low.',
  'disk.freeSomeSpaceMoveData': 'Free some space, or move the data folder.',
  'disk.mibFreeWithoutSpaceDatabase':
    '{free} MiB are free; without space the database cannot be written.',
  'doctor.allowLimitnofileSystemdUlimitN':
    'Allow {leastFiles}: LimitNOFILE={leastFiles} for systemd, ulimit -n for a shell.',
  'doctor.answers': 'It answers: {status}.',
  'doctor.becauseOfPluginIsolation': 'because of --plugin-isolation',
  'doctor.behindUntrustedProxyAllClients':
    'Behind an untrusted proxy all clients have the same address: one that guesses passwords locks out all.',
  'doctor.clientsReachWithoutEncryptionPasswords':
    'Clients reach {publicUrl} without encryption: passwords can be read on the network.',
  'doctor.closeKeyFile': 'chmod 600 {file}; if other users could read it, see docs/security.md.',
  'doctor.commandRunsRootServerDoes':
    'This command runs as root; a server does not need root rights.',
  'doctor.databaseCannotBeRead': 'It cannot be read: {cause}',
  'doctor.databaseIsIntact': 'It is intact.',
  'doctor.doesNotExistButDatabase':
    '{name} does not exist, but a database does: its secrets cannot be opened.',
  'doctor.doesNotRunRoot': 'It does not run as root.',
  'doctor.existsOnlyOwnerCanRead': '{name} exists, and only its owner can read it.',
  'doctor.ffmpegConvertsWithoutCageBecause':
    'ffmpeg {version} converts without a cage, because of --transcoder-cage none.',
  'doctor.ffmpegEncodes': 'ffmpeg {version} encodes {where}.',
  'doctor.ffmpegEncodesButProcessorAlone':
    'ffmpeg {version} encodes {where}, but on the processor alone.',
  'doctor.ffmpegEncodesPictures': 'ffmpeg {version} encodes {where}, and pictures with {encoder}.',
  'doctor.firstStartCreates': 'The first start creates it.',
  'doctor.fixCauseMessage': 'Fix the cause in the message.',
  'doctor.fixCauseMessageDatabaseItself':
    'Fix the cause in the message; the database itself may be whole.',
  'doctor.folderCanBeRead': '{folder} can be read.',
  'doctor.freeSomeSpaceMoveData':
    'Free some space, or move the data folder to a larger disk (--data).',
  'doctor.giveCommandHostPortServer':
    'Give this command the --host and --port of the server; otherwise check its log.',
  'doctor.giveMachineContainer1Gib': 'Give the machine or its container 1 GiB.',
  'doctor.inCage': 'in its cage',
  'doctor.inCageOfLandlock': 'in a cage of Landlock',
  'doctor.installBubblewrapForCage':
    'Install bubblewrap, allow user namespaces, and leave --transcoder-cage out.',
  'doctor.installBubblewrapForPlugins':
    'Install bubblewrap and allow user namespaces, or util-linux 2.41 or later, as docs/installing.md says.',
  'doctor.installFfmpeg51Later':
    'Install ffmpeg 5.1 or later, and bubblewrap or util-linux 2.41 or later, as docs/installing.md says.',
  'doctor.keyCannotBeRead': '{name} cannot be read.',
  'doctor.letServerMakeBackupsBackup':
    'Let the server make backups (--backup-hours 24), or run vitrine backup create.',
  'doctor.letUserServerOpenDevice':
    'Let the user of the server open the device (group render or video) and install its driver, or leave --transcoder-hardware out.',
  'doctor.listensOnly': 'It listens on {host} only.',
  'doctor.manageDoctorListsProblemsDo': 'Manage, Doctor lists its problems; so do the lines above.',
  'doctor.managePluginsListsThemVitrine':
    'Manage, Plugins lists them; vitrine plugin rollback <id> restores the previous version.',
  'doctor.mediaNotConvertedPlayersCannot':
    'Media are not converted for players that cannot play them: {why}',
  'doctor.mibFreeDiskDataFolder': '{size} MiB are free on the disk of the data folder.',
  'doctor.mountGiveUserServerRead':
    'Mount it, or give the user of the server read access; its items are kept until then.',
  'doctor.newestBackupDaysOld': 'The newest backup in {backupFolder} is {days} days old.',
  'doctor.newestOneDaysOld': 'The newest one is {days} days old.',
  'doctor.noBackup': 'There is no backup in {backupFolder}.',
  'doctor.noServerRunningDataFolder': 'No server is running on this data folder.',
  'doctor.nodeButPluginsNeedNode': 'This is Node {version}, but plugins need Node 24.',
  'doctor.openEveryUserMachineMode': '{data} is open to every user of the machine (mode {mode}).',
  'doctor.placeCannotBeRead': '{uri} cannot be read.',
  'doctor.placeDoesNotExist': '{name} does not exist.',
  'doctor.placeDoesNotExistYet': '{folder} does not exist yet.',
  'doctor.pluginHostStartsEndlessLoop':
    'A plugin host starts, and an endless loop in it can be stopped.',
  'doctor.pluginIsolationRequireNoPlugin': 'With --plugin-isolation require no plugin starts.',
  'doctor.pluginsBehindLandlock': '{tier}: plugins run behind Landlock, set up by {program}.',
  'doctor.pluginsFailed': '{failed} of {total} plugins have failed.',
  'doctor.pluginsInNamespaces': '{tier}: plugins run in namespaces, made by {program}.',
  'doctor.pluginsNoneFailed': '{total} plugins, none has failed.',
  'doctor.pluginsWithoutNamespaces': '{tier}: plugins run without namespaces ({why}).',
  'doctor.postgresqlBackedUpElsewhere': 'Others back up PostgreSQL (--backup-elsewhere on).',
  'doctor.putFileBackBackupKeys':
    'Put the file back from a backup with keys. The next start creates a new one; then the license key and the secrets of plugins must be entered again.',
  'doctor.putProxyCertificateFrontDocs':
    'Put a proxy with a certificate in front of it: docs/reverse-proxy.md.',
  'doctor.removeNodeModulesStartAgain':
    'Remove node_modules and start again with npm start, on a system that README.md names.',
  'doctor.restoreBackupVitrineBackupRestore': 'Restore a backup: vitrine backup restore <file>.',
  'doctor.runCommandUserServerGive':
    'Run this command as the user of the server, or give that user the folder with chown -R.',
  'doctor.runUserOwnDocsInstalling': 'Run it as a user of its own, as docs/installing.md shows.',
  'doctor.serverListensButPublicUrl':
    'The server listens on {host}, but --public-url, the address for clients, is not set.',
  'doctor.serverMayOpenFiles': 'The server may open {most} files.',
  'doctor.serverMayOpenFilesClients':
    'The server may open {most} files; clients and watched folders need more.',
  'doctor.serverMayUse': 'The server may use {shown}.',
  'doctor.serverMayUseTooLittle':
    'The server may use {shown}; this is too little for many plugins.',
  'doctor.serverRunningDataFolderBut':
    'A server is running on this data folder, but {url} does not answer.',
  'doctor.setPublicUrlInvitesPasskeys': 'Set --public-url; invites and passkeys need it.',
  'doctor.setTrustedProxy':
    'Set --trusted-proxy 127.0.0.1 (and ::1), if the proxy is on this machine.',
  'doctor.startServerNpmStartInstalls': 'Start the server with npm start, which installs Node 24.',
  'doctor.sysctlFsInotifyMaxUser':
    'sysctl fs.inotify.max_user_watches=524288, and the same line in /etc/sysctl.d.',
  'doctor.systemWatchesUpFolders': 'The system watches up to {most} folders.',
  'doctor.systemWatchesUpFoldersLibraries':
    'The system watches up to {most} folders; libraries with more are scanned at intervals.',
  'doctor.thisIsNode': 'This is Node {version}.',
  'doctor.vitrineBackupCreateMakesOne':
    'vitrine backup create makes one now; Manage, Settings says why none was made.',
  'files.moreFiles': 'Raise the limit of open files (LimitNOFILE of systemd, ulimit -n).',
  'files.nearlyUsedUp':
    'The server has nearly used up the files and connections that it may have open.',
  'files.openOfMost': '{open} of {most} are open; without them new clients are turned away.',
  'libraries.andMore': 'And {rest} more.',
  'libraries.cannotReachedNoneFilesMarked':
    'It cannot be reached, so none of its files is marked as missing.',
  'libraries.diskMountedHereAbsentNone':
    'The disk that was mounted here is absent. None of its files is marked as missing until it has been absent for 30 days.',
  'libraries.emptyNowDiskMayMissing':
    'It is empty now: a disk may be missing. None of its files is marked as missing. If it is meant to be empty, take it out of the library.',
  'libraries.firstPlace': 'The first place is {uri}.',
  'libraries.folderCannotBeUsed': 'A folder of the library {library} cannot be used.',
  'libraries.lastScanFailed': 'The last scan of the library {library} failed.',
  'libraries.lastScanLibraryCouldNot':
    'The last scan of the library {library} could not read everything.',
  'libraries.liesAnotherDiskBeforeLacks':
    'It lies on another disk than before and lacks files. None of them is marked as missing. If the new disk is right, take the folder out of the library and add it again.',
  'libraries.mountDiskGiveUserServer':
    'Mount its disk, or give the user of the server read access; then scan the library.',
  'libraries.removeCauseScanLibraryAgain': 'Remove the cause, and scan the library again.',
  'libraries.resultScanPageJobsLists':
    'The result of the scan, on the page of its jobs, lists them. Give the user of the server read access, or repair the links.',
  'license.expiredCouldNotConfirmedToo': 'It has expired, or could not be confirmed for too long.',
  'license.licenseActive': 'The license is active.',
  'license.licenseAuthorityCouldNotTold':
    'The license authority could not be told that the license {maskedKey} is no longer used here. Enter it and remove it again to return its seat.',
  'license.licenseAuthorityNoLongerAccepts':
    'The license authority no longer accepts it. Contact its issuer.',
  'license.licenseExpired': 'The license is expired.',
  'license.licenseInvalid': 'The license is invalid.',
  'license.noLicense': 'There is no license.',
  'license.otherServersUseAllSeats':
    'Other servers use all of its seats. Remove it from one of them, and enter the key again.',
  'license.seatLicenseMayStillTaken': 'The seat of the license may still be taken.',
  'load.doesWorkMsLate': 'It does its work {ms} ms late.',
  'load.giveMachineMoreMemoryProcessors':
    'Give the machine more memory and processors, or remove what uses them.',
  'load.memoryNearlyUsedUp': 'Its memory is nearly used up.',
  'load.serverOverloadedRefusesRequests': 'The server is overloaded and refuses requests.',
  'marketplace.contactPublisherRemoveSource':
    'Contact the publisher of {url}, or remove the source.',
  'marketplace.indexExpiredUntilSignedAgain':
    'Its index expired at {expiresAt}; until it is signed again, no plugin can be installed from it, and new revocations are not known.',
  'marketplace.keyRevoked': '{source} revoked the key of its publisher: {reason}',
  'marketplace.marketplaceSourceExpired': 'The marketplace source {name} has expired.',
  'marketplace.noReason': 'The source gives no reason.',
  'marketplace.pluginNoLongerRevoked': 'The plugin {pluginId} is no longer revoked.',
  'marketplace.pluginRevokedStopped': 'The plugin {pluginId} was revoked and stopped.',
  'marketplace.versionRevoked': '{source} revoked version {version}: {reason}',
  'marketplace.versionRolledBack': 'Version {version} of {pluginId} was rolled back.',
  'matching.cataloguesSeveralEntriesMayTheirs':
    'Catalogues have several entries that may be theirs. Choose the right ones.',
  'matching.itemsNeedLook': '{count} items of the library {library} need a look.',
  'matching.oneItemNeedsLook': '1 item of the library {library} needs a look.',
  'notifications.jobFailed': 'The job {type} failed.',
  'notifications.jobOfLibraryFailed': 'The job {type} of {library} failed.',
  'notifications.jobOfSomeLibraryFailed': 'The job {type} of a library failed.',
  'notifications.noReasonGiven': 'No reason was given.',
  'plugins.chooseAnotherOneVitrinePlugin': 'To choose another one: vitrine plugin providers.',
  'plugins.crashedTooOften': 'It has crashed too often.',
  'plugins.disabled': 'It was disabled.',
  'plugins.doesNotPermission': 'It does not have the permission.',
  'plugins.eventsAboveLimitDroppedLog':
    '{count} events above the limit were dropped. The log of the plugin may say why it does not take them.',
  'plugins.failedFiftyTimesRow': '{handler} failed fifty times in a row.',
  'plugins.failures': '{count} failures in {minutes} minutes; the last one was {handler}: {cause}',
  'plugins.gaveNoAnswerTimeThree': '{handler} gave no answer in time, three times in a row.',
  'plugins.logSaysMoreRestartWhen': 'Its log says more; restart it when the cause is fixed.',
  'plugins.noPluginProvidesNow': 'No plugin provides it now.',
  'plugins.noReasonGiven': 'No reason was given.',
  'plugins.pageUnderManagePluginsAll': 'Its page under Manage, Plugins has all of them.',
  'plugins.pageUnderManagePluginsLists':
    'Its page under Manage, Plugins lists what it asks for, with reasons; it runs as soon as that is granted.',
  'plugins.partPluginSuspended': 'A part of the plugin {name} is suspended.',
  'plugins.pluginFailedStopped': 'The plugin {name} failed and was stopped.',
  'plugins.pluginFailsOften': 'The plugin {name} fails often.',
  'plugins.pluginMissedEvents': 'The plugin {plugin} missed events.',
  'plugins.pluginNoLongerProvides': 'The plugin {pluginId} no longer provides {keys}.',
  'plugins.pluginProvidesNow': 'The plugin {instead} provides it now.',
  'plugins.pluginWaitsPermissions': 'The plugin {name} waits for permissions.',
  'plugins.publisherRevoked': 'Its publisher revoked it.',
  'plugins.removed': 'It was removed.',
  'plugins.serverDoesNotCallMinute':
    'The server does not call it for a minute, and for longer while that goes on; the rest of the plugin works. Its page under Manage, Plugins says more.',
  'secrets.keyServerDoesNotOpen': 'The key of this server does not open the stored secrets.',
  'secrets.licenseLost': 'The license is lost.',
  'secrets.secretsThesePluginsLost': 'Secrets of these plugins are lost: {ofPlugins}.',
  'secrets.stopServerPutServerKey':
    'Stop the server and put server.key and server-id.key of the earlier data folder back, from a backup with keys. Without them, enter the secrets again.',
  'secrets.theySealedAnotherServerKey': 'They were sealed with another server.key.',
  'servers.differs': 'The server {name} differs from the leader.',
  'servers.gaveNoSignSince': 'The server {name} has given no sign since {at}.',
  'servers.itLacks':
    'These plugins do not run on it: {detail}. It takes no jobs of their libraries, and does not lead.',
  'servers.itsClock': 'Its clock is {detail} seconds ahead of that of the database.',
  'servers.itsPlugins': 'These plugins or their versions differ: {detail}.',
  'servers.itsSettings': 'These settings differ: {detail}.',
  'servers.itsVersion': 'Its version is {detail}.',
  'servers.listed': 'Of {count} servers {missing} are missing; the leader is {leader}.',
  'servers.makeThemAlike':
    'Give all servers the same version, settings and plugins; docs/several-servers.md says which.',
  'servers.seeWhyItLacks':
    'It tries again by itself. If that does not help, look into its log, or install the plugin again.',
  'servers.setItsClock': 'Set its clock by the network (NTP).',
  'servers.startItAgain':
    'See why it does not run, and start it again. Otherwise it is forgotten after a day.',
  'tasks.lastMadeAt': 'It was made at {lastSuccess}.',
  'tasks.lastScheduledBackupOlderTwo':
    'The last scheduled backup is older than two of its intervals.',
  'tasks.manageSettingsReasonLastFailure':
    'Manage, Settings has the reason of the last failure; make a backup by hand meanwhile.',
  'tasks.noScheduledBackupSucceededYet': 'No scheduled backup has succeeded yet.',
  'tasks.removeCauseRunAgainUnder': 'Remove the cause; run it again under Manage, Settings.',
  'tasks.runsAgainWhenDueRun':
    'It runs again when it is due, or run it again under Manage, Settings.',
  'tasks.scheduledBackupFailed': 'The scheduled backup failed.',
  'tasks.scheduledTaskFailed': 'The scheduled task {name} failed.',
  'updates.vitrineAvailable': 'Vitrine {version} is available.',
  'updates.youHave': 'You have {currentVersion}.',
  'watching.foldersCannotWatchedHere': 'its folders cannot be watched here',
  'watching.libraryNotWatchedChanges': 'The library {name} is not watched for changes: {why}.',
  'watching.noPluginServesFiles': 'no plugin serves its files',
  'watching.scanByHand': 'Scan it by hand.',
  'watching.scannedEveryMinutesInstead': 'It is scanned every {minutes} minutes instead.',
  'watching.startPluginFilesystem': 'Start the plugin of its filesystem.',
  'watching.vitrineDoctorSaysWhetherSystem':
    'vitrine doctor says whether the system has too few watches.',
  'writes.anotherProgramHoldsLockDatabase': 'Another program holds the lock of the database.',
  'writes.checkDiskCablesLogSystem':
    'Check the disk and its cables; the log of the system (dmesg) says more.',
  'writes.checkDiskPostgresqlRunsLog':
    'Check its disk, or that PostgreSQL runs; the log says more.',
  'writes.databaseDamaged': 'The database is damaged.',
  'writes.databaseFailedStoreChange': 'The database failed to store a change.',
  'writes.diskFails': 'The disk of the {place} fails.',
  'writes.diskIsFull': 'The disk of the {place} is full.',
  'writes.diskIsReadOnly': 'The disk of the {place} is read-only.',
  'writes.giveFolderUserServerChown': 'Give the folder to the user of the server with chown -R.',
  'writes.into.dataFolder': 'data folder',
  'writes.into.database': 'database',
  'writes.into.folderOfDatabase': 'folder of the database',
  'writes.logSystemDmesgSaysWhy':
    'The log of the system (dmesg) says why. Check the disk, and mount it for writing again.',
  'writes.makeRoomWhatReadsKeeps':
    'Make room on it. What reads keeps working, and everything else continues by itself.',
  'writes.mayNotWrite': 'The server may not write into the {place}.',
  'writes.of.dataFolder': 'data folder',
  'writes.of.database': 'database',
  'writes.of.folderOfDatabase': 'folder of the database',
  'writes.runVitrineDatabaseCheckConfirms':
    'Run vitrine database check. If it confirms the damage, restore a backup (vitrine backup restore).',
  'writes.stopOtherProgramBackupTool':
    'Stop the other program: a backup tool, or an open SQLite shell.',
  'restored.sessionsEnded': 'Sessions that ended',
  'restored.profilesAskPinAgain': 'Profiles that ask for their PIN again',
  'restored.usersLatestPasswordRoleAccess':
    'Users with their latest password, role and access; removed ones are disabled',
  'restored.groupsLatestAccess': 'Groups with their latest access',
  'restored.profilesLatestPinAccess': 'Profiles with their latest PIN and access',
  'restored.apiKeysStayRemoved': 'API keys that stay removed',
  'restored.passkeysStayRemovedAddedSince': 'Passkeys that stay removed, or were added since',
  'restored.invitesStayUsedRemoved': 'Invites that stay used or removed',
  'restored.latestAdminsBecauseBackupNone':
    'The latest admins, because the backup has none who can sign in',
  'restored.sessionsIdentitiesEnded': 'Sessions of identities that ended',
  'restored.identitiesStayUnlinkedKeepLatest':
    'Identities that stay unlinked, or keep their latest key',
  'restored.replacedKeysIdentities': 'Replaced keys of identities',
  'restored.devicesIdentitiesStayRevoked': 'Devices of identities that stay revoked',
  'restored.pluginsStayDisabledMayDo': 'Plugins that stay disabled, or may do less',
  'restored.partsServerProviderJustBefore': 'Parts of the server with the provider of just before',
  'restored.pluginsWhosePackageStaysRevoked': 'Plugins whose package stays revoked',
  'restored.marketplaceSourcesStayRemovedNewer':
    'Marketplace sources that stay removed, or have the newer index',
  'restored.marketplaceIndexesLaterKnownSequence':
    'Marketplace indexes with a later known sequence',
  'restored.revocationsMarketplaceSources': 'Revocations of marketplace sources',
  'restored.replacedKeysPublishers': 'Replaced keys of publishers',
  'restored.librariesStayHidden': 'Libraries that stay hidden',
  'restored.pluginsActForProfileNoLonger': 'Plugins that no longer act for a profile',
  'restored.serversOfBackup': 'Servers that ran when the backup was made',
  'health.ok': 'ok',
  'health.starting': 'starting',
  'health.degraded': 'degraded',
  'health.failing': 'failing',
  'stored.internalError': 'internal error',
  'stored.fileFolderDoesNotExist': 'The file or folder does not exist.',
  'stored.pathDoesNotExist': 'The path does not exist.',
  'stored.scanFailed': 'The scan failed.',
  'stored.crashed': 'It crashed.',
  'stored.gaveNoReason': 'It gave no reason.',
  'stored.processEnded': 'Its process ended.',
  'stored.processNoLongerAnswers': 'Its process no longer answers.',
  'stored.processWentOverMemoryCap': 'Its process went over its memory cap.',
  'stored.channelFailed': 'Its channel failed.',
  'stored.wentOverMemoryLimit': 'Went over its memory limit.',
  'stored.sentTooManyMalformedMessages': 'Sent too many malformed messages.',
  'stored.wentComputingPastDeadlineCall': 'Went on computing past the deadline of its call.',
  'stored.runsCodeNothingCanInterrupt': 'Runs code that nothing can interrupt.',
  'stored.processSharedOthersEnded': 'The process that it shared with others ended.',
  'stored.computedMsWithoutPause': 'Computed for {time} ms without a pause.',
  'stored.pluginDidNotStartWithin': 'The plugin did not start within {time} s.',
  'stored.pluginDidNotStart': 'Plugin {id} did not start: {why}',
  'stored.pluginNotRunning': 'Plugin {id} is not running.',
  'stored.noAnswerCameMs': 'No answer came in {time} ms.',
  'stored.didNotAnswerTime': '{host} did not answer in time.',
  'stored.redirectsTooOften': '{host} redirects too often.',
  'stored.serverEndedTimesDuringJob':
    'The server ended {times} times during this job, which made no progress.',
  'stored.noPluginFindsFilesLibrary':
    'No plugin finds files for a library of the type {type}; the types that work here are {types}.',
  'stored.diskBackupFolderFullNothing':
    'The disk of the backup folder {place} is full, and nothing was stored.',
  'stored.makeRoom': 'Make room on it.',
  'stored.diskBackupFolderReadOnly': 'The disk of the backup folder {place} is read-only.',
  'stored.mountWriting': 'Mount it for writing.',
  'stored.backupFolderCannotUsedUser':
    'The backup folder {place} cannot be used by the user of this process ({code}).',
  'stored.makeUserOwner': 'Make that user its owner.',
  'stored.diskBackupFolderFailed': 'The disk of the backup folder {place} failed ({code}).',
  'stored.logSystemDmesgSaysMore': 'The log of the system (dmesg) says more.',
  'stored.backupFolderNotFolderLies':
    'The backup folder {place} is not a folder, or lies in a file ({code}).',
  'stored.moveFileAway': 'Move that file away.',
  'stored.updateServiceCouldNotReached': 'The update service could not be reached.',
  'stored.updateServiceAnswered': 'The update service answered with {status}.',
  'stored.noUpdateChecksStartServer':
    'There are no update checks: start the server with --update-url and --update-key.',
  'stored.channelFileNotJson': 'The channel file is not JSON.',
  'stored.channelFileNotSignedKey': 'The channel file is not signed with the key of --update-key.',
  'stored.databaseDamaged': 'The database is damaged: {fault}.',
  'stored.couldNotReached': '{host} could not be reached{why}.',
  'stored.couldNotRead': '{what} could not be read.',
} as const;

export type WordKey = keyof typeof english;

/** A language lacks no word: else it does not compile. */
export type Words = Readonly<Record<WordKey, string>>;

/** The values that a word asks for. */
export type ValueNames<Key extends WordKey> = NamesIn<(typeof english)[Key]>;

type NamesIn<Word extends string> = Word extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;
