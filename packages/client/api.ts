/* Written by `npm run vitrine -- task client` from the API document. */
export interface paths {
    readonly "/api/openapi.json": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** This document */
        readonly get: operations["getOpenApiDocument"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/api-keys": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** List my API keys, or for an admin those of all users, newest first */
        readonly get: operations["listApiKeys"];
        readonly put?: never;
        /** Make an API key */
        readonly post: operations["createApiKey"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/api-keys/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        readonly post?: never;
        /** Revoke an API key */
        readonly delete: operations["deleteApiKey"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/audit": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** List the audit log, newest first */
        readonly get: operations["listAuditEntries"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/audit/verify": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Verify the chain of the audit log, and that it holds a noted entry */
        readonly post: operations["checkAuditLog"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/auth/login": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Sign in with name and password */
        readonly post: operations["signIn"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/auth/login/passkey": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Sign in with a passkey alone */
        readonly post: operations["signInWithPasskey"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/auth/logout": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** End the session of this request */
        readonly post: operations["signOut"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/auth/me": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** The viewer of the credential */
        readonly get: operations["getViewer"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        /** Choose whether my password alone lets me in */
        readonly patch: operations["updateViewer"];
        readonly trace?: never;
    };
    readonly "/api/auth/password": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Change my password, which ends my other sessions */
        readonly post: operations["changePassword"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/auth/sessions": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** List my sessions */
        readonly get: operations["listSessions"];
        readonly put?: never;
        readonly post?: never;
        /** End all my sessions except the one of this request */
        readonly delete: operations["endOtherSessions"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/auth/sessions/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        readonly post?: never;
        /** End one of my sessions */
        readonly delete: operations["endSession"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/backups": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** List backups, newest first */
        readonly get: operations["listBackups"];
        readonly put?: never;
        /** Make a backup; the answer comes after it was made and verified */
        readonly post: operations["createBackup"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/backups/{filename}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Download a backup */
        readonly get: operations["downloadBackup"];
        readonly put?: never;
        readonly post?: never;
        /** Delete a backup */
        readonly delete: operations["deleteBackup"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/backups/{filename}/restore": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Restore a backup: the server verifies it and restarts with it */
        readonly post: operations["restoreBackup"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/collections": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** List collections, by name */
        readonly get: operations["listCollections"];
        readonly put?: never;
        /** Make a collection; 409 when its distributedId is taken */
        readonly post: operations["createCollection"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/collections/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** One collection */
        readonly get: operations["getCollection"];
        readonly put?: never;
        readonly post?: never;
        /** Remove a collection; its items stay in their libraries */
        readonly delete: operations["deleteCollection"];
        readonly options?: never;
        readonly head?: never;
        /** Change a collection; an automatic one only as an admin */
        readonly patch: operations["updateCollection"];
        readonly trace?: never;
    };
    readonly "/api/collections/{id}/items": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Items of a collection, in its own order or another one */
        readonly get: operations["listCollectionItems"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/collections/{id}/items/{itemId}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        /** Add an item to a collection, or move it in the manual order */
        readonly put: operations["addCollectionItem"];
        readonly post?: never;
        /** Remove an item from a collection */
        readonly delete: operations["removeCollectionItem"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/database": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** The last check of the database since the start; null = there was none */
        readonly get: operations["getDatabaseCheck"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/database/check": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Check the whole database; the answer comes at the end */
        readonly post: operations["checkDatabase"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/collections/{id}/entries": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Entries of a playlist, in its order */
        readonly get: operations["listPlaylistEntries"];
        readonly put?: never;
        /** Add items to a playlist, at a place or at the end */
        readonly post: operations["addPlaylistEntries"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/collections/{id}/entries/{entryId}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        readonly post?: never;
        /** Remove an entry of a playlist */
        readonly delete: operations["removePlaylistEntry"];
        readonly options?: never;
        readonly head?: never;
        /** Move an entry of a playlist */
        readonly patch: operations["updatePlaylistEntry"];
        readonly trace?: never;
    };
    readonly "/api/entities": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** List entities of one type, with counts of what the viewer may see */
        readonly get: operations["listEntities"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/entities/letters": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Letters of the list of entities by name */
        readonly get: operations["getEntityLetters"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/entities/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** One entity */
        readonly get: operations["getEntity"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        /** Edit an entity; later scans keep the edits */
        readonly patch: operations["updateEntity"];
        readonly trace?: never;
    };
    readonly "/api/entities/{id}/items": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Items of an entity in the order of seasons, discs or volumes, in all roles or in one */
        readonly get: operations["listEntityItems"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/entities/{id}/children": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Seasons of a show, albums of an artist, books of a series, in their order */
        readonly get: operations["listEntityChildren"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/entities/{id}/merge": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Merge other entities into this one, also for later scans */
        readonly post: operations["mergeEntities"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/entities/{id}/split": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Split items off an entity into a new one */
        readonly post: operations["splitEntity"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/events": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Follow the events of the libraries that the viewer may see; admins, all events */
        readonly get: operations["streamEvents"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/files/{id}/link": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** A link that opens the bytes of a file for some hours */
        readonly post: operations["createFileLink"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/assets/{id}/link": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** A link that opens the picture for some hours */
        readonly post: operations["createAssetLink"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/folders": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Folders in a folder of the server, by name, for choosing those of a library */
        readonly get: operations["listFolders"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/files/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** One file */
        readonly get: operations["getFile"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/files/{id}/stream": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** The bytes of a file */
        readonly get: operations["streamFile"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/assets/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** A picture of an item, as it is stored or in another size and format */
        readonly get: operations["getAsset"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/files/{id}/text/{track}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Subtitles or lyrics of a file, as WebVTT or ASS */
        readonly get: operations["getTextTrack"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/files/{id}/fonts": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Fonts that are in a file, for its ASS tracks */
        readonly get: operations["getFonts"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/files/{id}/fonts/{index}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** A font that is in a file */
        readonly get: operations["getFont"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/items/{id}/lyrics": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** The lyrics of an item, with their times if they have some */
        readonly get: operations["getLyrics"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/home": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** The first page: what to continue, what is next, new, liked, and rows of plugins */
        readonly get: operations["getHome"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/groups": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** List groups, by name */
        readonly get: operations["listGroups"];
        readonly put?: never;
        /** Make a group */
        readonly post: operations["createGroup"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/groups/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** One group */
        readonly get: operations["getGroup"];
        readonly put?: never;
        readonly post?: never;
        /** Remove a group; 409 while a user or an open invite names it */
        readonly delete: operations["deleteGroup"];
        readonly options?: never;
        readonly head?: never;
        /** Change a group; it takes effect for its users at once */
        readonly patch: operations["updateGroup"];
        readonly trace?: never;
    };
    readonly "/api/identity/links": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** List my links, or for an admin those of all users */
        readonly get: operations["listIdentityLinks"];
        readonly put?: never;
        /** Start to link my identity */
        readonly post: operations["createIdentityLink"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/identity/links/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** The state of a link */
        readonly get: operations["getIdentityLink"];
        readonly put?: never;
        readonly post?: never;
        /** Unlink an identity, which ends its sessions */
        readonly delete: operations["deleteIdentityLink"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/identity/links/{id}/confirm": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Confirm the identity of a link */
        readonly post: operations["confirmIdentityLink"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/auth/identity-session/begin": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Send a pass, and get a challenge to sign */
        readonly post: operations["beginIdentitySession"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/auth/identity-session/complete": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Send the signed challenge, and get a session */
        readonly post: operations["completeIdentitySession"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/auth/identity/me": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** The viewer of an identity session */
        readonly get: operations["getIdentityViewer"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/invites": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** List invites, newest first */
        readonly get: operations["listInvites"];
        readonly put?: never;
        /** Make an invite */
        readonly post: operations["createInvite"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/invites/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** The same, with the token in the path: POST /api/invites/look keeps it out of logs */
        readonly get: operations["previewInviteByPath"];
        readonly put?: never;
        readonly post?: never;
        /** Revoke an invite */
        readonly delete: operations["deleteInvite"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/invites/look": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** What an invite grants; the token is in the body, which proxies do not log */
        readonly post: operations["previewInvite"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/invites/redeem": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Become a user and sign in; the token is in the body, which proxies do not log */
        readonly post: operations["redeemInvite"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/invites/{token}/redeem": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** The same, with the token in the path: POST /api/invites/redeem keeps it out of logs */
        readonly post: operations["redeemInviteByPath"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/reachable/{nonce}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** How the server recognises itself at its public URL */
        readonly get: operations["answerReachabilityCheck"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/settings": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** The settings that the server was started with, and where each comes from */
        readonly get: operations["getSettings"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/doctor": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Examine the installation now, as `vitrine doctor` does */
        readonly get: operations["checkInstallation"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/items": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** List items */
        readonly get: operations["listItems"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/items/letters": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Letters of the list of items by title */
        readonly get: operations["getItemLetters"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/items/languages": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Languages of the sound of items, for the filter `language` */
        readonly get: operations["getItemLanguages"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/items/months": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Months of the list of items by date of release, of photos by the day they were taken */
        readonly get: operations["getItemMonths"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/items/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** One item */
        readonly get: operations["getItem"];
        readonly put?: never;
        readonly post?: never;
        /** Remove an item until one of its files changes; the files stay */
        readonly delete: operations["deleteItem"];
        readonly options?: never;
        readonly head?: never;
        /** Edit an item; later scans keep the edits */
        readonly patch: operations["updateItem"];
        readonly trace?: never;
    };
    readonly "/api/items/{id}/similar": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Titles like an item, the most similar first */
        readonly get: operations["listSimilarItems"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/items/{id}/chapters": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Chapters of all files of an item */
        readonly get: operations["listItemChapters"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/items/{id}/pictures": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** All pictures that an item can show, also those that it does not show */
        readonly get: operations["listItemPictures"];
        readonly put?: never;
        /** Upload a picture of an item, and show it; later scans keep it */
        readonly post: operations["addItemPicture"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/items/{id}/pictures/{pictureId}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        readonly post?: never;
        /** Delete an uploaded picture */
        readonly delete: operations["deleteItemPicture"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/entities/{id}/pictures": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Upload a picture of an entity, and show it; later scans keep it */
        readonly post: operations["addEntityPicture"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/entities/{id}/pictures/{pictureId}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        readonly post?: never;
        /** Delete an uploaded picture of an entity */
        readonly delete: operations["deleteEntityPicture"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/jobs": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** List jobs, newest first */
        readonly get: operations["listJobs"];
        readonly put?: never;
        /** Start a job */
        readonly post: operations["createJob"];
        /** Delete finished jobs by status */
        readonly delete: operations["deleteJobs"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/jobs/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** One job */
        readonly get: operations["getJob"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/jobs/{id}/cancel": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Cancel a job; a running one ends after its step */
        readonly post: operations["cancelJob"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/jobs/{id}/retry": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Run a failed job again */
        readonly post: operations["retryJob"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/libraries/{id}/unread-files": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Files of a library that could not be read */
        readonly get: operations["listUnreadFiles"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/libraries/{id}/removed-files": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Files of items that were removed from a library */
        readonly get: operations["listRemovedFiles"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/libraries/{id}/removed-files/restore": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Show removed files again; the scan makes items of them, without earlier edits */
        readonly post: operations["restoreRemovedFiles"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/libraries/{id}/hidden-entities": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Hidden people, shows, genres and others with items in a library */
        readonly get: operations["listHiddenEntities"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/libraries": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** List libraries, by name */
        readonly get: operations["listLibraries"];
        readonly put?: never;
        /** Create a library; the scan with the jobId fills it */
        readonly post: operations["createLibrary"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/libraries/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** One library */
        readonly get: operations["getLibrary"];
        readonly put?: never;
        readonly post?: never;
        /** Remove a library and its items; the files stay */
        readonly delete: operations["deleteLibrary"];
        readonly options?: never;
        readonly head?: never;
        /** Change a library */
        readonly patch: operations["updateLibrary"];
        readonly trace?: never;
    };
    readonly "/api/license/activate": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Enter a license key; 409 when all of its seats are taken */
        readonly post: operations["activateLicense"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/license": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** The state of the license; its key is masked */
        readonly get: operations["getLicense"];
        readonly put?: never;
        readonly post?: never;
        /** Remove the license from this server, and free its seat */
        readonly delete: operations["removeLicense"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/ws": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Follow the events over a WebSocket, and change the filter meanwhile */
        readonly get: operations["openEventSocket"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/logs": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** The last lines of the log of the server since its start, newest first */
        readonly get: operations["listLogLines"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/plugins/marketplace": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Search the plugins that the sources offer */
        readonly get: operations["listMarketplacePlugins"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/plugins/marketplace/install": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Install a plugin; one that asks for permissions waits until they are granted */
        readonly post: operations["installPlugin"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/plugins/marketplace/upgrade": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Upgrade a plugin; one that asks for more permissions waits until they are granted */
        readonly post: operations["upgradePlugin"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/plugins/marketplace/rollback": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Go back to a version that was installed here before, with its settings and data */
        readonly post: operations["rollBackPlugin"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/plugins/{id}/versions": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** List the versions of a plugin that were installed here before */
        readonly get: operations["listPluginVersions"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/plugins/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** One plugin */
        readonly get: operations["getPlugin"];
        readonly put?: never;
        readonly post?: never;
        /** Remove an installed plugin with all its data */
        readonly delete: operations["uninstallPlugin"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/plugins/marketplace/sources": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** List the sources */
        readonly get: operations["listMarketplaceSources"];
        readonly put?: never;
        /** Add a source; its key is pinned */
        readonly post: operations["createMarketplaceSource"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/plugins/marketplace/sources/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        readonly post?: never;
        /** Remove a source; plugins installed from it stay */
        readonly delete: operations["deleteMarketplaceSource"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/plugins/marketplace/refresh": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Fetch all sources now, and stop the plugins that they revoked */
        readonly post: operations["refreshMarketplaceSources"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/items/{id}/favourite": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        /** Make an item a favourite of the profile */
        readonly put: operations["addFavouriteItem"];
        readonly post?: never;
        /** Remove an item from the favourites of the profile */
        readonly delete: operations["removeFavouriteItem"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/items/{id}/rating": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        /** Rate an item for the profile; null removes the rating */
        readonly put: operations["setItemRating"];
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/entities/{id}/favourite": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        /** Make an entity a favourite of the profile */
        readonly put: operations["addFavouriteEntity"];
        readonly post?: never;
        /** Remove an entity from the favourites of the profile */
        readonly delete: operations["removeFavouriteEntity"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/matches/pending": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** List items of which no indexer is sure what they are */
        readonly get: operations["listPendingMatches"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/items/{id}/matches/picture": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** The picture of a candidate for an item */
        readonly get: operations["getCandidatePicture"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/items/{id}/matches": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Ask the indexers for candidates for an item */
        readonly get: operations["findItemMatches"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/items/{id}/match": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** The matches of an item */
        readonly get: operations["getItemMatch"];
        /** Choose the match of an item and of all of its show or album; the job ingests them again */
        readonly put: operations["setItemMatch"];
        readonly post?: never;
        /** Reject all matches of an item, its show or its album until a person chooses one */
        readonly delete: operations["deleteItemMatch"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/libraries/{id}/sources": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Which sources of metadata win in a library */
        readonly get: operations["getLibrarySources"];
        /** Put the sources of a library in order; the job merges again what is kept */
        readonly put: operations["setLibrarySources"];
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/health": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** The state of the server; 200 as long as its process answers */
        readonly get: operations["getHealth"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/ready": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Whether requests may be sent to this server; 503 with the reasons if not */
        readonly get: operations["getReadiness"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/stats": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Figures of the running server */
        readonly get: operations["getStats"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/metrics": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** All series of the server, for Prometheus */
        readonly get: operations["getMetrics"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/docs": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** This document, for people */
        readonly get: operations["showApiDocs"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/invite": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Accept an invitation */
        readonly get: operations["showInvitePage"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/pair": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Sign in by another device */
        readonly get: operations["showPairPage"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/setup": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Create the first admin */
        readonly get: operations["showSetupPage"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/sign-in": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Sign in */
        readonly get: operations["showSignInPage"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/console/{name}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** A file that the pages load */
        readonly get: operations["getPageFile"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/web/{name}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** A file that the app loads */
        readonly get: operations["getAppFile"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/notifications": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** List notifications, newest first */
        readonly get: operations["listNotifications"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/notifications/{id}/read": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Mark it as read; the same notification may then come again */
        readonly post: operations["markNotificationRead"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/notifications/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        readonly post?: never;
        /** Dismiss it */
        readonly delete: operations["deleteNotification"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/items/{id}/playback": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** The playback state of an item for the profile */
        readonly get: operations["getPlayback"];
        /** Set the playback state; players do so every few seconds */
        readonly put: operations["setPlayback"];
        readonly post?: never;
        /** Take an item out of what is to be continued; its count of plays is kept */
        readonly delete: operations["resetPlayback"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/items/{id}/watched": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        /** Mark an item as watched, or forget that it was */
        readonly put: operations["setItemWatched"];
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/entities/{id}/watched": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        /** Mark all items of an entity, such as a show or a season, as watched or not */
        readonly put: operations["setEntityWatched"];
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/continue-watching": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** What the profile started and did not finish, the latest first */
        readonly get: operations["listContinueWatching"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/next-up": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** The next episode of each show that the profile watches, the latest show first */
        readonly get: operations["listNextUp"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/libraries/{id}/playlists": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Playlist files (M3U) of a library */
        readonly get: operations["listPlaylistFiles"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/libraries/{id}/playlists/{fileId}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** A playlist file with its entries, as it is now */
        readonly get: operations["getPlaylistFile"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/items/{id}/playback-info": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** The tracks of the files of an item, and the types that a client tests */
        readonly get: operations["getPlaybackInfo"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/playback/sessions": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** What the profile plays now; for admins what everybody plays */
        readonly get: operations["listPlaybackSessions"];
        readonly put?: never;
        /** Begin to play a file in the way that suits the client */
        readonly post: operations["createPlaybackSession"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/playback/sessions/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        readonly post?: never;
        /** End a session */
        readonly delete: operations["endPlaybackSession"];
        readonly options?: never;
        readonly head?: never;
        /** Report the position every ten seconds, or change what is played */
        readonly patch: operations["updatePlaybackSession"];
        readonly trace?: never;
    };
    readonly "/api/playback/sessions/{id}/{link}/master.m3u8": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** The playlist of a session */
        readonly get: operations["getMasterPlaylist"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/playback/sessions/{id}/{link}/{track}/{quality}/index.m3u8": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** The segments of one quality of a track */
        readonly get: operations["getTrackPlaylist"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/playback/sessions/{id}/{link}/{track}/{quality}/iframes.m3u8": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** The keyframes of a track, for fast scrubbing */
        readonly get: operations["getKeyframePlaylist"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/playback/sessions/{id}/{link}/{track}/{quality}/{part}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** A segment of a track, or its init segment */
        readonly get: operations["getSegment"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/playback/sessions/{id}/{link}/first": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** What a player asks for first, in one answer */
        readonly get: operations["getFirstParts"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/playback/sessions/{id}/{link}/file": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** The bytes of the file of a session */
        readonly get: operations["getSessionFile"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/playback/sessions/{id}/{link}/text/{text}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** A text track of a session, at the times of the session */
        readonly get: operations["getSessionText"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/playback/sessions/{id}/{link}/trickplay/{name}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Little pictures for the bar of a player: their times, or a sheet of them */
        readonly get: operations["getTrickplay"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/playback/sessions/{id}/{link}/fonts/{index}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** A font that is in the file of a session */
        readonly get: operations["getSessionFont"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/plugins/packages/look": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Check a package file, and say what it asks for; nothing is installed */
        readonly post: operations["checkPluginPackage"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/plugins/packages": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Install or upgrade a plugin from a package file */
        readonly post: operations["installPluginPackage"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/plugins": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** List plugins */
        readonly get: operations["listPlugins"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/plugins/rescan": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Read the folders of local plugins again; new permissions wait for a grant */
        readonly post: operations["rescanPlugins"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/plugins/{id}/enable": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Enable a plugin */
        readonly post: operations["enablePlugin"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/plugins/{id}/disable": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Disable a plugin */
        readonly post: operations["disablePlugin"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/plugins/{id}/restart": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Restart a plugin */
        readonly post: operations["restartPlugin"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/plugins/{id}/configuration": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** The values of the configuration; secrets are `***` */
        readonly get: operations["getPluginConfiguration"];
        /** Replace the values of the configuration; `***` keeps a secret */
        readonly put: operations["setPluginConfiguration"];
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/plugins/{id}/logs": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** The last lines of the log */
        readonly get: operations["listPluginLogs"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/plugins/{id}/usage": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** The usage of the plugin */
        readonly get: operations["getPluginUsage"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/plugins/{id}/permissions": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** What the plugin asks for, and what it was granted */
        readonly get: operations["getPluginPermissions"];
        /** Grant permissions, never more than were asked for, and pick the libraries */
        readonly put: operations["setPluginPermissions"];
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/plugins/{id}/permissions/dry-run": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Which calls of its last run another grant would have refused */
        readonly get: operations["testPluginPermissions"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/plugins/{id}/actions/{rpcMethod}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Call an action that the manifest lists */
        readonly post: operations["runPluginAction"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/plugins/presets/metadata": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** The plugins that look things up on the internet, and their hosts */
        readonly get: operations["getMetadataPreset"];
        readonly put?: never;
        /** Let these plugins reach the hosts that they ask for */
        readonly post: operations["setMetadataPreset"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/plugins/providers": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Which plugin serves each capability, and which others could */
        readonly get: operations["listProviders"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/plugins/providers/{key}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        /** Choose the plugin that serves a capability */
        readonly put: operations["chooseProvider"];
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/profiles/{id}/plugins": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** The plugins that a profile can set up for itself, with what it entered */
        readonly get: operations["listProfilePlugins"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/profiles/{id}/plugins/{pluginId}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        /** Set what a profile enters in the form of a plugin; `***` keeps a secret */
        readonly put: operations["setProfilePlugin"];
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/plugins/{id}/secrets": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** The secrets of a plugin, without their values */
        readonly get: operations["listPluginSecrets"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/plugins/{id}/secrets/{name}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        /** Set a secret; its value is never shown again */
        readonly put: operations["setPluginSecret"];
        readonly post?: never;
        /** Delete a secret */
        readonly delete: operations["deletePluginSecret"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/profiles/{id}/preferences": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** What a profile prefers; `me` is the profile that asks */
        readonly get: operations["getPreferences"];
        /** Set what a profile prefers; keys that are not named stay */
        readonly put: operations["setPreferences"];
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/profiles": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** List profiles of a user */
        readonly get: operations["listProfiles"];
        readonly put?: never;
        /** Make a profile */
        readonly post: operations["createProfile"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/profiles/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** One profile */
        readonly get: operations["getProfile"];
        readonly put?: never;
        readonly post?: never;
        /** Remove a profile; 409 for the default one */
        readonly delete: operations["deleteProfile"];
        readonly options?: never;
        readonly head?: never;
        /** Change a profile, or its PIN */
        readonly patch: operations["updateProfile"];
        readonly trace?: never;
    };
    readonly "/api/profiles/{id}/unlock": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Enter the PIN; 429 with Retry-After after five wrong ones */
        readonly post: operations["unlockProfile"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/profiles/{id}/avatar": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** The picture of a profile */
        readonly get: operations["getProfileAvatar"];
        /** Upload a picture */
        readonly put: operations["setProfileAvatar"];
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/rating-systems": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** All rating systems with their steps */
        readonly get: operations["listRatingSystems"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/items/{id}/refresh": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Ingest the files of an item again; edits stay */
        readonly post: operations["refreshItem"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/auth/pairings": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Get a code that a person on another device accepts */
        readonly post: operations["beginPairing"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/auth/pairings/claim": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Ask whether the device was accepted; then the session, once */
        readonly post: operations["claimPairing"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/auth/pairings/look": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** The device that shows a code; for sessions only */
        readonly post: operations["lookAtPairing"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/auth/pairings/accept": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Sign me in on the device that shows a code; for sessions only */
        readonly post: operations["acceptPairing"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/auth/pairings/refuse": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Refuse the device that shows a code; for sessions only */
        readonly post: operations["refusePairing"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/auth/login/passkey/options": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Options for a browser to use a passkey */
        readonly post: operations["getPasskeySignInOptions"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/auth/passkeys": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** List my passkeys */
        readonly get: operations["listPasskeys"];
        readonly put?: never;
        /** Add the passkey that the browser created */
        readonly post: operations["createPasskey"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/auth/passkeys/options": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Options for a browser to create a passkey */
        readonly post: operations["getPasskeyCreationOptions"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/auth/passkeys/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        readonly post?: never;
        /** Remove one of my passkeys */
        readonly delete: operations["deletePasskey"];
        readonly options?: never;
        readonly head?: never;
        /** Rename one of my passkeys */
        readonly patch: operations["renamePasskey"];
        readonly trace?: never;
    };
    readonly "/api/setup": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Whether the server has no user yet */
        readonly get: operations["getSetupState"];
        readonly put?: never;
        /** Make the first admin and sign in */
        readonly post: operations["setUpServer"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/updates": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** What is known of newer versions */
        readonly get: operations["getUpdate"];
        /** Choose a channel, or suppress a version */
        readonly put: operations["setUpdateChannel"];
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/updates/check": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Ask the update service now */
        readonly post: operations["checkForUpdate"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/users": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** List users by name */
        readonly get: operations["listUsers"];
        readonly put?: never;
        /** Make a user, with a default profile */
        readonly post: operations["createUser"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/users/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** One user */
        readonly get: operations["getUser"];
        readonly put?: never;
        readonly post?: never;
        /** Remove a user with all their data */
        readonly delete: operations["deleteUser"];
        readonly options?: never;
        readonly head?: never;
        /** Change or disable a user */
        readonly patch: operations["updateUser"];
        readonly trace?: never;
    };
    readonly "/api/users/{id}/password": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Give a user a new password, which ends their sessions */
        readonly post: operations["setUserPassword"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/users/{id}/sessions": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Where a user is signed in, last used first */
        readonly get: operations["listUserSessions"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/users/{id}/sessions/{sessionId}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        readonly post?: never;
        /** End a session of a user */
        readonly delete: operations["endUserSession"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/scheduler": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** List scheduled tasks with their times */
        readonly get: operations["listTasks"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/scheduler/{name}/run": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Run it now; the answer does not wait for the end */
        readonly post: operations["runTask"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/.well-known/security.txt": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** The security contact of this server */
        readonly get: operations["getSecurityContact"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/search": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Search */
        readonly get: operations["search"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/plugins/views/{slot}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** The views of all plugins for a slot */
        readonly get: operations["listViews"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/plugins/views/actions": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Press a button or send a form of a view, with the context that the view had */
        readonly post: operations["runViewAction"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/webhooks": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** All webhooks, the oldest first */
        readonly get: operations["listWebhooks"];
        readonly put?: never;
        /** Make a webhook; only this answer has its secret */
        readonly post: operations["createWebhook"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/webhooks/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** A webhook */
        readonly get: operations["getWebhook"];
        readonly put?: never;
        readonly post?: never;
        /** Remove a webhook with its waiting deliveries */
        readonly delete: operations["deleteWebhook"];
        readonly options?: never;
        readonly head?: never;
        /** Change a webhook */
        readonly patch: operations["updateWebhook"];
        readonly trace?: never;
    };
    readonly "/api/webhooks/{id}/test": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Send the event webhook.test, once, and give the result */
        readonly post: operations["testWebhook"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/webhooks/{id}/deliveries": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Deliveries of a webhook, the newest first */
        readonly get: operations["listWebhookDeliveries"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/webhooks/{id}/deliveries/{deliveryId}/redeliver": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Deliver it again, from the first attempt and with the same id */
        readonly post: operations["redeliverWebhook"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
}
export interface webhooks {
    readonly event: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** An event, signed as Standard Webhooks prescribe */
        readonly post: operations["receiveEvent"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
}
export interface components {
    schemas: {
        readonly AdminPipelineEventData: {
            /** Format: uuid */
            readonly jobId: string;
            readonly detail: {
                readonly [key: string]: unknown;
            };
        };
        /**
         * @example {
         *       "id": "01957a3e-8d10-7c2b-8e11-6e3d5f9b2002",
         *       "userId": "01957a3a-1000-7e4d-8c33-805f71bd4004",
         *       "name": "Backup script",
         *       "role": "admin",
         *       "scopes": [
         *         "read-only"
         *       ],
         *       "createdAt": "2026-03-01T19:30:00.000Z",
         *       "expiresAt": null,
         *       "lastUsedAt": "2026-03-02T08:15:30.250Z"
         *     }
         */
        readonly ApiKey: {
            /** Format: uuid */
            readonly id: string;
            /** @description Its user */
            readonly userId: string | null;
            readonly name: string;
            readonly role: components["schemas"]["Role"];
            /** @description What limits it: `read-only`, `library:<id>`, `route:GET /api/items/:id`. A kind that is not named limits nothing: `read-only` alone reads every library of its user; `[]` = none, null = no limit */
            readonly scopes: readonly string[] | null;
            /** Format: date-time */
            readonly createdAt: string;
            /** Format: date-time */
            readonly expiresAt: string | null;
            /** Format: date-time */
            readonly lastUsedAt: string | null;
        };
        readonly AuditEntry: {
            /** @description Counts from 1 without a gap */
            readonly seq: number;
            /** Format: date-time */
            readonly at: string;
            readonly actor: {
                /** @description Also `server`, or `nobody` */
                readonly userId: string;
                readonly credentialId: string;
                readonly credentialKind: string;
            };
            /** @description The action, such as `user.created` */
            readonly action: string;
            readonly target: {
                readonly type: string;
                readonly id: string;
            } | null;
            readonly details: {
                readonly [key: string]: unknown;
            };
            /** @description The address of the client */
            readonly address: string | null;
            /** @description As in the log of the server */
            readonly requestId: string | null;
            /** @description SHA-256, 64 hex digits */
            readonly hash: string;
        };
        /**
         * @description A backup
         * @example {
         *       "filename": "vitrine-20260301T193000000Z.vbackup",
         *       "path": "backups/vitrine-20260301T193000000Z.vbackup",
         *       "sizeBytes": 1048576,
         *       "createdAt": "2026-03-01T19:30:00.000Z"
         *     }
         */
        readonly Backup: {
            readonly filename: string;
            /** @description In the data folder; a full path if backups are stored elsewhere */
            readonly path: string;
            readonly sizeBytes: number;
            /** Format: date-time */
            readonly createdAt: string;
        };
        readonly CapabilityConfig: {
            readonly library?: {
                readonly paths: readonly {
                    readonly type: string;
                    readonly rules: readonly string[];
                    readonly extensions: readonly string[];
                }[];
            };
            readonly filesystem?: {
                readonly supportsWatch: boolean;
                readonly supportsLocalFileAccess: boolean;
                readonly supportsWrite: boolean;
                readonly schemes?: readonly string[];
            };
        };
        /**
         * @example {
         *       "id": "01957a3e-8d10-7c2b-8e11-6e3d5f9b2002",
         *       "fileId": "01957a3e-8d11-7d3c-9d22-7f4e60ac3003",
         *       "title": "Opening",
         *       "source": "embedded",
         *       "startTime": 0,
         *       "endTime": 92.5,
         *       "role": "intro",
         *       "metadata": {},
         *       "assets": {},
         *       "createdAt": "2026-03-01T19:30:00.000Z",
         *       "updatedAt": "2026-03-02T08:15:30.250Z"
         *     }
         */
        readonly Chapter: {
            /** Format: uuid */
            readonly id: string;
            /** Format: uuid */
            readonly fileId: string;
            readonly title: string;
            readonly source: string;
            /** @description Seconds from the start of the file */
            readonly startTime: number;
            /** @description Seconds from the start of the file */
            readonly endTime: number | null;
            /** @description `intro credits recap chapter scene` */
            readonly role: string;
            readonly metadata: {
                readonly [key: string]: unknown;
            };
            readonly assets: {
                readonly [key: string]: string;
            };
            /** Format: date-time */
            readonly createdAt: string;
            /** Format: date-time */
            readonly updatedAt: string;
        };
        readonly ClientMessage: {
            /** @constant */
            readonly type: "auth";
            readonly token: string;
            /** Format: uuid */
            readonly profileId?: string | null;
        } | {
            /** @constant */
            readonly type: "subscribe";
            readonly types?: readonly string[] | null;
            readonly since?: string | null;
        } | {
            /** @constant */
            readonly type: "unsubscribe";
            readonly types?: readonly string[] | null;
        } | {
            /** @constant */
            readonly type: "ping";
        };
        /**
         * @example {
         *       "id": "01957a3e-8d10-7c2b-8e11-6e3d5f9b2002",
         *       "kind": "playlist",
         *       "userId": "01957a3a-1000-7e4d-8c33-805f71bd4004",
         *       "profileId": null,
         *       "distributedId": "rainy-days",
         *       "name": "Rainy days",
         *       "description": null,
         *       "mediaType": null,
         *       "sortBy": "manual",
         *       "sortOrder": "asc",
         *       "hidden": false,
         *       "itemCount": 12,
         *       "rule": null,
         *       "assets": {},
         *       "assetAspects": {},
         *       "coverItemId": null,
         *       "createdAt": "2026-03-01T19:30:00.000Z",
         *       "updatedAt": "2026-03-02T08:15:30.250Z"
         *     }
         */
        readonly Collection: {
            /** Format: uuid */
            readonly id: string;
            /**
             * @description A `playlist` is ordered, and an item may stand in it twice
             * @enum {string}
             */
            readonly kind: "collection" | "playlist";
            /**
             * Format: uuid
             * @description The owner; null = an automatic collection
             */
            readonly userId: string | null;
            /**
             * Format: uuid
             * @description Its profile: other profiles do not see it; null = an automatic collection
             */
            readonly profileId: string | null;
            /** @description The owner's own id for it, unique for the owner */
            readonly distributedId: string;
            readonly name: string;
            readonly description: string | null;
            /** @description Open: `movies tv music …`; null = mixed */
            readonly mediaType: string | null;
            /**
             * @description `manual` is the order that the owner chose
             * @enum {string}
             */
            readonly sortBy: "manual" | "title" | "year" | "addedAt";
            readonly sortOrder: components["schemas"]["SortOrder"];
            readonly hidden: boolean;
            /** @description Items that the viewer may see */
            readonly itemCount: number;
            /** @description The entity whose items it has; null = people choose them */
            readonly rule: {
                readonly entityId: string;
            } | null;
            readonly assets: {
                readonly [key: string]: string;
            };
            readonly assetAspects: {
                readonly [key: string]: string;
            };
            /** @description The item chosen for the cover */
            readonly coverItemId: string | null;
            /** Format: date-time */
            readonly createdAt: string;
            /** Format: date-time */
            readonly updatedAt: string;
        };
        readonly CollectionChanges: {
            readonly name?: string;
            /** @description An item of the collection whose picture is the cover; null = the first that has one */
            readonly coverItemId?: string | null;
            readonly description?: string | null;
            readonly mediaType?: string | null;
            /**
             * @description `manual` is the order that the owner chose
             * @enum {string}
             */
            readonly sortBy?: "manual" | "title" | "year" | "addedAt";
            readonly sortOrder?: components["schemas"]["SortOrder"];
            readonly hidden?: boolean;
        };
        readonly CollectionEventData: {
            /** Format: uuid */
            readonly collectionId: string;
            /** @enum {string} */
            readonly kind: "collection" | "playlist";
            /** Format: uuid */
            readonly profileId: string | null;
        };
        readonly ConfigField: {
            readonly key: string;
            readonly label: string;
            /** @enum {string} */
            readonly input: "text" | "secret" | "number" | "toggle" | "select" | "multi-select" | "string-list" | "file-path" | "color" | "slider";
            readonly required: boolean;
            readonly default?: unknown;
            readonly options?: readonly unknown[];
            readonly min?: number;
            readonly max?: number;
            readonly description?: string;
        };
        /** @description The result of a check of the whole database */
        readonly DatabaseCheck: {
            /** @description The database has no fault */
            readonly ok: boolean;
            /** Format: date-time */
            readonly checkedAt: string;
            /** @description Milliseconds */
            readonly duration: number;
            readonly faults: readonly {
                /** @description What was checked */
                readonly check: string;
                /** @description The fault, in a sentence */
                readonly message: string;
            }[];
        };
        readonly EarlierPluginVersion: {
            readonly version: string;
            /** Format: date-time */
            readonly replacedAt: string;
            /** @description Whether its code and data are kept here; else its code is fetched from a source again, and the data stays */
            readonly isKept: boolean;
            /** @description Whether a rollback without a version returns to it */
            readonly isNext: boolean;
            /** @description Why it must not run */
            readonly revoked: string | null;
        };
        readonly EntityChanges: {
            readonly name?: string;
            readonly searchTerms?: string | null;
            readonly hidden?: boolean;
            /** @description Pictures by type, such as `poster`; null removes one */
            readonly assets?: {
                readonly [key: string]: string | null;
            };
            /** @description `square portrait landscape` by type of picture */
            readonly assetAspects?: {
                readonly [key: string]: string | null;
            };
            /** @description Keys to set; null removes a key */
            readonly metadata?: {
                readonly [key: string]: unknown;
            };
        };
        readonly EntityDetail: {
            /** Format: uuid */
            readonly id: string;
            /** @description Open: `person genre artist album show season series studio` */
            readonly type: string;
            readonly name: string;
            /** @enum {string} */
            readonly status: "pending" | "complete";
            /** @description The plugin that named it first */
            readonly sourcePluginId: string | null;
            /** @description Other words by which it is found */
            readonly searchTerms: string | null;
            readonly assets: {
                readonly [key: string]: string;
            };
            readonly assetAspects: {
                readonly [key: string]: string;
            };
            /** Format: date-time */
            readonly createdAt: string;
            /** Format: date-time */
            readonly updatedAt: string;
            /** @description Items of it that the viewer may see */
            readonly itemCount: number;
            /** @description Those that the profile did not finish */
            readonly unwatchedCount: number;
            /** @description Of albums, shows, seasons and series: else null */
            readonly year: number | null;
            /** @description Of an album, its own artist first */
            readonly artists: readonly {
                /** Format: uuid */
                readonly id: string;
                readonly name: string;
            }[];
            readonly picture: components["schemas"]["TilePicture"] | null;
            /** @description Of all its items: seconds, for books pages; null = not known */
            readonly duration: number | null;
            /**
             * Format: date-time
             * @description When the newest of its items was added
             */
            readonly addedAt: string | null;
            /** @description Whether it is a favourite of the viewer's profile */
            readonly favourite: boolean;
            /** @description Its ids at providers, such as `{"imdb": "nm0000206"}` */
            readonly ids: {
                readonly [key: string]: string;
            };
            readonly metadata: {
                readonly [key: string]: unknown;
            };
            readonly hidden: boolean;
            /** @description Edited by a person: scans do not change them */
            readonly lockedFields: readonly string[];
            /** @description Which plugin wrote what; for admins */
            readonly provenance: readonly {
                readonly [key: string]: unknown;
            }[];
        };
        readonly EntityLetter: {
            /** @description `A` to `Z`, `#`, or a letter of another script */
            readonly letter: string;
            readonly count: number;
            /** @description Where `GET /api/entities` with the same filters begins with it */
            readonly cursor: string;
        };
        readonly EntityMarkEventData: {
            /** Format: uuid */
            readonly entityId: string;
            /** Format: uuid */
            readonly profileId: string;
            readonly favourite: boolean;
        };
        readonly EntityMarks: {
            readonly favourite: boolean;
        };
        readonly EntityMerge: {
            /** @description Entities of the same type to merge into this one */
            readonly ids: readonly string[];
        };
        readonly EntitySplit: {
            /** @description Items of the entity to split off */
            readonly itemIds: readonly string[];
            /** @description The name of the new entity; the same if absent */
            readonly name?: string;
        };
        /**
         * @description What went wrong
         * @example {
         *       "error": "This needs a credential. Send Authorization: Bearer …",
         *       "code": "token_missing"
         *     }
         */
        readonly Error: {
            /** @description What was wrong, and what would be right */
            readonly error: string;
            readonly code?: components["schemas"]["ErrorCode"];
            /** @description For the marketplace, and if `error` is a word: the text */
            readonly message?: string;
            /** @description For `clock_skew`: the clock of the server, Unix milliseconds */
            readonly serverTime?: number;
            /** @description For `LICENSE_LIMIT`: the current number */
            readonly current?: number;
            /** @description For `LICENSE_LIMIT`: the allowed number */
            readonly max?: number;
            /** @description For `unplayable`: codes such as `video_codec`; open */
            readonly reasons?: readonly string[];
            /** @description For `gave_way`: the role that needed the place */
            readonly by?: string;
        };
        /**
         * @description Open: later versions add codes
         * @enum {string}
         */
        readonly ErrorCode: "invalid_request" | "invalid_argument" | "invalid_config" | "unauthenticated" | "forbidden" | "csrf" | "permission_denied" | "outside_root" | "profile_locked" | "wrong_pin" | "pin_needed" | "invite_not_open" | "route_refused" | "sign_in_failed" | "account_disabled" | "passkey_required" | "passkey_refused" | "passkeys_unavailable" | "wrong_password" | "sign_in_again" | "too_many_attempts" | "wrong_setup_token" | "last_admin" | "last_way_in" | "read_only_key" | "not_found" | "no_picture" | "picture_refused" | "no_text" | "text_refused" | "unplayable" | "transcoder_missing" | "transcode_limit" | "taken_over" | "gave_way" | "transcode_failed" | "segment_refused" | "insufficient_storage" | "file_changed" | "conflict" | "job_type_unknown" | "backup_refused" | "NOT_FOUND" | "ALREADY_LATEST" | "DOWNLOAD_FAILED" | "INDEX_EXPIRED" | "INDEX_INVALID" | "SHA256_MISMATCH" | "INVALID_PACKAGE" | "SIGNATURE_INVALID" | "PUBLISHER_CHANGED" | "INVALID_MANIFEST" | "INCOMPATIBLE_VERSION" | "START_FAILED" | "REVOKED" | "LICENSE_LIMIT" | "job_running" | "invalid_transition" | "too_large" | "not_json" | "quota_exceeded" | "unreadable" | "symlink_loop" | "watch_unavailable" | "too_many_requests" | "too_often" | "upgrade_required" | "net_refused" | "net_unreachable" | "net_timeout" | "plugin_failed" | "plugin_not_running" | "handler_suspended" | "no_filesystem" | "service_unavailable" | "unavailable" | "starting" | "stopping" | "overloaded" | "token_missing" | "token_invalid" | "token_expired" | "identity_revoked" | "rate_limited" | "identity_disabled" | "identity_unknown" | "identity_relink_required" | "identity_rotated" | "identity_feed_pending" | "identity_feed_stale" | "cert_malformed" | "cert_version" | "cert_bad_signature" | "cert_lifetime" | "cert_not_yet_valid" | "cert_expired" | "scope_denied" | "wrong_server" | "clock_skew" | "challenge_invalid" | "bad_signature" | "identity_unavailable" | "identity_taken" | "link_not_ready" | "fingerprint_mismatch" | "broker_unreachable" | "storage_failed" | "storage_busy" | "storage_full" | "storage_read_only" | "storage_damaged";
        /**
         * @example {
         *       "type": "library.item.added",
         *       "timestamp": "2026-03-01T19:30:00.000Z",
         *       "data": {
         *         "itemId": "01957a3e-8d10-7c2b-8e11-6e3d5f9b2002",
         *         "libraryId": "01957a3e-7c00-7b1a-9f00-5d2c4e8a1001",
         *         "title": "Blue Harbor"
         *       }
         *     }
         */
        readonly EventMessage: {
            /** @description Over the WebSocket: for `since` */
            readonly id?: string;
            /** @enum {string} */
            readonly type: "library.scan.started" | "library.scan.progress" | "library.scan.completed";
            /** Format: date-time */
            readonly timestamp: string;
            readonly data: components["schemas"]["ScanEventData"];
        } | {
            /** @description Over the WebSocket: for `since` */
            readonly id?: string;
            /** @enum {string} */
            readonly type: "library.item.added" | "library.item.updated" | "library.item.removed" | "library.item.enriched";
            /** Format: date-time */
            readonly timestamp: string;
            readonly data: components["schemas"]["ItemEventData"];
        } | {
            /** @description Over the WebSocket: for `since` */
            readonly id?: string;
            /** @enum {string} */
            readonly type: "library.created" | "library.updated" | "library.deleted";
            /** Format: date-time */
            readonly timestamp: string;
            readonly data: components["schemas"]["LibraryEventData"];
        } | {
            /** @description Over the WebSocket: for `since` */
            readonly id?: string;
            /** @enum {string} */
            readonly type: "job.started" | "job.progress" | "job.completed" | "job.failed" | "admin.pipeline.jobCreated" | "admin.pipeline.jobUpdated" | "admin.pipeline.jobCompleted" | "admin.pipeline.jobFailed";
            /** Format: date-time */
            readonly timestamp: string;
            readonly data: components["schemas"]["JobEventData"];
        } | {
            /** @description Over the WebSocket: for `since` */
            readonly id?: string;
            /** @enum {string} */
            readonly type: "transcode.started" | "transcode.progress" | "transcode.stopped";
            /** Format: date-time */
            readonly timestamp: string;
            readonly data: components["schemas"]["TranscodeEventData"];
        } | {
            /** @description Over the WebSocket: for `since` */
            readonly id?: string;
            /** @enum {string} */
            readonly type: "plugin.discovered" | "plugin.started" | "plugin.stopped" | "plugin.restarted" | "plugin.error";
            /** Format: date-time */
            readonly timestamp: string;
            readonly data: components["schemas"]["PluginEventData"];
        } | {
            /** @description Over the WebSocket: for `since` */
            readonly id?: string;
            /** @enum {string} */
            readonly type: "notification.created";
            /** Format: date-time */
            readonly timestamp: string;
            readonly data: components["schemas"]["NotificationEventData"];
        } | {
            /** @description Over the WebSocket: for `since` */
            readonly id?: string;
            /** @enum {string} */
            readonly type: "playback.progress" | "playback.completed" | "playback.removed";
            /** Format: date-time */
            readonly timestamp: string;
            readonly data: components["schemas"]["PlaybackEventData"];
        } | {
            /** @description Over the WebSocket: for `since` */
            readonly id?: string;
            /** @enum {string} */
            readonly type: "scheduler.started";
            /** Format: date-time */
            readonly timestamp: string;
            readonly data: {
                readonly tasks: readonly string[];
            };
        } | {
            /** @description Over the WebSocket: for `since` */
            readonly id?: string;
            /** @enum {string} */
            readonly type: "pipeline.item.discovered" | "pipeline.item.stateChanged" | "pipeline.item.completed";
            /** Format: date-time */
            readonly timestamp: string;
            readonly data: components["schemas"]["PipelineItemEventData"];
        } | {
            /** @description Over the WebSocket: for `since` */
            readonly id?: string;
            /** @enum {string} */
            readonly type: "pipeline.step.started" | "pipeline.step.completed";
            /** Format: date-time */
            readonly timestamp: string;
            readonly data: components["schemas"]["PipelineStepEventData"];
        } | {
            /** @description Over the WebSocket: for `since` */
            readonly id?: string;
            /** @enum {string} */
            readonly type: "admin.pipeline.taskUpdated" | "admin.pipeline.jobDetailUpdated";
            /** Format: date-time */
            readonly timestamp: string;
            readonly data: components["schemas"]["AdminPipelineEventData"];
        } | {
            /** @description Over the WebSocket: for `since` */
            readonly id?: string;
            /** @enum {string} */
            readonly type: "server.shutdown";
            /** Format: date-time */
            readonly timestamp: string;
            readonly data: {
                readonly reason: string;
            };
        } | {
            /** @description Over the WebSocket: for `since` */
            readonly id?: string;
            /** @enum {string} */
            readonly type: "playback.marked";
            /** Format: date-time */
            readonly timestamp: string;
            readonly data: components["schemas"]["MarkEventData"];
        } | {
            /** @description Over the WebSocket: for `since` */
            readonly id?: string;
            /** @enum {string} */
            readonly type: "playback.entityMarked";
            /** Format: date-time */
            readonly timestamp: string;
            readonly data: components["schemas"]["EntityMarkEventData"];
        } | {
            /** @description Over the WebSocket: for `since` */
            readonly id?: string;
            /** @enum {string} */
            readonly type: "collection.created" | "collection.updated" | "collection.deleted";
            /** Format: date-time */
            readonly timestamp: string;
            readonly data: components["schemas"]["CollectionEventData"];
        } | {
            /** @description Over the WebSocket: for `since` */
            readonly id?: string;
            /** @enum {string} */
            readonly type: "user.changed";
            /** Format: date-time */
            readonly timestamp: string;
            readonly data: components["schemas"]["UserEventData"];
        } | {
            /** @description Over the WebSocket: for `since` */
            readonly id?: string;
            /** @enum {string} */
            readonly type: "backup.changed";
            /** Format: date-time */
            readonly timestamp: string;
            readonly data: {
                /** @enum {string} */
                readonly change: "made" | "removed";
            };
        } | {
            readonly id?: string;
            /** @description An event that a plugin defines */
            readonly type: string;
            /** Format: date-time */
            readonly timestamp: string;
            readonly data: {
                readonly [key: string]: unknown;
            };
        };
        readonly Finding: {
            /** @description What was checked: `data folder` */
            readonly check: string;
            /**
             * @description hint: it works, but could be better; bad: it does not work
             * @enum {string}
             */
            readonly state: "good" | "hint" | "bad";
            /** @description The finding, as a sentence */
            readonly what: string;
            /** @description What to do; null = nothing */
            readonly remedy: string | null;
        };
        readonly Font: {
            readonly name: string;
            /** @description Bytes */
            readonly size: number;
            /** Format: uri-reference */
            readonly url: string;
        };
        readonly FoundEntity: {
            /** Format: uuid */
            readonly id: string;
            /** @description Open: `person genre artist album show season series studio` */
            readonly type: string;
            readonly name: string;
            /** @enum {string} */
            readonly status: "pending" | "complete";
            /** @description The plugin that named it first */
            readonly sourcePluginId: string | null;
            /** @description Other words by which it is found */
            readonly searchTerms: string | null;
            readonly assets: {
                readonly [key: string]: string;
            };
            readonly assetAspects: {
                readonly [key: string]: string;
            };
            /** Format: date-time */
            readonly createdAt: string;
            /** Format: date-time */
            readonly updatedAt: string;
            /** @description How well it matches, 0 to 1 */
            readonly confidence: number;
        };
        readonly FoundItem: {
            /** Format: uuid */
            readonly id: string;
            /** Format: uuid */
            readonly libraryId: string;
            readonly libraryName: string;
            readonly title: string;
            readonly certification: string | null;
            readonly metadata: {
                readonly [key: string]: unknown;
            };
            readonly status: components["schemas"]["MediaStatus"];
            /** Format: date-time */
            readonly addedAt: string;
            /** Format: date-time */
            readonly updatedAt: string;
            readonly files: readonly components["schemas"]["MediaFile"][];
            readonly assets: {
                readonly [key: string]: string;
            };
            readonly assetAspects: {
                readonly [key: string]: string;
            };
            readonly linkedEntities: readonly components["schemas"]["LinkedEntity"][];
            readonly playback: components["schemas"]["PlaybackState"];
            /** @description Whether it is a favourite of the viewer's profile */
            readonly favourite: boolean;
            /** @description The rating of the viewer's profile, 0.5 to 5 */
            readonly myRating: number | null;
            /** @description How often the viewer's profile played it to the end */
            readonly playCount: number;
            /** Format: date-time */
            readonly lastPlayedAt: string | null;
            /** @description How well it matches, 0 to 1 */
            readonly confidence: number;
        };
        readonly FoundTile: {
            /** Format: uuid */
            readonly id: string;
            /** @description `film episode track audiobook book photo`; of another type of library that type */
            readonly type: string;
            /** @description Of an episode the name of its series */
            readonly title: string;
            /** @description Ready to show, such as `S2 E3 · The Long Bridge` */
            readonly subtitle: string | null;
            readonly year: number | null;
            readonly picture: components["schemas"]["TilePicture"] | null;
            /** @description How much of it was played, 0 to 1 */
            readonly progress: number;
            readonly watched: boolean;
            readonly favourite: boolean;
            /** @description Such as `4K` and `HDR` */
            readonly badges: readonly string[];
            /** Format: uuid */
            readonly libraryId: string;
            readonly libraryName: string;
            /** @description How well it matches, 0 to 1 */
            readonly confidence: number;
        };
        readonly FreshInvite: {
            readonly invite: components["schemas"]["Invite"];
            /**
             * Format: uri
             * @description The link; the token follows the #
             */
            readonly url: string;
            /** @description The server has just reached itself at its public URL */
            readonly externallyReachable: boolean;
            /** @description Why it could not */
            readonly reason: string | null;
        };
        /**
         * @description A named set of libraries that users may see
         * @example {
         *       "id": "01957a3e-8d10-7c2b-8e11-6e3d5f9b2002",
         *       "name": "Children",
         *       "libraryAccess": [
         *         {
         *           "libraryId": "01957a3e-7c00-7b1a-9f00-5d2c4e8a1001",
         *           "maxRating": "MPAA PG"
         *         }
         *       ],
         *       "userCount": 2,
         *       "createdAt": "2026-03-01T19:30:00.000Z",
         *       "updatedAt": "2026-03-02T08:15:30.250Z"
         *     }
         */
        readonly Group: {
            /** Format: uuid */
            readonly id: string;
            readonly name: string;
            /** @description What its users may see; `[]` = nothing */
            readonly libraryAccess: readonly components["schemas"]["LibraryAccess"][];
            /** @description How many users name it */
            readonly userCount: number;
            /** Format: date-time */
            readonly createdAt: string;
            /** Format: date-time */
            readonly updatedAt: string;
        };
        readonly GroupChanges: {
            readonly name?: string;
            /** @description What its users may see; `[]` = nothing */
            readonly libraryAccess?: readonly {
                readonly libraryId: string;
                /** @description `PG-13`, `FSK 12`; absent = no limit */
                readonly maxRating?: string | null;
            }[];
        };
        /**
         * @example {
         *       "status": "degraded",
         *       "timestamp": "2026-03-02T08:15:30.250Z",
         *       "version": "0.1.0",
         *       "uptime": 86400.5,
         *       "plugins": {
         *         "bootComplete": true,
         *         "total": 11,
         *         "running": 11,
         *         "starting": 0,
         *         "failed": 0
         *       },
         *       "problems": [
         *         {
         *           "code": "backup_failed",
         *           "severity": "error",
         *           "subject": {
         *             "type": "task",
         *             "id": "backup"
         *           },
         *           "message": "The scheduled backup failed. The disk of the backup folder /srv/backups is full, and nothing was stored. Make room on it.",
         *           "action": "Remove the cause; run it again under Manage, Settings.",
         *           "since": "2026-03-01T19:30:00.000Z"
         *         }
         *       ]
         *     }
         */
        readonly Health: {
            /** @enum {string} */
            readonly status: "ok" | "starting" | "degraded" | "failing";
            /** Format: date-time */
            readonly timestamp: string;
            readonly version: string;
            /** @description Seconds */
            readonly uptime: number;
            readonly plugins: {
                readonly bootComplete: boolean;
                readonly total: number;
                readonly running: number;
                readonly starting: number;
                readonly failed: number;
            };
            /** @description For admins only: the problems of the server, the worst first */
            readonly problems?: readonly components["schemas"]["Problem"][];
            readonly marketplace?: {
                /** @description Sources with an expired index: plugins are not installed from them */
                readonly expiredSources: number;
            };
            readonly identity?: {
                /** @description Since the last contact with the identity broker that was silent longest */
                readonly feedAgeSeconds: number;
            };
        };
        readonly HiddenEntity: {
            /** Format: uuid */
            readonly id: string;
            readonly type: string;
            readonly name: string;
        };
        readonly HomeRow: {
            /** @description As `homeRows` of preferences names it: `continue nextUp favourites collections`, `new:<libraryId>`, `plugin:<pluginId>:<id>` */
            readonly id: string;
            /** @enum {string} */
            readonly kind: "continue" | "nextUp" | "new" | "favourites" | "collections" | "plugin";
            /** @description The name of the library, or the title that a plugin gives */
            readonly title: string | null;
            /** Format: uuid */
            readonly libraryId: string | null;
            readonly tiles: readonly components["schemas"]["HomeTile"][];
            readonly view?: components["schemas"]["View"];
        };
        readonly HomeTile: {
            /**
             * @description What `id` is the id of
             * @enum {string}
             */
            readonly kind: "item" | "entity" | "collection";
            /** Format: uuid */
            readonly id: string;
            /** @description Of an item as on other tiles; `show album series …`; `collection playlist` */
            readonly type: string;
            /** @description Of an episode the name of its series */
            readonly title: string;
            /** @description Ready to show, such as `S2 E3 · The Long Bridge` */
            readonly subtitle: string | null;
            readonly year: number | null;
            readonly picture: components["schemas"]["TilePicture"] | null;
            /** @description How much of it was played, 0 to 1 */
            readonly progress: number;
            readonly watched: boolean;
            readonly favourite: boolean;
            /** @description Such as `4K` and `HDR` */
            readonly badges: readonly string[];
            /** @description Items of it that the viewer may see; null = it is an item */
            readonly itemCount: number | null;
            /** @description Those that the profile did not finish; else null */
            readonly unwatchedCount: number | null;
        };
        /** @description The link of a local user to an identity */
        readonly IdentityLink: {
            /** Format: uuid */
            readonly id: string;
            /** @description The local user of the link */
            readonly userId: string;
            /**
             * @description `pending`: not approved on the broker yet; `approved`: its fingerprint must be confirmed; `relink_required`: the identity has a key that is not followed
             * @enum {string}
             */
            readonly state: "pending" | "approved" | "failed" | "active" | "relink_required";
            /** Format: uri */
            readonly identityUrl: string;
            /**
             * Format: uri
             * @description Where to approve it
             */
            readonly linkUrl: string | null;
            /** Format: date-time */
            readonly expiresAt: string | null;
            /** @enum {string|null} */
            readonly failure: "denied" | "expired" | "refused" | null;
            readonly userPubKey: string | null;
            /** @description Of the identity: 16 hex digits in 4 groups */
            readonly fingerprint: string | null;
            /** @description A new key that the old one signed is accepted automatically */
            readonly followRotation: boolean | null;
            /** Format: date-time */
            readonly linkedAt: string | null;
        };
        readonly IdentityLinkConfirmation: {
            /** @description As the page of the broker shows it */
            readonly fingerprint: string;
            /** @description Default: true, but false for admins */
            readonly followRotation?: boolean;
        };
        /** @description The identity pass: `{payload, sig}` */
        readonly IdentityPass: {
            readonly [key: string]: unknown;
        };
        readonly IdentitySession: {
            /** @description Shown once */
            readonly sessionToken: string;
            /** Format: date-time */
            readonly expiresAt: string;
        };
        readonly IdentityViewer: {
            readonly userId: string;
            readonly userPubKey: string;
            readonly clientId: string;
            readonly appId: string;
            readonly deviceName: string;
            readonly scope: readonly string[];
            readonly localUserId: string;
            readonly role: components["schemas"]["Role"];
            /** @description Unix seconds */
            readonly certExp: number;
            /** Format: date-time */
            readonly expiresAt: string;
        };
        readonly InstalledPlugin: {
            readonly plugin: components["schemas"]["Plugin"];
            /** @description The old version keeps running until `granted` comes with the upgrade */
            readonly waiting?: {
                readonly version: string;
                readonly asked: {
                    readonly [key: string]: unknown;
                };
                /** @description One for each permission */
                readonly sentences: readonly components["schemas"]["PermissionSentence"][];
                /** @description What was not asked for before */
                readonly more: readonly string[];
            };
        };
        /** @description A link by which a person becomes a user */
        readonly Invite: {
            /** Format: uuid */
            readonly id: string;
            /** @description Complete in the answer that creates it, later masked: `vtn_…aB3x` */
            readonly token: string;
            readonly role: components["schemas"]["Role"];
            /** @description The only libraries; `[]` = none, null = no limit */
            readonly libraryAccess: readonly components["schemas"]["LibraryAccess"][] | null;
            readonly groupIds: readonly string[];
            readonly maxUses: number;
            readonly useCount: number;
            /** Format: date-time */
            readonly expiresAt: string;
            /** @description The id of the user who made it */
            readonly createdBy: string;
            /** Format: date-time */
            readonly createdAt: string;
        };
        readonly InvitePreview: {
            readonly role: components["schemas"]["Role"];
            readonly serverName: string;
            /** Format: date-time */
            readonly expiresAt: string;
        };
        /**
         * @example {
         *       "id": "01957a3e-8d10-7c2b-8e11-6e3d5f9b2002",
         *       "libraryId": "01957a3e-7c00-7b1a-9f00-5d2c4e8a1001",
         *       "libraryName": "Films",
         *       "title": "Blue Harbor",
         *       "certification": "PG-13",
         *       "metadata": {
         *         "year": 2012,
         *         "overview": "A harbor pilot returns home.",
         *         "genres": [
         *           "Drama"
         *         ]
         *       },
         *       "status": "active",
         *       "addedAt": "2026-03-01T19:30:00.000Z",
         *       "updatedAt": "2026-03-02T08:15:30.250Z",
         *       "files": [
         *         {
         *           "id": "01957a3e-8d11-7d3c-9d22-7f4e60ac3003",
         *           "libraryId": "01957a3e-7c00-7b1a-9f00-5d2c4e8a1001",
         *           "itemId": "01957a3e-8d10-7c2b-8e11-6e3d5f9b2002",
         *           "uri": "file:///media/films/Blue%20Harbor%20(2012).mkv",
         *           "filename": "Blue Harbor (2012).mkv",
         *           "extension": "mkv",
         *           "mimeType": "video/x-matroska",
         *           "mediaKind": "video",
         *           "type": "media",
         *           "status": "active",
         *           "classification": "primary",
         *           "edition": null,
         *           "partNumber": null,
         *           "size": 4831838208,
         *           "duration": 6900,
         *           "fileInfo": {
         *             "width": 1920,
         *             "height": 1080
         *           },
         *           "assets": {},
         *           "assetAspects": {},
         *           "chapters": [],
         *           "loudness": null,
         *           "text": [],
         *           "createdAt": "2026-03-01T19:30:00.000Z",
         *           "updatedAt": "2026-03-02T08:15:30.250Z"
         *         }
         *       ],
         *       "assets": {
         *         "poster": "/api/assets/01957a3e-8d12-7b11-8a01-000000000001"
         *       },
         *       "assetAspects": {
         *         "poster": "portrait"
         *       },
         *       "linkedEntities": [
         *         {
         *           "id": "01957a3e-9e20-717a-9966-b382a4e07007",
         *           "type": "person",
         *           "name": "Mara Lindqvist",
         *           "role": "actor",
         *           "sortOrder": 0,
         *           "linkMetadata": {
         *             "character": "Ines"
         *           },
         *           "assets": {},
         *           "assetAspects": {}
         *         }
         *       ],
         *       "playback": {
         *         "completed": false,
         *         "position": 1260.5,
         *         "duration": 6900
         *       },
         *       "favourite": true,
         *       "myRating": 4.5,
         *       "playCount": 1,
         *       "lastPlayedAt": "2026-03-02T08:15:30.250Z"
         *     }
         */
        readonly Item: {
            /** Format: uuid */
            readonly id: string;
            /** Format: uuid */
            readonly libraryId: string;
            readonly libraryName: string;
            readonly title: string;
            readonly certification: string | null;
            readonly metadata: {
                readonly [key: string]: unknown;
            };
            readonly status: components["schemas"]["MediaStatus"];
            /** Format: date-time */
            readonly addedAt: string;
            /** Format: date-time */
            readonly updatedAt: string;
            readonly files: readonly components["schemas"]["MediaFile"][];
            readonly assets: {
                readonly [key: string]: string;
            };
            readonly assetAspects: {
                readonly [key: string]: string;
            };
            readonly linkedEntities: readonly components["schemas"]["LinkedEntity"][];
            readonly playback: components["schemas"]["PlaybackState"];
            /** @description Whether it is a favourite of the viewer's profile */
            readonly favourite: boolean;
            /** @description The rating of the viewer's profile, 0.5 to 5 */
            readonly myRating: number | null;
            /** @description How often the viewer's profile played it to the end */
            readonly playCount: number;
            /** Format: date-time */
            readonly lastPlayedAt: string | null;
        };
        readonly ItemChanges: {
            readonly title?: string;
            readonly certification?: string | null;
            /** @description Keys to set; null removes a key */
            readonly metadata?: {
                readonly [key: string]: unknown;
            };
            /** @description Pictures to show, by type: an id of `GET /api/items/:id/pictures`, or null for none */
            readonly assets?: {
                readonly [key: string]: string | null;
            };
            /** @description Names of `lockedFields` that scans may change again; a refresh reads them at once */
            readonly unlock?: readonly string[];
        };
        readonly ItemDetail: {
            /** Format: uuid */
            readonly id: string;
            /** Format: uuid */
            readonly libraryId: string;
            readonly libraryName: string;
            readonly title: string;
            readonly certification: string | null;
            readonly metadata: {
                readonly [key: string]: unknown;
            };
            readonly status: components["schemas"]["MediaStatus"];
            /** Format: date-time */
            readonly addedAt: string;
            /** Format: date-time */
            readonly updatedAt: string;
            readonly files: readonly components["schemas"]["MediaFile"][];
            readonly assets: {
                readonly [key: string]: string;
            };
            readonly assetAspects: {
                readonly [key: string]: string;
            };
            readonly linkedEntities: readonly components["schemas"]["LinkedEntity"][];
            readonly playback: components["schemas"]["PlaybackState"];
            /** @description Whether it is a favourite of the viewer's profile */
            readonly favourite: boolean;
            /** @description The rating of the viewer's profile, 0.5 to 5 */
            readonly myRating: number | null;
            /** @description How often the viewer's profile played it to the end */
            readonly playCount: number;
            /** Format: date-time */
            readonly lastPlayedAt: string | null;
            /** @description `fileId` and `mediaFileId` name files of the item; `uri` and `mediaFileUri` are for admins */
            readonly subtitles: readonly {
                readonly [key: string]: unknown;
            }[];
            readonly ingest: {
                /**
                 * @description Whether files of it wait for the ingest, or could not be read
                 * @enum {string}
                 */
                readonly state: "pending" | "failed" | "complete";
                readonly errors: readonly {
                    /** Format: uuid */
                    readonly fileId: string;
                    readonly code: string;
                    readonly message: string | null;
                }[];
            };
            /** @description Which plugin wrote which field or asset; for admins */
            readonly provenance: readonly {
                readonly [key: string]: unknown;
            }[];
            /** @description Edited by a person: scans do not change them */
            readonly lockedFields: readonly string[];
        };
        readonly ItemEventData: {
            /** Format: uuid */
            readonly itemId: string;
            /** Format: uuid */
            readonly libraryId: string;
            readonly title: string;
        };
        readonly ItemLetter: {
            /** @description `A` to `Z`, `#`, or a letter of another script */
            readonly letter: string;
            readonly count: number;
            /** @description Where `GET /api/items` with the same filters begins with it */
            readonly cursor: string;
        };
        /**
         * @example {
         *       "favourite": true,
         *       "myRating": 4.5
         *     }
         */
        readonly ItemMarks: {
            readonly favourite: boolean;
            /** @description 0.5 to 5 */
            readonly myRating: number | null;
        };
        readonly ItemMonth: {
            /** @description `2024-06`; `2024`: of that year; null: without a date */
            readonly month: string | null;
            readonly count: number;
            /** @description Where `GET /api/items` with the same filters and `sortBy=releasedAt` begins with it */
            readonly cursor: string;
        };
        /**
         * @example {
         *       "id": "01957a3e-7c01-706f-8a55-a27193df6006",
         *       "type": "scan",
         *       "libraryId": "01957a3e-7c00-7b1a-9f00-5d2c4e8a1001",
         *       "pluginId": "scanner",
         *       "status": "running",
         *       "priority": 50,
         *       "payload": {},
         *       "result": {},
         *       "progress": 0.4,
         *       "errorMessage": null,
         *       "createdAt": "2026-03-01T19:30:00.000Z",
         *       "startedAt": "2026-03-01T19:30:00.000Z",
         *       "completedAt": null
         *     }
         */
        readonly Job: {
            /** Format: uuid */
            readonly id: string;
            /** @description Open: `scan probe identify refresh reindex backup`, … */
            readonly type: string;
            /** Format: uuid */
            readonly libraryId: string | null;
            /** @description The plugin that runs it */
            readonly pluginId: string | null;
            readonly status: components["schemas"]["JobStatus"];
            /** @description 0 to 100, higher first */
            readonly priority: number;
            readonly payload: {
                readonly [key: string]: unknown;
            };
            readonly result: {
                readonly [key: string]: unknown;
            };
            /** @description 0 to 1 */
            readonly progress: number;
            readonly errorMessage: string | null;
            /** Format: date-time */
            readonly createdAt: string;
            /** Format: date-time */
            readonly startedAt: string | null;
            /** Format: date-time */
            readonly completedAt: string | null;
        };
        readonly JobEventData: {
            /** Format: uuid */
            readonly jobId: string;
            readonly type: string;
            /** Format: uuid */
            readonly libraryId: string | null;
            readonly status: string;
            /** @description 0 to 1 */
            readonly progress: number;
            readonly errorMessage: string | null;
            /** @description Only with job.started: the number of this try; 1 again after progress */
            readonly attempt?: number;
        };
        /** @enum {string} */
        readonly JobStatus: "pending" | "running" | "completed" | "failed" | "cancelled";
        /**
         * @example {
         *       "id": "01957a3e-7c00-7b1a-9f00-5d2c4e8a1001",
         *       "name": "Films",
         *       "type": "movies",
         *       "roots": [
         *         "file:///media/films"
         *       ],
         *       "links": [
         *         {
         *           "root": "file:///media/films",
         *           "folder": "file:///mnt/pool"
         *         }
         *       ],
         *       "pluginId": null,
         *       "hidden": false,
         *       "watch": true,
         *       "mediaJobs": [
         *         "loudness",
         *         "stills",
         *         "trickplay"
         *       ],
         *       "itemCount": 412,
         *       "lastScanAt": "2026-03-02T08:15:30.250Z",
         *       "problems": [],
         *       "createdAt": "2026-03-01T19:30:00.000Z",
         *       "updatedAt": "2026-03-02T08:15:30.250Z"
         *     }
         */
        readonly Library: {
            /** Format: uuid */
            readonly id: string;
            readonly name: string;
            /** @description Open: `movies tv music audiobooks books photos` */
            readonly type: string;
            /** @description URIs without a trailing slash; empty for viewers who are not admins */
            readonly roots: readonly string[];
            /** @description The folders to which links below a root may lead as well; empty for viewers who are not admins */
            readonly links: readonly components["schemas"]["LinkFolder"][];
            /** @description The filesystem plugin of the library */
            readonly pluginId: string | null;
            readonly hidden: boolean;
            /** @description Whether its folders are watched for changes; else only a requested scan finds them */
            readonly watch: boolean;
            /** @description The jobs that look at its media at night */
            readonly mediaJobs: readonly ("loudness" | "stills" | "trickplay")[];
            readonly itemCount: number;
            /** Format: date-time */
            readonly lastScanAt: string | null;
            /** @description Its problems; a root with a problem loses no files. Empty for viewers who are not admins */
            readonly problems: readonly components["schemas"]["LibraryProblem"][];
            /** Format: date-time */
            readonly createdAt: string;
            /** Format: date-time */
            readonly updatedAt: string;
        };
        readonly LibraryAccess: {
            /** Format: uuid */
            readonly libraryId: string;
            readonly maxRating: string | null;
        };
        readonly LibraryChanges: {
            readonly name?: string;
            /** @description URIs such as file:///media/films, or absolute paths */
            readonly roots?: readonly string[];
            /** @description The folders outside of the library to which links may lead. Everyone who sees the library can read what such a link leads to */
            readonly links?: readonly {
                /** @description A root of the library */
                readonly root: string;
                /** @description Where links below that root may lead as well: a URI or an absolute path */
                readonly folder: string;
            }[];
            /** @description The filesystem plugin of the library */
            readonly pluginId?: string | null;
            readonly hidden?: boolean;
            /** @description Whether its folders are watched for changes; else only a requested scan finds them */
            readonly watch?: boolean;
            /** @description The jobs that look at its media at night; all at first */
            readonly mediaJobs?: readonly ("loudness" | "stills" | "trickplay")[];
        };
        readonly LibraryEventData: {
            /** Format: uuid */
            readonly libraryId: string;
            readonly name: string;
        };
        readonly LibraryProblem: {
            /**
             * Format: uri
             * @description The root, a folder in it on which a disk was mounted, or the first place below it that could not be read
             */
            readonly uri: string;
            /** @description `unreachable empty other-volume unmounted scan-failed incomplete` */
            readonly code: string;
            readonly message: string;
        };
        readonly LibrarySources: {
            readonly order: readonly string[];
            readonly fields: {
                readonly [key: string]: readonly string[];
            };
            readonly languages: readonly string[];
            /** @description The running indexers that use the network, best first */
            readonly sources: readonly {
                readonly pluginId: string;
                readonly pluginName: string;
            }[];
        };
        readonly LibrarySourcesChange: {
            /** @description Best first; others come after these, in the usual order */
            readonly order: readonly string[];
            /** @description The order for single fields: `title`, a key of the metadata, a role such as `actor`, or a type of picture such as `poster` */
            readonly fields: {
                readonly [key: string]: readonly string[];
            };
            /** @description BCP 47 tags, best first; indexers get them as `languages` */
            readonly languages: readonly string[];
        };
        /**
         * @example {
         *       "status": "active",
         *       "tier": "home",
         *       "limits": {
         *         "users": 10
         *       },
         *       "expiresAt": null,
         *       "lastValidatedAt": "2026-03-02T08:15:30.250Z",
         *       "maskedKey": "VITR-****-7Q2K"
         *     }
         */
        readonly License: {
            /** @enum {string} */
            readonly status: "unlicensed" | "active" | "expired" | "invalid";
            /** @description null without a license */
            readonly tier: string | null;
            /** @description The allowed numbers: `users libraries profiles`; absent = unlimited */
            readonly limits: {
                readonly [key: string]: number;
            };
            /** Format: date-time */
            readonly expiresAt: string | null;
            /** Format: date-time */
            readonly lastValidatedAt: string | null;
            /** @description The last 4 characters of the key; null without one */
            readonly maskedKey: string | null;
        };
        /** @description All seats of the license are taken */
        readonly LicenseConflict: {
            /** @constant */
            readonly ok: false;
            /** @constant */
            readonly conflict: true;
            /** @description Servers that use the license */
            readonly current: number;
            /** @description Servers that may use it at the same time */
            readonly max: number;
            readonly message: string;
        };
        /** @description The key was not accepted */
        readonly LicenseRefusal: {
            /** @constant */
            readonly ok: false;
            /** @description `MALFORMED BAD_SIGNATURE EXPIRED UNKNOWN_ISSUER AUTHORITY_UNREACHABLE REFUSED` */
            readonly code: string;
            readonly message: string;
        };
        readonly LinkFolder: {
            readonly root: string;
            readonly folder: string;
        };
        readonly LinkedEntity: {
            /** Format: uuid */
            readonly id: string;
            readonly type: string;
            readonly name: string;
            readonly role: string;
            readonly sortOrder: number;
            readonly linkMetadata: {
                readonly [key: string]: unknown;
            };
            readonly assets: {
                readonly [key: string]: string;
            };
            readonly assetAspects: {
                readonly [key: string]: string;
            };
        };
        readonly ListedEntity: {
            /** Format: uuid */
            readonly id: string;
            /** @description Open: `person genre artist album show season series studio` */
            readonly type: string;
            readonly name: string;
            /** @enum {string} */
            readonly status: "pending" | "complete";
            /** @description The plugin that named it first */
            readonly sourcePluginId: string | null;
            /** @description Other words by which it is found */
            readonly searchTerms: string | null;
            readonly assets: {
                readonly [key: string]: string;
            };
            readonly assetAspects: {
                readonly [key: string]: string;
            };
            /** Format: date-time */
            readonly createdAt: string;
            /** Format: date-time */
            readonly updatedAt: string;
            /** @description Items of it that the viewer may see */
            readonly itemCount: number;
            /** @description Those that the profile did not finish */
            readonly unwatchedCount: number;
            /** @description Of albums, shows, seasons and series: else null */
            readonly year: number | null;
            /** @description Of an album, its own artist first */
            readonly artists: readonly {
                /** Format: uuid */
                readonly id: string;
                readonly name: string;
            }[];
            readonly picture: components["schemas"]["TilePicture"] | null;
            /** @description Of all its items: seconds, for books pages; null = not known */
            readonly duration: number | null;
            /**
             * Format: date-time
             * @description When the newest of its items was added
             */
            readonly addedAt: string | null;
            /** @description Whether it is a favourite of the viewer's profile */
            readonly favourite: boolean;
        };
        readonly Loudness: {
            /** @description Mean loudness (EBU R 128) */
            readonly integratedLufs: number;
            /** @description The highest true peak, in dB of full scale, if it is known */
            readonly truePeakDb: number | null;
            /** @description What brings the file to -18 LUFS */
            readonly trackGainDb: number;
            /** @description The same for its album: all of it was measured, or tags say it */
            readonly albumGainDb: number | null;
        };
        /**
         * @example {
         *       "synced": true,
         *       "lines": [
         *         {
         *           "startMs": 12400,
         *           "text": "The tide comes in"
         *         }
         *       ]
         *     }
         */
        readonly Lyrics: {
            /** @description Whether the lines have times */
            readonly synced: boolean;
            readonly lines: readonly {
                /** @description 0 for all lines without times */
                readonly startMs: number;
                readonly text: string;
            }[];
        };
        readonly MarkEventData: {
            /** Format: uuid */
            readonly itemId: string;
            /** Format: uuid */
            readonly profileId: string;
            readonly favourite: boolean;
            /** @description 0.5 to 5 */
            readonly myRating: number | null;
        };
        readonly MarketplacePlugin: {
            readonly id: string;
            readonly name: string;
            readonly description: string;
            readonly author: string;
            readonly license: string;
            /** Format: uri */
            readonly homepage: string | null;
            /** Format: uri */
            readonly repository: string | null;
            /** @description The README, as plain text; with `id` alone */
            readonly readme: string | null;
            /** @description What changed with each version, as plain text; with `id` alone */
            readonly changes: string | null;
            readonly publisherKey: string;
            readonly source: {
                readonly id: string;
                readonly name: string;
                /** @description Plugins are not installed from it */
                readonly isExpired: boolean;
            };
            /** @description Newest first */
            readonly versions: readonly components["schemas"]["MarketplaceVersion"][];
            /** @description The version that an installation takes */
            readonly latest: string | null;
            readonly installed: {
                readonly version: string;
                /** @description The version of a rollback that names none */
                readonly previousVersion: string | null;
                readonly revoked: string | null;
                readonly canUpgrade: boolean;
                /** @description Its files differ from those that were installed: it may be installed again */
                readonly isDamaged: boolean;
                /** @description Versions that failed and were rolled back: they are installed only by name */
                readonly takenBack: readonly {
                    readonly version: string;
                    readonly reason: string;
                }[];
                /** @description What `latest` asks for and the installed version did not */
                readonly asksMore: readonly string[];
            } | null;
        };
        readonly MarketplaceSource: {
            /** Format: uuid */
            readonly id: string;
            readonly name: string;
            /** Format: uri */
            readonly url: string;
            readonly mirrors: readonly string[];
            /** @description Pinned when the source was added */
            readonly publisherKey: string;
            readonly pluginCount: number;
            /**
             * Format: date-time
             * @description When the source made its index
             */
            readonly updatedAt: string;
            /**
             * Format: date-time
             * @description Until when plugins are installed from it; its publisher signs this time
             */
            readonly expiresAt: string;
            readonly isExpired: boolean;
            /** @description Of the index; it only increases */
            readonly sequence: number;
            /** Format: date-time */
            readonly fetchedAt: string;
            /** @description Why the last fetch failed */
            readonly error: string | null;
        };
        readonly MarketplaceVersion: {
            readonly version: string;
            readonly sha256: string;
            /** @description Bytes of the package */
            readonly size: number;
            readonly minVersion: string;
            /** @description Everything that it asks for, including capabilities, events and hooks */
            readonly permissions: {
                readonly [key: string]: unknown;
            };
            /** @description One for each permission */
            readonly sentences: readonly components["schemas"]["PermissionSentence"][];
            /** @description Why it must not run */
            readonly revoked: string | null;
            /** @description Whether it supports the version of this server */
            readonly runs: boolean;
            readonly capabilities: readonly string[];
            /** @description By name; an event may be a pattern */
            readonly subscriptions: {
                readonly events: readonly string[];
                readonly hooks: readonly string[];
                readonly views: readonly string[];
            };
            readonly actions: readonly string[];
            /** @description Fields of its configuration by which an admin lets it reach more hosts */
            readonly grants: readonly {
                readonly key: string;
                readonly label: string;
                readonly grants: string;
            }[];
        };
        readonly Match: {
            readonly pluginId: string;
            /** @description The plugin's id of the entry */
            readonly id: string;
            readonly manual: boolean;
            /** @description 0 to 1 */
            readonly confidence: number | null;
            /** Format: date-time */
            readonly matchedAt: string;
        };
        readonly MatchCandidate: {
            readonly pluginId: string;
            readonly pluginName: string;
            /** @description The plugin's id of the candidate */
            readonly id: string;
            readonly title: string;
            readonly year: number | null;
            readonly overview: string | null;
            /** Format: uri */
            readonly url: string | null;
            /** Format: uri */
            readonly imageUrl: string | null;
            /** @description 0 to 1 */
            readonly confidence: number;
        };
        readonly MatchChoice: {
            readonly pluginId: string;
            /** @description `id` of a candidate */
            readonly id: string;
        };
        readonly MatchGuess: {
            readonly pluginId: string;
            /** @description The plugin's id of the entry */
            readonly id: string;
            readonly manual: boolean;
            /** @description 0 to 1 */
            readonly confidence: number | null;
            /** Format: date-time */
            readonly matchedAt: string;
            readonly title: string | null;
        };
        readonly MediaFile: {
            /** Format: uuid */
            readonly id: string;
            /** Format: uuid */
            readonly libraryId: string;
            /** Format: uuid */
            readonly itemId: string;
            /**
             * Format: uri-reference
             * @description Its URI; for viewers who are not admins the path of its bytes: /api/files/…/stream
             */
            readonly uri: string;
            readonly filename: string;
            /** @description Lower case, without dot */
            readonly extension: string;
            readonly mimeType: string;
            /** @enum {string} */
            readonly mediaKind: "video" | "audio" | "image" | "text";
            /** @description `media` or `auxiliary` */
            readonly type: string;
            readonly status: components["schemas"]["MediaStatus"];
            /** @description `primary extra trailer deleted-scene behind-the-scenes companion` */
            readonly classification: string;
            readonly edition: string | null;
            readonly partNumber: number | null;
            /** @description Bytes */
            readonly size: number;
            /** @description Seconds, for books pages */
            readonly duration: number | null;
            readonly fileInfo: {
                readonly [key: string]: unknown;
            };
            readonly assets: {
                readonly [key: string]: string;
            };
            readonly assetAspects: {
                readonly [key: string]: string;
            };
            readonly chapters: readonly components["schemas"]["Chapter"][];
            /** @description Subtitles and lyrics, in the file or beside it, that are sent as WebVTT */
            readonly text: readonly components["schemas"]["TextTrack"][];
            readonly loudness: components["schemas"]["Loudness"] | null;
            /** Format: date-time */
            readonly createdAt: string;
            /** Format: date-time */
            readonly updatedAt: string;
        };
        /** @enum {string} */
        readonly MediaStatus: "active" | "missing" | "error";
        /**
         * @example {
         *       "name": "Backup script",
         *       "role": "admin",
         *       "scopes": [
         *         "read-only"
         *       ]
         *     }
         */
        readonly NewApiKey: {
            readonly name: string;
            /**
             * @description At most your own role, which is the default
             * @enum {string}
             */
            readonly role?: "admin" | "user" | "guest";
            /** @description What limits it: `read-only`, `library:<id>`, `route:GET /api/items/:id`. A kind that is not named limits nothing: `read-only` alone reads every library of its user; `[]` = none, null = no limit */
            readonly scopes?: readonly string[] | null;
            /** Format: date-time */
            readonly expiresAt?: string | null;
        };
        /**
         * @example {
         *       "kind": "playlist",
         *       "name": "Rainy days"
         *     }
         */
        readonly NewCollection: {
            /**
             * @description A `playlist` is ordered, and an item may stand in it twice
             * @enum {string}
             */
            readonly kind?: "collection" | "playlist";
            /** @description Required, but for a playlist, which has its own id when absent */
            readonly distributedId?: string;
            readonly name: string;
            readonly description?: string | null;
            readonly mediaType?: string | null;
            /**
             * @description `manual` is the order that the owner chose
             * @enum {string}
             */
            readonly sortBy?: "manual" | "title" | "year" | "addedAt";
            readonly sortOrder?: components["schemas"]["SortOrder"];
            readonly hidden?: boolean;
        } & ({
            readonly distributedId: string;
        } | {
            /** @constant */
            readonly kind: "playlist";
        });
        /**
         * @example {
         *       "name": "Children",
         *       "libraryAccess": [
         *         {
         *           "libraryId": "01957a3e-7c00-7b1a-9f00-5d2c4e8a1001",
         *           "maxRating": "MPAA PG"
         *         }
         *       ]
         *     }
         */
        readonly NewGroup: {
            readonly name: string;
            /** @description What its users may see; `[]` = nothing */
            readonly libraryAccess?: readonly {
                readonly libraryId: string;
                /** @description `PG-13`, `FSK 12`; absent = no limit */
                readonly maxRating?: string | null;
            }[];
        };
        /**
         * @example {
         *       "role": "guest",
         *       "maxUses": 1
         *     }
         */
        readonly NewInvite: {
            /**
             * @description `user` when absent
             * @enum {string}
             */
            readonly role?: "admin" | "user" | "guest";
            /** @description The only libraries; `[]` = none, null = no limit */
            readonly libraryAccess?: readonly {
                readonly libraryId: string;
                /** @description `PG-13`, `FSK 12`; absent = no limit */
                readonly maxRating?: string | null;
            }[] | null;
            readonly groupIds?: readonly string[];
            /** @description How many people may redeem it; default 1 */
            readonly maxUses?: number;
            /**
             * Format: date-time
             * @description Default: in 7 days; at most in 366
             */
            readonly expiresAt?: string;
        };
        /**
         * @example {
         *       "type": "scan",
         *       "libraryId": "01957a3e-7c00-7b1a-9f00-5d2c4e8a1001"
         *     }
         */
        readonly NewJob: {
            /** @description `scan`, `probe`, `refresh`, `identify`, `reindex`, `backup`, or a type that a plugin serves */
            readonly type: string;
            readonly libraryId?: string;
            readonly payload?: {
                readonly [key: string]: unknown;
            };
            /** @default 50 */
            readonly priority?: number;
        };
        /**
         * @example {
         *       "name": "Films",
         *       "type": "movies",
         *       "roots": [
         *         "/media/films"
         *       ]
         *     }
         */
        readonly NewLibrary: {
            readonly name: string;
            readonly type: string;
            /** @description URIs such as file:///media/films, or absolute paths */
            readonly roots: readonly string[];
            /** @description The folders outside of the library to which links may lead. Everyone who sees the library can read what such a link leads to */
            readonly links?: readonly {
                /** @description A root of the library */
                readonly root: string;
                /** @description Where links below that root may lead as well: a URI or an absolute path */
                readonly folder: string;
            }[];
            /** @description The filesystem plugin of the library */
            readonly pluginId?: string | null;
            /** @default false */
            readonly hidden?: boolean;
            /** @description Whether its folders are watched for changes; else only a requested scan finds them */
            readonly watch?: boolean;
            /** @description The jobs that look at its media at night; all at first */
            readonly mediaJobs?: readonly ("loudness" | "stills" | "trickplay")[];
        };
        /**
         * @example {
         *       "url": "https://plugins.example.org/index.json"
         *     }
         */
        readonly NewMarketplaceSource: {
            /** Format: uri */
            readonly url: string;
            readonly mirrors?: readonly string[];
            /** @description The key that the source must have */
            readonly publisherKey?: string;
        };
        readonly NewPasskey: {
            readonly name: string;
            readonly passkey: {
                readonly [key: string]: unknown;
            };
        };
        /**
         * @example {
         *       "itemIds": [
         *         "01957a3e-8d10-7c2b-8e11-6e3d5f9b2002"
         *       ],
         *       "position": 0
         *     }
         */
        readonly NewPlaylistEntries: {
            /** @description In their order; an item may stand twice */
            readonly itemIds: readonly string[];
            /** @description The place of the first one; the end when absent */
            readonly position?: number;
        };
        readonly NewPluginSecret: {
            /** @description 4 to 16 384 bytes */
            readonly value: string;
            /**
             * @description What `value` is
             * @enum {string}
             */
            readonly encoding?: "utf8" | "base64";
            /** @description Hosts to which it may be sent, of those that the plugin asks for */
            readonly hosts?: readonly string[];
        };
        /**
         * @example {
         *       "name": "Kids",
         *       "libraryAccess": [
         *         {
         *           "libraryId": "01957a3e-7c00-7b1a-9f00-5d2c4e8a1001",
         *           "maxRating": "MPAA PG"
         *         }
         *       ]
         *     }
         */
        readonly NewProfile: {
            readonly name: string;
            /** @description Its user; another user only for admins */
            readonly userId?: string;
            /**
             * Format: uri
             * @description An https address
             */
            readonly avatarUrl?: string | null;
            /** @description The only libraries; `[]` = none, null = no limit */
            readonly libraryAccess?: readonly {
                readonly libraryId: string;
                /** @description `PG-13`, `FSK 12`; absent = no limit */
                readonly maxRating?: string | null;
            }[] | null;
            /** @description 4 to 8 digits */
            readonly pin?: string | null;
        };
        /**
         * @example {
         *       "name": "Ben",
         *       "password": "a long pass phrase",
         *       "role": "user"
         *     }
         */
        readonly NewUser: {
            readonly name: string;
            /** @description 10 to 1000 characters */
            readonly password: string;
            /**
             * @default user
             * @enum {string}
             */
            readonly role?: "admin" | "user" | "guest";
            /** @description The only libraries; `[]` = none, null = no limit */
            readonly libraryAccess?: readonly {
                readonly libraryId: string;
                /** @description `PG-13`, `FSK 12`; absent = no limit */
                readonly maxRating?: string | null;
            }[] | null;
            readonly groupIds?: readonly string[];
        };
        /**
         * @example {
         *       "name": "Chat",
         *       "url": "https://chat.example/hook",
         *       "events": "library.item.added"
         *     }
         */
        readonly NewWebhook: {
            readonly name: string;
            /**
             * Format: uri
             * @description http or https
             */
            readonly url: string;
            /** @description `whsec_` and the base64 of 24 to 64 bytes; generated when absent */
            readonly secret?: string;
            /** @description Patterns of event names, comma-separated: `library.item.*,job.failed`; `*` = all; when absent `library.*,library.*.*,job.*,transcode.*,plugin.*,plugin.*.*,notification.*,playback.*,collection.*,scheduler.*,backup.*,server.*` */
            readonly events?: string;
            readonly enabled?: boolean;
        };
        /**
         * @description A notification for admins
         * @example {
         *       "id": "01957a40-0001-7001-8001-000000000002",
         *       "level": "warning",
         *       "title": "A folder cannot be reached",
         *       "message": "The folder /media/films of the library Films cannot be reached.",
         *       "source": "libraries",
         *       "readAt": null,
         *       "createdAt": "2026-03-01T19:30:00.000Z"
         *     }
         */
        readonly Notification: {
            /** Format: uuid */
            readonly id: string;
            /** @enum {string} */
            readonly level: "info" | "warning" | "error";
            readonly title: string;
            readonly message: string;
            /** @description `jobs`, `plugins`, `license`, `libraries`, `storage` */
            readonly source: string;
            /** Format: date-time */
            readonly readAt: string | null;
            /** Format: date-time */
            readonly createdAt: string;
        };
        readonly NotificationEventData: {
            readonly id: string;
            /** @enum {string} */
            readonly level: "info" | "warning" | "error";
            readonly title: string;
            readonly source: string;
        };
        readonly OfferedPicture: {
            /** @description Of `GET /api/assets/:id` */
            readonly id: string;
            /** @description Open: such as `poster` or `backdrop` */
            readonly type: string;
            readonly aspect: string | null;
            /** @description The plugin that named it; null = made of the file */
            readonly pluginId: string | null;
            /** @description An admin uploaded it */
            readonly isUploaded: boolean;
        };
        readonly Pairing: {
            /** @description For a person who is signed in: 8 letters */
            readonly code: string;
            /** @description For the device, which asks with it; never shown */
            readonly secret: string;
            /** Format: date-time */
            readonly expiresAt: string;
        };
        readonly PairingState: {
            /** @enum {string} */
            readonly status: "waiting" | "accepted" | "refused";
            /** @description Shown once; a cookie instead with X-Session: cookie */
            readonly sessionToken?: string;
            /** @description With a cookie: goes into the header X-CSRF-Token of every change */
            readonly csrfToken?: string;
            /** Format: date-time */
            readonly expiresAt?: string;
            readonly user?: components["schemas"]["User"];
        };
        readonly Passkey: {
            /** Format: uuid */
            readonly id: string;
            readonly name: string;
            /** @description A password manager syncs it to other devices */
            readonly isSynced: boolean;
            /** Format: date-time */
            readonly createdAt: string;
            /** Format: date-time */
            readonly lastUsedAt: string | null;
        };
        readonly PasskeySignIn: {
            readonly passkey: {
                readonly [key: string]: unknown;
            };
            /** @description The name in the list of sessions */
            readonly deviceName?: string;
        };
        readonly PasswordChange: {
            /** @description 10 to 1000 characters */
            readonly currentPassword?: string;
            /** @description 10 to 1000 characters */
            readonly newPassword: string;
            /**
             * @description Also end the API keys, which a person who knew the old password may have made
             * @default false
             */
            readonly endApiKeys?: boolean;
        };
        /** @description Something of which no plugin is sure what it is */
        readonly PendingMatch: {
            readonly item: components["schemas"]["Tile"];
            /** Format: uuid */
            readonly libraryId: string;
            /** @description How many items a choice decides: the episodes of a show, the tracks of an album */
            readonly items: number;
            /** @description Best first */
            readonly candidates: readonly components["schemas"]["MatchCandidate"][];
        };
        /**
         * @example {
         *       "permission": "library",
         *       "sentence": "It can see what is in your libraries.",
         *       "reason": "To show an item's tags on its page."
         *     }
         */
        readonly PermissionSentence: {
            readonly permission: string;
            /** @description What a plugin with it can do, in plain words */
            readonly sentence: string;
            /** @description Why the plugin wants it, in its author’s words */
            readonly reason: string | null;
            /** @description What each value of `serves`, `hears` or `hooks` means, where several are granted one by one */
            readonly values?: readonly {
                readonly value: string;
                readonly sentence: string;
            }[];
        };
        readonly Permissions: {
            readonly net?: readonly string[];
            /** @enum {string} */
            readonly files?: "read";
            /** @enum {string} */
            readonly disk?: "read";
            /** @enum {string} */
            readonly library?: "read" | "write";
            /** @enum {string} */
            readonly metadata?: "write";
            readonly kv?: {
                readonly quotaMb: number;
            };
            /** @description A full-text index of its own */
            readonly textIndex?: boolean;
            /** @enum {string} */
            readonly events?: "emit";
            readonly jobs?: readonly string[];
            /** @description Methods of other plugins: `film-facts:rating` */
            readonly calls?: readonly string[];
            /** @description Scheduled calls */
            readonly schedule?: boolean;
            /** @description Secrets that the host keeps */
            readonly secrets?: boolean;
            /** @description WebAssembly inside the isolate */
            readonly wasm?: boolean;
            /** @description Every event, kept until the plugin has taken it */
            readonly eventLog?: boolean;
            /** @description Notifications to admins */
            readonly notifications?: boolean;
            /** @description The capabilities that it serves: `search` */
            readonly serves?: readonly string[];
            /** @description Groups of events: `library` */
            readonly hears?: readonly string[];
            /** @description Hooks that it subscribes to */
            readonly hooks?: readonly string[];
            readonly reasons?: {
                readonly [key: string]: unknown;
            };
        };
        readonly PictureUpload: {
            /** @description Such as `poster` */
            readonly type: string;
            /** @description A picture of at most 5 MiB, in base64 */
            readonly image: string;
        };
        readonly PipelineItemEventData: {
            /** Format: uuid */
            readonly itemId: string;
            /** Format: uuid */
            readonly libraryId: string;
            readonly state: string;
        };
        readonly PipelineStepEventData: {
            /** Format: uuid */
            readonly itemId: string;
            /** Format: uuid */
            readonly libraryId: string;
            readonly step: string;
            readonly durationMs: number | null;
        };
        readonly PlayTrack: {
            /** @description Such as `v0`, `a1`, `s2`, or the id of a text */
            readonly id: string;
            /** @enum {string} */
            readonly kind: "video" | "audio" | "subtitle";
            readonly codec: string;
            /** @description RFC 6381 */
            readonly codecs: string | null;
            readonly profile: string | null;
            /** @description BCP 47 */
            readonly language: string | null;
            readonly title: string | null;
            readonly isDefault: boolean;
            readonly isForced: boolean;
            readonly isHearingImpaired: boolean;
            readonly width: number | null;
            readonly height: number | null;
            readonly frameRate: number | null;
            readonly bitDepth: number | null;
            /** @enum {string|null} */
            readonly hdr: "hdr10" | "hdr10plus" | "hlg" | "dolby-vision" | null;
            readonly channels: number | null;
            /** @description Hertz */
            readonly sampleRate: number | null;
            /** @description Bits per second */
            readonly bitrate: number | null;
            /** @description Whether it is text, which is sent as WebVTT */
            readonly isText: boolean;
        };
        readonly PlaybackClient: {
            /** @description Candidates that `MediaSource.isTypeSupported` accepts */
            readonly mse: readonly string[];
            /** @description Candidates that `canPlayType` accepts */
            readonly src: readonly string[];
            /**
             * @description For a device that tests nothing: what it plays
             * @enum {string}
             */
            readonly profile?: "tv-generic" | "chromecast" | "apple-tv" | "kodi" | "vlc";
            readonly maxHeight?: number;
            readonly maxKbps?: number;
            readonly maxChannels?: number;
            /** @description What the screen shows; absent = not known */
            readonly hdr?: readonly ("hdr10" | "hdr10plus" | "hlg" | "dolby-vision")[];
            /** @description Subtitles that are pictures, which it draws itself */
            readonly subtitles?: readonly "pgs"[];
        };
        readonly PlaybackEventData: {
            /** Format: uuid */
            readonly itemId: string;
            /** Format: uuid */
            readonly profileId: string;
            /** @description Seconds */
            readonly position: number;
            /** @description Seconds */
            readonly duration: number;
            readonly completed: boolean;
        };
        readonly PlaybackFile: {
            /** Format: uuid */
            readonly id: string;
            readonly container: string | null;
            /** @description Seconds */
            readonly duration: number | null;
            readonly tracks: readonly components["schemas"]["PlayTrack"][];
            /** @description Types to test, with `MediaSource.isTypeSupported` for `mse` and with `canPlayType` for `src` of a session */
            readonly candidates: readonly string[];
            readonly chapters: readonly components["schemas"]["Chapter"][];
            readonly trickplay: components["schemas"]["Trickplay"] | null;
            /** @description Why it is not sent in segments; null when it is */
            readonly withoutSegments: string | null;
        };
        /** @description A smaller picture, where the server converts slower than the film plays: ask for it with `maxKbps` */
        readonly PlaybackOffer: {
            readonly height: number;
            readonly maxKbps: number;
        };
        readonly PlaybackReason: {
            /** @description Open: `container video_codec video_level bit_depth hdr audio_codec channels bitrate subtitle_burn interlaced server_speed` */
            readonly code: string;
            /** @description For people */
            readonly message: string;
        };
        /**
         * @example {
         *       "position": 1260.5,
         *       "duration": 6900
         *     }
         */
        readonly PlaybackReport: {
            /** @description A primary file of the item, to which the other keys belong; the server adds the parts before it */
            readonly fileId?: string;
            /** @description From the start: seconds, for books pages */
            readonly position: number;
            /** @description Total; counts only where the server does not know it: seconds, for books pages */
            readonly duration?: number;
            /** @description Default: true from nine tenths or from the credits on */
            readonly completed?: boolean;
            /** @description How long ago it was played there, if it is told later, as after a time without the server. A state that is newer stays, and is the reply. */
            readonly secondsAgo?: number;
        };
        readonly PlaybackSession: {
            /** Format: uuid */
            readonly id: string;
            /** Format: uuid */
            readonly itemId: string;
            /** Format: uuid */
            readonly fileId: string;
            /** @enum {string} */
            readonly mode: "direct" | "remux" | "convert";
            readonly reasons: readonly components["schemas"]["PlaybackReason"][];
            /** @description Seconds; 0 = not known */
            readonly duration: number;
            /** @description Seconds */
            readonly position: number;
            /** @enum {string} */
            readonly state: "playing" | "paused";
            /** Format: date-time */
            readonly createdAt: string;
            /** @enum {string} */
            readonly kind: "file" | "hls";
            /**
             * Format: uri-reference
             * @description What a player opens, without any header
             */
            readonly url: string;
            /** @description What it asks for first; it can ask for all of them at once */
            readonly firstUrls: readonly string[];
            /**
             * Format: uri-reference
             * @description One answer with all of `firstUrls`; null where some of it is converted
             */
            readonly firstUrl: string | null;
            readonly tracks: readonly components["schemas"]["PlaybackSessionTrack"][];
            /** Format: date-time */
            readonly expiresAt: string;
            /**
             * Format: uri-reference
             * @description Where the client reports its position every ten seconds, with PATCH
             */
            readonly progressUrl: string;
            /** @description Seconds of film that are converted in a second, if known */
            readonly rate: number | null;
            readonly offer: components["schemas"]["PlaybackOffer"] | null;
            /**
             * Format: uri-reference
             * @description WebVTT of little pictures for the bar of the player; 404 while there are none
             */
            readonly trickplayUrl: string | null;
        };
        readonly PlaybackSessionChange: {
            readonly audio?: string;
            readonly subtitle?: string | null;
            readonly maxKbps?: number | null;
            /** @description Where the client is; it is kept for the profile */
            readonly position?: number;
            /**
             * @description `ended`: the last report, as of a page that goes away; the session ends
             * @enum {string}
             */
            readonly state?: "playing" | "paused" | "ended";
        };
        readonly PlaybackSessionRequest: {
            readonly itemId: string;
            readonly fileId?: string;
            /** @description Where the client starts */
            readonly position?: number;
            readonly client: components["schemas"]["PlaybackClient"];
            readonly audio?: string;
            readonly subtitle?: string;
            /**
             * @description Default: `auto`
             * @enum {string}
             */
            readonly mode?: "auto" | "direct" | "remux" | "convert";
            /** @description Whether a session of the same person, for the item or on the device, ends where no place is free. Default: true */
            readonly takesOver?: boolean;
        };
        readonly PlaybackSessionSummary: {
            /** Format: uuid */
            readonly id: string;
            /** Format: uuid */
            readonly itemId: string;
            /** Format: uuid */
            readonly fileId: string;
            /** @enum {string} */
            readonly mode: "direct" | "remux" | "convert";
            readonly reasons: readonly components["schemas"]["PlaybackReason"][];
            /** @description Seconds; 0 = not known */
            readonly duration: number;
            /** @description Seconds */
            readonly position: number;
            /** @enum {string} */
            readonly state: "playing" | "paused";
            /** Format: date-time */
            readonly createdAt: string;
            /** Format: uuid */
            readonly userId: string;
            /** Format: uuid */
            readonly profileId: string;
        };
        readonly PlaybackSessionTrack: {
            /** @description Such as `v0`, `a1`, `s2`, or the id of a text */
            readonly id: string;
            /** @enum {string} */
            readonly kind: "video" | "audio" | "subtitle";
            readonly codec: string;
            /** @description BCP 47 */
            readonly language: string | null;
            readonly title: string | null;
            readonly isForced: boolean;
            readonly isHearingImpaired: boolean;
            readonly isSelected: boolean;
            /** @enum {string} */
            readonly way: "direct" | "copy" | "convert" | "refuse";
            /** @description Why it is not played directly */
            readonly reasons: readonly string[];
            /**
             * Format: uri-reference
             * @description Its playlist; of a text the track as WebVTT
             */
            readonly url: string | null;
            /** Format: uri-reference */
            readonly assUrl: string | null;
            /**
             * Format: uri-reference
             * @description A subtitle of pictures that the client draws, from `?from=` seconds on
             */
            readonly supUrl: string | null;
        };
        /**
         * @example {
         *       "completed": false,
         *       "position": 1260.5,
         *       "duration": 6900
         *     }
         */
        readonly PlaybackState: {
            readonly completed: boolean;
            /** @description Seconds, for books pages */
            readonly position: number;
            /** @description Seconds, for books pages */
            readonly duration: number;
        };
        readonly PlaylistEntry: {
            /** Format: uuid */
            readonly id: string;
            /** @description Its place among all entries, 0 = first; entries that do not show count too */
            readonly position: number;
            readonly item: components["schemas"]["Item"];
        };
        /**
         * @example {
         *       "position": 3
         *     }
         */
        readonly PlaylistEntryMove: {
            /** @description Its new place, 0 = first; beyond the end is the end */
            readonly position: number;
        };
        readonly PlaylistFile: {
            /** Format: uuid */
            readonly id: string;
            /** Format: uuid */
            readonly libraryId: string;
            /** @description That of the file, without its extension */
            readonly name: string;
            /** @description Below its folder of the library */
            readonly path: string;
        };
        readonly PlaylistFileEntry: {
            readonly title: string;
            /** @description Seconds, as the playlist says */
            readonly duration: number | null;
            readonly item: components["schemas"]["Tile"] | null;
            /**
             * @description Why there is no item: no such file in the library, or one on the network
             * @enum {string|null}
             */
            readonly problem: "missing" | "address" | null;
        };
        /**
         * @example {
         *       "id": "release-tags",
         *       "name": "Release tags",
         *       "version": "1.0.0",
         *       "author": "Ada Brandt",
         *       "description": "Shows words such as REMUX on the page of an item.",
         *       "license": "MIT",
         *       "repository": null,
         *       "homepage": null,
         *       "capabilities": [],
         *       "mediaTypes": [
         *         "movies"
         *       ],
         *       "enabled": true,
         *       "state": "running",
         *       "errorMessage": null,
         *       "type": "marketplace",
         *       "restartAttempts": 0,
         *       "lastCrashAt": null,
         *       "configuration": [],
         *       "capabilityConfig": {}
         *     }
         */
        readonly Plugin: {
            readonly id: string;
            readonly name: string;
            readonly version: string;
            readonly description: string;
            readonly author: string;
            readonly license: string;
            /** Format: uri */
            readonly repository: string | null;
            /** Format: uri */
            readonly homepage: string | null;
            readonly capabilities: readonly string[];
            readonly mediaTypes: readonly string[];
            readonly enabled: boolean;
            /** @enum {string} */
            readonly state: "discovered" | "starting" | "running" | "stopping" | "stopped" | "failed";
            /** @description For admins only */
            readonly errorMessage: string | null;
            /** @enum {string} */
            readonly type: "builtin" | "marketplace" | "local";
            readonly restartAttempts: number;
            /** Format: date-time */
            readonly lastCrashAt: string | null;
            /** @description The form, without values */
            readonly configuration: readonly components["schemas"]["ConfigField"][];
            readonly capabilityConfig: components["schemas"]["CapabilityConfig"];
            /** @description Handlers that are not called at the moment; for admins only */
            readonly suspended?: readonly {
                /** @description `hook pipeline.index.afterProcess` */
                readonly handler: string;
                /** Format: date-time */
                readonly until: string;
                readonly reason: string;
            }[];
        };
        readonly PluginDryRun: {
            /** Format: date-time */
            readonly since: string | null;
            /** @description Allowed calls of the last run */
            readonly calls: number;
            /** @description Those that would be refused */
            readonly wouldBeRefused: number;
            /** @description The calls that would be refused first */
            readonly entries: readonly {
                /** @description `net.fetch` */
                readonly call: string;
                /** @description A host, a library, a type of jobs */
                readonly subject: string | null;
                readonly permission: string | null;
                readonly count: number;
                readonly refused: number;
                readonly wouldBeRefused: boolean;
                readonly sentence: string;
            }[];
            /** @description Other differences */
            readonly effects: readonly string[];
        };
        readonly PluginEventData: {
            readonly pluginId: string;
            readonly version: string;
            readonly state: string;
            readonly errorMessage: string | null;
        };
        readonly PluginGrant: {
            readonly granted: {
                readonly [key: string]: unknown;
            };
            /** @description `all`, or only these; unchanged when absent, initially `all` */
            readonly libraries?: "all" | readonly {
                readonly id: string;
                readonly folders?: readonly string[];
            }[];
        };
        readonly PluginInstallation: {
            /** @description Id of the plugin */
            readonly id: string;
            readonly version?: string;
            /** @description Id of the source, if several have it */
            readonly source?: string;
            readonly granted?: {
                readonly [key: string]: unknown;
            };
            /** @description `all`, or a list as in a grant; goes with `granted` */
            readonly libraries?: unknown;
        };
        /**
         * @example {
         *       "time": "2026-03-01T19:30:00.000Z",
         *       "level": "info",
         *       "text": "It found 3 tags."
         *     }
         */
        readonly PluginLogLine: {
            /** Format: date-time */
            readonly time: string;
            /** @enum {string} */
            readonly level: "debug" | "info" | "warn" | "error";
            readonly text: string;
            /** @description For lines about a failure of the plugin */
            readonly failure?: {
                /** @enum {string} */
                readonly kind: "threw" | "timed-out" | "unknown-handler" | "reply-refused" | "delta-refused" | "delta-not-granted" | "call-refused" | "lost" | "crashed";
                /** @description `hook pipeline.index.afterProcess` */
                readonly handler: string;
                readonly message: string;
                readonly durationMs: number | null;
                /** @description Places in the files of the plugin, the innermost first */
                readonly stack: readonly string[];
            };
        };
        readonly PluginPackage: {
            readonly id: string;
            readonly name: string;
            readonly version: string;
            readonly description: string;
            readonly author: string;
            readonly license: string;
            readonly publisherKey: string;
            /** @description Whether a source offers it with this key */
            readonly isKnown: boolean;
            /** @description The version that is installed */
            readonly replaces: string | null;
            /** @description What `replaces` did not ask for */
            readonly asksMore: readonly string[];
            readonly permissions: components["schemas"]["PluginPermissions"];
        };
        readonly PluginPermissions: {
            readonly asked: components["schemas"]["Permissions"];
            readonly granted: components["schemas"]["Permissions"] | null;
            readonly proposed?: components["schemas"]["Permissions"];
            /** @description What the plugin may access: `all`, including later libraries, or only these */
            readonly libraries: "all" | readonly {
                readonly id: string;
                /** @description null = the library was removed */
                readonly name: string | null;
                /** @description Only these folders of it, as URIs; all of it when absent */
                readonly folders?: readonly string[];
            }[];
            readonly reach: {
                /** @description What that means, in plain words */
                readonly sentence: string;
                /** @description The libraries and folders; null = all */
                readonly places: string | null;
                /** @description Libraries that it may not access */
                readonly withheld: readonly {
                    readonly id: string;
                    readonly name: string;
                }[];
            };
            /** @description One for each permission that is asked for */
            readonly sentences: readonly components["schemas"]["PermissionSentence"][];
            /** @description What it adds to the pages, in plain words; null = nothing */
            readonly interface: string | null;
        };
        readonly PluginQuota: {
            /** @enum {string} */
            readonly quota: "memory" | "processMemory" | "cpu" | "hostCalls" | "hostBytes" | "eventQueue" | "kv" | "textIndex" | "package" | "disk" | "log";
            /** @enum {string} */
            readonly unit: "bytes" | "ms/s" | "calls/min" | "bytes/min" | "events" | "lines";
            readonly used: number;
            /** @description null = no limit: a part of the server */
            readonly limit: number | null;
        };
        readonly PluginRefusal: {
            /** @description `net.fetch` */
            readonly call: string;
            /** @description A host, a library, a folder, a type of jobs */
            readonly subject: string | null;
            readonly permission: string | null;
            readonly code: string;
            /** @description Why, as the plugin was told */
            readonly message: string;
            readonly count: number;
            /** Format: date-time */
            readonly firstAt: string;
            /** Format: date-time */
            readonly lastAt: string;
        };
        readonly PluginRollback: {
            /** @description Id of the plugin */
            readonly id: string;
            readonly version?: string;
        };
        readonly PluginSecret: {
            readonly name: string;
            /** @description `plugin`, `{libraryId}`, `{userId}`, or `{profile}` with the pseudonym of a profile in the plugin */
            readonly scope: unknown;
            /** @description Where it may be sent; empty = it only signs */
            readonly hosts: readonly string[];
            /** Format: date-time */
            readonly updatedAt: string;
            /** @description It cannot be decrypted with the key of this server: set it again */
            readonly isLost: boolean;
        };
        readonly PluginUpload: {
            /** @description A signed `.vplugin` of at most 10 MiB, in base64 */
            readonly file: string;
            readonly granted?: {
                readonly [key: string]: unknown;
            };
            /** @description Goes with `granted` */
            readonly libraries?: unknown;
        };
        /** @description Since the server started */
        readonly PluginUsage: {
            readonly calls: number;
            readonly timeouts: number;
            readonly unknownHandlers: number;
            /** @description Calls for a person: views, actions, searches */
            readonly viewerCalls: number;
            /** @description Views and actions that were answered 429, since a user asked too often */
            readonly turnedAway: number;
            readonly cpuMs: number;
            readonly memoryBytes: number;
            readonly droppedEvents: number;
            readonly hostCalls: number;
            readonly refusedCalls: number;
            /** @description How long it waited for processor time */
            readonly pausedMs: number;
            /** @description The recent maximum of its process; 0 if it shares one */
            readonly processBytes: number;
            readonly bytesIn: number;
            readonly bytesOut: number;
            readonly restarts: number;
            readonly queuedEvents: number;
            /** @description Failures by kind and handler */
            readonly failures: {
                readonly total: number;
                readonly kinds: {
                    readonly threw?: number;
                    readonly "timed-out"?: number;
                    readonly "unknown-handler"?: number;
                    readonly "reply-refused"?: number;
                    readonly "delta-refused"?: number;
                    readonly "delta-not-granted"?: number;
                    readonly "call-refused"?: number;
                    readonly lost?: number;
                    readonly crashed?: number;
                };
                /** @description The latest first */
                readonly handlers: readonly {
                    readonly handler: string;
                    readonly count: number;
                    /** @enum {string} */
                    readonly kind: "threw" | "timed-out" | "unknown-handler" | "reply-refused" | "delta-refused" | "delta-not-granted" | "call-refused" | "lost" | "crashed";
                    /** @description Of the latest failure, like the kind */
                    readonly message: string;
                    /** Format: date-time */
                    readonly lastAt: string;
                }[];
            };
            /** @description How often each permission was used, including refused uses */
            readonly powers: readonly {
                readonly permission: string;
                readonly uses: number;
                readonly refused: number;
            }[];
            /** @description The last 100, the latest first; equal ones are one entry */
            readonly refusals: readonly components["schemas"]["PluginRefusal"][];
            /** @description How much of each quota is used now */
            readonly quotas: readonly components["schemas"]["PluginQuota"][];
            /** @description The last 60 minutes; the last one is incomplete */
            readonly chart: readonly components["schemas"]["PluginUsagePoint"][];
            /** @description Of `host.net`: requests, failures, cache hits */
            readonly net: {
                readonly requests: number;
                readonly failures: number;
                readonly cached: number;
                readonly receivedBytes: number;
            };
        };
        readonly PluginUsagePoint: {
            /** Format: date-time */
            readonly at: string;
            readonly calls: number;
            readonly hostCalls: number;
            readonly refused: number;
            readonly cpuMs: number;
            readonly pausedMs: number;
            readonly bytesIn: number;
            readonly bytesOut: number;
            readonly eventsDropped: number;
            readonly restarts: number;
            readonly memoryPeakBytes: number;
            readonly queuePeak: number;
        };
        /** @description Keys to set; null removes one, and the others stay. Keys of clients are kept as they are: 1 kB each, 64 kB in all */
        readonly PreferenceChanges: {
            /** @description Of the interface: BCP 47 */
            readonly locale?: string | null;
            /** @enum {string|null} */
            readonly theme?: "system" | "light" | "dark" | null;
            /** @description Languages of sound, the preferred one first: BCP 47 or ISO 639-2 */
            readonly audioLanguages?: readonly string[] | null;
            /** @description Languages of subtitles, the preferred one first: BCP 47 or ISO 639-2 */
            readonly subtitleLanguages?: readonly string[] | null;
            /**
             * @description `auto`: where the sound is in none of the languages of sound
             * @enum {string|null}
             */
            readonly subtitleMode?: "off" | "forced" | "auto" | "always" | null;
            /** @enum {string|null} */
            readonly textSize?: "small" | "medium" | "large" | "x-large" | null;
            /** @description Play the next episode by itself */
            readonly autoplayNext?: boolean | null;
            /** @description Skip intros by itself */
            readonly skipIntro?: boolean | null;
            /** @description Ids of rows of the first page, in this order; the others follow. With - before it, a row is not shown */
            readonly homeRows?: readonly string[] | null;
        } & {
            readonly [key: string]: unknown;
        };
        /**
         * @description Keys of clients are kept as they are: 1 kB each, 64 kB in all
         * @example {
         *       "locale": "de",
         *       "audioLanguages": [
         *         "de",
         *         "en"
         *       ],
         *       "subtitleMode": "auto"
         *     }
         */
        readonly Preferences: {
            /** @description Of the interface: BCP 47 */
            readonly locale?: string;
            /** @enum {string} */
            readonly theme?: "system" | "light" | "dark";
            /** @description Languages of sound, the preferred one first: BCP 47 or ISO 639-2 */
            readonly audioLanguages?: readonly string[];
            /** @description Languages of subtitles, the preferred one first: BCP 47 or ISO 639-2 */
            readonly subtitleLanguages?: readonly string[];
            /**
             * @description `auto`: where the sound is in none of the languages of sound
             * @enum {string}
             */
            readonly subtitleMode?: "off" | "forced" | "auto" | "always";
            /** @enum {string} */
            readonly textSize?: "small" | "medium" | "large" | "x-large";
            /** @description Play the next episode by itself */
            readonly autoplayNext?: boolean;
            /** @description Skip intros by itself */
            readonly skipIntro?: boolean;
            /** @description Ids of rows of the first page, in this order; the others follow. With - before it, a row is not shown */
            readonly homeRows?: readonly string[];
        } & {
            readonly [key: string]: unknown;
        };
        readonly PresetPlugin: {
            readonly id: string;
            readonly name: string;
            readonly description: string;
            readonly mediaTypes: readonly string[];
            /** @description The hosts that it asks for, and those that its configuration names */
            readonly hosts: readonly string[];
            /** @description Why it asks for them, in its author’s words */
            readonly reason: string | null;
            /** @description It needs a key, which an admin sets as its secret */
            readonly needsKey: boolean;
            /** @description It was granted all that it asks for */
            readonly granted: boolean;
        };
        /**
         * @example {
         *       "code": "backup_failed",
         *       "severity": "error",
         *       "subject": {
         *         "type": "task",
         *         "id": "backup"
         *       },
         *       "message": "The scheduled backup failed. The disk of the backup folder /srv/backups is full, and nothing was stored. Make room on it.",
         *       "action": "Remove the cause; run it again under Manage, Settings.",
         *       "since": "2026-03-01T19:30:00.000Z"
         *     }
         */
        readonly Problem: {
            /**
             * @description docs/problems.md lists the codes
             * @enum {string}
             */
            readonly code: "cannot_write" | "database_unreachable" | "database_slow" | "database_damaged" | "disk_nearly_full" | "secrets_unreadable" | "backup_failed" | "backup_overdue" | "task_failed" | "index_expired" | "library_unreachable" | "library_scan_failed" | "library_incomplete" | "library_unwatched" | "plugin_given_up" | "plugin_failing" | "permissions_pending" | "overloaded";
            /**
             * @description critical: the server cannot do its work; error: a part of it does not work
             * @enum {string}
             */
            readonly severity: "warning" | "error" | "critical";
            /** @description What has the problem, such as {type: "library", id} */
            readonly subject: {
                readonly type: string;
                readonly id: string;
            };
            /** @description What is wrong */
            readonly message: string;
            /** @description What to do */
            readonly action: string;
            /** Format: date-time */
            readonly since: string;
        };
        /**
         * @description A profile of a user
         * @example {
         *       "id": "01957a3a-1001-7f5e-9b44-916082ce5005",
         *       "userId": "01957a3a-1000-7e4d-8c33-805f71bd4004",
         *       "name": "Ada",
         *       "avatarUrl": null,
         *       "libraryAccess": null,
         *       "isDefault": true,
         *       "hasPin": false,
         *       "createdAt": "2026-03-01T19:30:00.000Z",
         *       "updatedAt": "2026-03-02T08:15:30.250Z"
         *     }
         */
        readonly Profile: {
            /** Format: uuid */
            readonly id: string;
            /** Format: uuid */
            readonly userId: string;
            readonly name: string;
            /**
             * Format: uri-reference
             * @description An https address, or the path of an uploaded picture
             */
            readonly avatarUrl: string | null;
            /** @description The only libraries; `[]` = none, null = no limit */
            readonly libraryAccess: readonly components["schemas"]["LibraryAccess"][] | null;
            /** @description Requests without X-Profile-Id act as it */
            readonly isDefault: boolean;
            readonly hasPin: boolean;
            /** Format: date-time */
            readonly createdAt: string;
            /** Format: date-time */
            readonly updatedAt: string;
        };
        readonly ProfileChanges: {
            readonly name?: string;
            /**
             * Format: uri
             * @description An https address
             */
            readonly avatarUrl?: string | null;
            /** @description The only libraries; `[]` = none, null = no limit */
            readonly libraryAccess?: readonly {
                readonly libraryId: string;
                /** @description `PG-13`, `FSK 12`; absent = no limit */
                readonly maxRating?: string | null;
            }[] | null;
            /** @description 4 to 8 digits */
            readonly pin?: string | null;
            /** @description 4 to 8 digits */
            readonly currentPin?: string;
            /** @description true makes it the default */
            readonly isDefault?: boolean;
        };
        readonly ProfilePlugin: {
            readonly id: string;
            readonly name: string;
            readonly description: string;
            /** @description The form that a profile fills in */
            readonly configuration: readonly components["schemas"]["ConfigField"][];
            /** @description With `***` for each secret that is set */
            readonly values: {
                readonly [key: string]: unknown;
            };
        };
        readonly ProfileRating: {
            /** @description 0.5 to 5 in steps of 0.5; null removes the rating */
            readonly value: number | null;
        };
        readonly Provider: {
            /** @description `search`, `filesystem:s3`, `job:scan` */
            readonly key: string;
            /** @description The plugin that serves it now; null = none */
            readonly pluginId: string | null;
            /** @description An admin chose it; else it is a part of the server */
            readonly chosen: boolean;
            /** @description Every plugin that was granted the capability */
            readonly candidates: readonly {
                readonly pluginId: string;
                readonly name: string;
                /** @enum {string} */
                readonly type: "builtin" | "marketplace" | "local";
            }[];
        };
        readonly RatingSystem: {
            readonly id: string;
            /** @description Who rates */
            readonly authority: string;
            /** @description Where the steps are described */
            readonly source: string;
            /** @description Codes and names; empty = several countries */
            readonly countries: readonly string[];
            /** @description The mildest first */
            readonly steps: readonly {
                readonly label: string;
                /** @description As a libraryAccess has it: `FSK 12` */
                readonly maxRating: string;
                /** @description The minimum age, in years; 0 = for all ages */
                readonly age: number;
            }[];
        };
        /**
         * @example {
         *       "ready": false,
         *       "reasons": [
         *         {
         *           "code": "cannot_write",
         *           "message": "The disk of the data folder is full."
         *         }
         *       ]
         *     }
         */
        readonly Readiness: {
            readonly ready: boolean;
            /** @description Why it is not ready: starting, stopping, or the code of a problem */
            readonly reasons: readonly {
                readonly code: string;
                readonly message: string;
            }[];
        };
        readonly RemovedFile: {
            /** Format: uuid */
            readonly fileId: string;
            /** @description Below its folder of the library */
            readonly path: string;
        };
        readonly RemovedFiles: {
            readonly fileIds: readonly string[];
        };
        /** @enum {string} */
        readonly Role: "admin" | "user" | "guest";
        readonly ScanEventData: {
            /** Format: uuid */
            readonly libraryId: string;
            /** Format: uuid */
            readonly jobId: string;
            readonly found: number;
            readonly added: number;
            readonly changed: number;
            readonly moved: number;
            readonly gone: number;
            /** @description Plugins that should have named files but did not answer */
            readonly absentPlugins?: readonly {
                readonly pluginId: string;
                readonly code: string;
            }[];
        };
        readonly SearchResult: {
            readonly query: string;
            /** @description Best first; tiles with `fields=tile` */
            readonly items: readonly (components["schemas"]["FoundTile"] | components["schemas"]["FoundItem"])[];
            /** @description The number of all matches */
            readonly itemsTotal: number;
            /** @description Best first */
            readonly entities: readonly components["schemas"]["FoundEntity"][];
        };
        /**
         * @example {
         *       "time": "2026-03-01T19:30:00.000Z",
         *       "level": "warn",
         *       "pluginId": null,
         *       "text": "A disk is almost full."
         *     }
         */
        readonly ServerLogLine: {
            /** Format: date-time */
            readonly time: string;
            /** @enum {string} */
            readonly level: "debug" | "info" | "warn" | "error";
            /** @description The plugin that it is about */
            readonly pluginId: string | null;
            readonly text: string;
        };
        readonly ServerMessage: components["schemas"]["EventMessage"] | {
            /** @constant */
            readonly type: "subscribed";
            /** @description Patterns; null = everything */
            readonly types: readonly string[] | null;
            readonly id: string;
        } | {
            /** @constant */
            readonly type: "gap";
            readonly id: string;
            readonly reason: string;
        } | {
            /** @constant */
            readonly type: "pong";
        } | {
            /** @constant */
            readonly type: "error";
            readonly code: string;
            readonly error: string;
        };
        /**
         * @example {
         *       "id": "01957a3e-8d10-7c2b-8e11-6e3d5f9b2002",
         *       "deviceName": "Living room",
         *       "userAgent": null,
         *       "address": "192.0.2.7",
         *       "createdAt": "2026-03-01T19:30:00.000Z",
         *       "lastSeenAt": "2026-03-02T08:15:30.250Z",
         *       "expiresAt": "2026-04-01T19:30:00.000Z",
         *       "isCurrent": true
         *     }
         */
        readonly Session: {
            /** Format: uuid */
            readonly id: string;
            readonly deviceName: string | null;
            readonly userAgent: string | null;
            /** @description The address that last used it */
            readonly address: string | null;
            /** Format: date-time */
            readonly createdAt: string;
            /** Format: date-time */
            readonly lastSeenAt: string;
            /** Format: date-time */
            readonly expiresAt: string;
            /** @description It is the session of this request */
            readonly isCurrent: boolean;
        };
        readonly Setting: {
            /** @description As `vitrine.json` spells it */
            readonly key: string;
            /** @description Without its dashes */
            readonly flag: string;
            readonly variable: string;
            readonly help: string;
            /** @description What is used if it is not set */
            readonly usual: string | null;
            /** @description As it was set, without passwords */
            readonly value: string | null;
            /**
             * @description Where the value comes from
             * @enum {string}
             */
            readonly origin: "flag" | "variable" | "file" | "default";
        };
        /**
         * @example {
         *       "token": "the token of the setup link",
         *       "name": "Ada",
         *       "password": "a long pass phrase"
         *     }
         */
        readonly Setup: {
            /** @description From the setup link */
            readonly token: string;
            readonly name: string;
            /** @description 10 to 1000 characters */
            readonly password: string;
            readonly deviceName?: string;
        };
        /**
         * @example {
         *       "name": "Ada",
         *       "password": "correct horse battery",
         *       "deviceName": "Living room"
         *     }
         */
        readonly SignIn: {
            readonly name: string;
            /** @description 10 to 1000 characters */
            readonly password: string;
            readonly passkey?: {
                readonly [key: string]: unknown;
            };
            /** @description The name in the list of sessions */
            readonly deviceName?: string;
        };
        readonly SignedChallenge: {
            readonly cert: components["schemas"]["IdentityPass"];
            readonly serverId: string;
            readonly challenge: string;
            /** @description Unix milliseconds */
            readonly ts: number;
            /** @description By the client key, over the canonical JSON (RFC 8785) of {cert, challenge, serverId, ts} */
            readonly sig: string;
        };
        /**
         * @example {
         *       "sessionToken": "vts_0123456789abcdef",
         *       "expiresAt": "2026-04-01T19:30:00.000Z",
         *       "user": {
         *         "id": "01957a3a-1000-7e4d-8c33-805f71bd4004",
         *         "name": "Ada",
         *         "role": "admin",
         *         "disabled": false,
         *         "libraryAccess": null,
         *         "groupIds": [],
         *         "hasPassword": true,
         *         "requiresPasskey": false,
         *         "createdAt": "2026-03-01T19:30:00.000Z",
         *         "updatedAt": "2026-03-02T08:15:30.250Z",
         *         "lastSeenAt": null
         *       }
         *     }
         */
        readonly SignedIn: {
            /** @description Shown once; a cookie instead with X-Session: cookie */
            readonly sessionToken?: string;
            /** @description With a cookie: goes into the header X-CSRF-Token of every change */
            readonly csrfToken?: string;
            /** Format: date-time */
            readonly expiresAt: string;
            readonly user: components["schemas"]["User"];
        };
        readonly SkippedPlugin: {
            readonly key: string;
            readonly id: string;
            readonly name: string;
            readonly version: string;
            readonly minVersion: string;
            readonly appVersion: string;
            readonly path: string;
            /** @enum {string} */
            readonly reason: "invalid-manifest" | "incompatible-version" | "missing-dependency" | "duplicate-id" | "missing-entry" | "invalid-signature" | "revoked" | "permissions-pending";
            readonly message: string;
        };
        /**
         * @description The place on a page
         * @enum {string}
         */
        readonly Slot: "sidebar-discover" | "sidebar-bottom" | "header-actions" | "hero-banner" | "home-sections" | "detail-actions" | "detail-metadata" | "detail-sections" | "player-overlay" | "settings-panes" | "command-palette" | "routes";
        /** @enum {string} */
        readonly SortOrder: "asc" | "desc";
        readonly Stats: {
            readonly users: number;
            readonly plugins: {
                readonly total: number;
                readonly running: number;
            };
            readonly jobs: {
                readonly running: number;
            };
            readonly streaming: {
                readonly transcodeSessions: number;
                readonly wsClients: number;
            };
            readonly scheduler: readonly {
                readonly name: string;
                /** @description Milliseconds */
                readonly interval: number;
                /** Format: date-time */
                readonly lastRun: string | null;
            }[];
            /** @description Seconds */
            readonly uptime: number;
            /**
             * @description How the process of an installed plugin is isolated
             * @enum {string}
             */
            readonly pluginIsolation: "namespaces" | "landlock" | "process";
            /** @description The program that converts media, and its cage */
            readonly conversion: {
                /** @description As ffmpeg says it */
                readonly version: string | null;
                /** @enum {string|null} */
                readonly cage: "bwrap" | "landlock" | "none" | null;
                /** @description Of pictures: `software` or a device */
                readonly encoder: string | null;
                /** @description Highest picture converted in time */
                readonly maxHeight: number | null;
                /** @description Why nothing is converted */
                readonly missing: string | null;
            };
            /** @description Bytes */
            readonly memoryUsage: number;
        };
        /**
         * @description A task that the server runs at intervals
         * @example {
         *       "name": "backup",
         *       "purpose": "Makes a backup.",
         *       "interval": 86400000,
         *       "lastRun": "2026-03-02T08:15:30.250Z",
         *       "lastDuration": 812,
         *       "lastError": null,
         *       "lastSuccess": "2026-03-02T08:15:30.250Z",
         *       "isOverdue": false,
         *       "nextRun": "2026-03-03T08:15:30.250Z",
         *       "isRunning": false
         *     }
         */
        readonly Task: {
            readonly name: string;
            readonly purpose: string;
            /** @description Milliseconds; 0 = only on request */
            readonly interval: number;
            /** Format: date-time */
            readonly lastRun: string | null;
            /** @description Milliseconds */
            readonly lastDuration: number | null;
            /** @description Why the last run failed */
            readonly lastError: string | null;
            /** Format: date-time */
            readonly lastSuccess: string | null;
            /** @description Two intervals have passed without a success */
            readonly isOverdue: boolean;
            /** Format: date-time */
            readonly nextRun: string | null;
            readonly isRunning: boolean;
        };
        /**
         * @example {
         *       "id": "e-2",
         *       "kind": "subtitle",
         *       "format": "srt",
         *       "language": "de",
         *       "title": null,
         *       "isForced": false,
         *       "isSdh": false,
         *       "isDefault": true,
         *       "url": "/api/files/01957a3e-8d11-7d3c-9d22-7f4e60ac3003/text/e-2.vtt"
         *     }
         */
        readonly TextTrack: {
            readonly id: string;
            /** @enum {string} */
            readonly kind: "subtitle" | "lyrics";
            /** @description `srt ass ssa vtt ttml smi sub sbv mov_text lrc` */
            readonly format: string;
            /** @description BCP 47 */
            readonly language: string | null;
            readonly title: string | null;
            /** @description Only what a viewer of the usual language needs */
            readonly isForced: boolean;
            /** @description With sounds as text */
            readonly isSdh: boolean;
            readonly isDefault: boolean;
            /**
             * Format: uri-reference
             * @description The track as WebVTT
             */
            readonly url: string;
        };
        /**
         * @example {
         *       "id": "01957a3e-8d10-7c2b-8e11-6e3d5f9b2002",
         *       "type": "film",
         *       "title": "Blue Harbor",
         *       "subtitle": null,
         *       "year": 2012,
         *       "picture": null,
         *       "progress": 0.18,
         *       "watched": false,
         *       "favourite": true,
         *       "badges": [
         *         "4K"
         *       ]
         *     }
         */
        readonly Tile: {
            /** Format: uuid */
            readonly id: string;
            /** @description `film episode track audiobook book photo`; of another type of library that type */
            readonly type: string;
            /** @description Of an episode the name of its series */
            readonly title: string;
            /** @description Ready to show, such as `S2 E3 · The Long Bridge` */
            readonly subtitle: string | null;
            readonly year: number | null;
            readonly picture: components["schemas"]["TilePicture"] | null;
            /** @description How much of it was played, 0 to 1 */
            readonly progress: number;
            readonly watched: boolean;
            readonly favourite: boolean;
            /** @description Such as `4K` and `HDR` */
            readonly badges: readonly string[];
        };
        readonly TilePicture: {
            /** Format: uuid */
            readonly id: string;
            /** @description `portrait landscape square` */
            readonly aspect: string | null;
            /** @description The mean colour, `#rrggbb`; null until the picture was asked for in a size */
            readonly color: string | null;
            /** @description Base64; null until the picture was asked for in a size */
            readonly thumbhash: string | null;
        };
        readonly TranscodeEventData: {
            readonly sessionId: string;
            /** Format: uuid */
            readonly itemId: string;
            /** @description 0 to 1 */
            readonly progress: number;
            /** Format: uuid */
            readonly fileId?: string;
            /** @enum {string} */
            readonly mode?: "direct" | "remux" | "convert";
            /** @description Why the file is not played directly */
            readonly reasons?: readonly string[];
            /** @description Seconds of film converted in a second */
            readonly rate?: number;
            /** @enum {string} */
            readonly cause?: "ended" | "left" | "failed" | "limit";
        };
        readonly Trickplay: {
            /** @description Pixels of one picture */
            readonly width: number;
            readonly height: number;
            /** @description Pictures in a row of a sheet */
            readonly columns: number;
            readonly rows: number;
            /** @description Seconds from one picture to the next */
            readonly interval: number;
            /** @description Pictures in all */
            readonly count: number;
        };
        /**
         * @example {
         *       "type": "action",
         *       "pluginId": "release-tags",
         *       "slot": "detail-actions",
         *       "id": "count",
         *       "label": "Count the tags",
         *       "rpcMethod": "countTags"
         *     }
         */
        readonly UIAction: {
            /** @constant */
            readonly type: "action";
            /** @description The plugin that gave it, for its actions */
            readonly pluginId: string;
            readonly slot: components["schemas"]["Slot"];
            readonly id: string;
            readonly label: string;
            readonly icon?: string;
            readonly confirm?: string;
            readonly rpcMethod: string;
        };
        readonly UIFact: {
            readonly key: string;
            /** @description A text, a number, a boolean or null */
            readonly value?: unknown;
            readonly description?: string;
            /** @description `/api/assets/<id>` */
            readonly image?: string;
            readonly itemId?: string;
            readonly libraryId?: string;
            readonly entityId?: string;
        };
        readonly UIForm: {
            /** @constant */
            readonly type: "form";
            /** @description The plugin that gave it, for its actions */
            readonly pluginId: string;
            readonly slot: components["schemas"]["Slot"];
            readonly id: string;
            readonly title: string;
            readonly fields: readonly components["schemas"]["UIFormField"][];
            readonly submit?: {
                readonly rpcMethod: string;
                readonly label: string;
            };
        };
        readonly UIFormField: {
            readonly key: string;
            readonly label: string;
            readonly input: string;
            readonly required?: boolean;
            readonly default?: unknown;
            readonly options?: readonly unknown[];
            readonly min?: number;
            readonly max?: number;
            readonly description?: string;
        };
        readonly UIMetadata: {
            /** @constant */
            readonly type: "metadata";
            /** @description The plugin that gave it, for its actions */
            readonly pluginId: string;
            readonly slot: components["schemas"]["Slot"];
            readonly id: string;
            readonly title: string;
            /** @enum {string} */
            readonly layout: "key-value" | "list" | "chips" | "gallery";
            readonly fields: readonly components["schemas"]["UIFact"][];
        };
        readonly UnreadFile: {
            /** Format: uuid */
            readonly fileId: string;
            /** @description Below its folder of the library */
            readonly path: string;
            /** Format: uuid */
            readonly itemId: string;
            /** @description Of its item */
            readonly title: string;
            /** @description Open: `malformed truncated unreadable unsupported over-budget probe-failed probe-unavailable` */
            readonly code: string;
            /** @description What the plugin says that reads such files */
            readonly message: string | null;
        };
        /** @description Whether there is a newer version */
        readonly Update: {
            readonly currentVersion: string;
            /** Format: date-time */
            readonly currentReleasedAt: string | null;
            readonly latestVersion: string | null;
            /** Format: date-time */
            readonly releasedAt: string | null;
            /** Format: date-time */
            readonly lastCheckedAt: string | null;
            /** @description Why the last check failed */
            readonly lastError: string | null;
            readonly channel: string;
            /** @description False too for a suppressed version */
            readonly isUpdateAvailable: boolean;
            /** @description Whether an admin suppressed the newest version */
            readonly suppressed: boolean;
            /**
             * Format: uri
             * @description `https:`; nothing is installed automatically
             */
            readonly downloadUrl: string | null;
            /** @description What is new, as plain text */
            readonly notes: string | null;
        };
        readonly UpdateChanges: {
            /**
             * @description Which releases are announced
             * @enum {string}
             */
            readonly channel?: "stable" | "beta";
            /** @description True: do not report the current newest version again */
            readonly suppressed?: boolean;
        };
        /**
         * @description A person who may sign in
         * @example {
         *       "id": "01957a3a-1000-7e4d-8c33-805f71bd4004",
         *       "name": "Ada",
         *       "role": "admin",
         *       "disabled": false,
         *       "libraryAccess": null,
         *       "groupIds": [],
         *       "hasPassword": true,
         *       "requiresPasskey": false,
         *       "createdAt": "2026-03-01T19:30:00.000Z",
         *       "updatedAt": "2026-03-02T08:15:30.250Z",
         *       "lastSeenAt": null
         *     }
         */
        readonly User: {
            /** Format: uuid */
            readonly id: string;
            readonly name: string;
            readonly role: components["schemas"]["Role"];
            /** @description None of their credentials lets them in */
            readonly disabled: boolean;
            /** @description The only libraries; `[]` = none, null = no limit */
            readonly libraryAccess: readonly components["schemas"]["LibraryAccess"][] | null;
            readonly groupIds: readonly string[];
            readonly hasPassword: boolean;
            /** @description The password alone does not let them in */
            readonly requiresPasskey: boolean;
            /** Format: date-time */
            readonly createdAt: string;
            /** Format: date-time */
            readonly updatedAt: string;
            /** Format: date-time */
            readonly lastSeenAt: string | null;
        };
        readonly UserChanges: {
            readonly name?: string;
            readonly role?: components["schemas"]["Role"];
            readonly disabled?: boolean;
            /** @description The only libraries; `[]` = none, null = no limit */
            readonly libraryAccess?: readonly {
                readonly libraryId: string;
                /** @description `PG-13`, `FSK 12`; absent = no limit */
                readonly maxRating?: string | null;
            }[] | null;
            readonly groupIds?: readonly string[];
            readonly requiresPasskey?: boolean;
        };
        readonly UserEventData: {
            /** @enum {string} */
            readonly subject: "user" | "group" | "invite" | "profile" | "credential";
            readonly id: string | null;
        };
        readonly View: components["schemas"]["UIForm"] | components["schemas"]["UIMetadata"] | components["schemas"]["UIAction"];
        readonly ViewAction: {
            readonly pluginId: string;
            readonly rpcMethod: string;
            /** @description The view that contained it */
            readonly view: string;
            readonly context?: {
                readonly [key: string]: unknown;
            };
            readonly values?: {
                readonly [key: string]: unknown;
            };
        };
        /** @description The viewer of the credential */
        readonly Viewer: {
            readonly credentialId: string;
            /** @enum {string} */
            readonly credentialKind: "api-key" | "session" | "identity" | "server";
            readonly role: components["schemas"]["Role"];
            /** @description The only libraries it sees; null = all */
            readonly libraryIds: readonly string[] | null;
            /** @description Only GET and HEAD are allowed */
            readonly readOnly: boolean;
            /** @description The profile that it acts as */
            readonly profileId: string;
            readonly user: components["schemas"]["User"];
            /** @description With a cookie: goes into the header X-CSRF-Token of every change */
            readonly csrfToken?: string;
        };
        readonly ViewerChanges: {
            /** @description The password alone does not let the user in */
            readonly requiresPasskey: boolean;
            /** @description 10 to 1000 characters */
            readonly password?: string;
        };
        readonly WaitingDevice: {
            readonly deviceName: string | null;
            readonly userAgent: string | null;
            /** @description The address that the device asks from */
            readonly address: string | null;
            /** Format: date-time */
            readonly createdAt: string;
            /** Format: date-time */
            readonly expiresAt: string;
        };
        /**
         * @example {
         *       "watched": true
         *     }
         */
        readonly WatchedMark: {
            readonly watched: boolean;
        };
        /**
         * @description An address that receives events
         * @example {
         *       "id": "01957a3e-8d10-7c2b-8e11-6e3d5f9b2002",
         *       "name": "Chat",
         *       "url": "https://chat.example/hook",
         *       "secret": "••••••",
         *       "events": "library.item.added",
         *       "enabled": true,
         *       "createdAt": "2026-03-01T19:30:00.000Z",
         *       "updatedAt": "2026-03-02T08:15:30.250Z"
         *     }
         */
        readonly Webhook: {
            /** Format: uuid */
            readonly id: string;
            readonly name: string;
            /** Format: uri */
            readonly url: string;
            /** @description Signs the deliveries; complete only in the answer that created it */
            readonly secret: string;
            /** @description Patterns of event names, comma-separated; `*` = all */
            readonly events: string;
            readonly enabled: boolean;
            /** Format: date-time */
            readonly createdAt: string;
            /** Format: date-time */
            readonly updatedAt: string;
            /** @description Why deliveries cannot go out now; not in lists */
            readonly reason?: string | null;
        };
        readonly WebhookChanges: {
            readonly name?: string;
            /**
             * Format: uri
             * @description http or https
             */
            readonly url?: string;
            /** @description `whsec_` and the base64 of 24 to 64 bytes; generated when absent */
            readonly secret?: string;
            /** @description Patterns of event names, comma-separated: `library.item.*,job.failed`; `*` = all */
            readonly events?: string;
            readonly enabled?: boolean;
        };
        /** @description An event for a webhook */
        readonly WebhookDelivery: {
            /** @description Of the event; the receiver sees it as `webhook-id` */
            readonly id: string;
            readonly event: string;
            /** @enum {string} */
            readonly status: "pending" | "retrying" | "delivered" | "failed";
            readonly attempts: number;
            /** Format: date-time */
            readonly createdAt: string;
            /** Format: date-time */
            readonly lastAttemptAt: string | null;
            /** Format: date-time */
            readonly nextAttemptAt: string | null;
            /** @description The latest status of the receiver */
            readonly responseStatus: number | null;
            /** @description Of the last attempt */
            readonly durationMs: number | null;
            /** @description Why the last attempt failed */
            readonly error: string | null;
        };
    };
    responses: {
        /** @description The server or a service that it needs failed */
        readonly Failure: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The request was refused; the reply says why. 429 has Retry-After */
        readonly Refusal: {
            headers: {
                /** @description Seconds to wait */
                readonly "Retry-After"?: number;
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    readonly getOpenApiDocument: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly [key: string]: unknown;
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly listApiKeys: {
        readonly parameters: {
            readonly query?: {
                /** @description Entries of one page */
                readonly limit?: number;
                /** @description `nextCursor` of the previous page */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly apiKeys: readonly components["schemas"]["ApiKey"][];
                        /** @description Where the next page starts; null at the end */
                        readonly nextCursor: string | null;
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly createApiKey: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewApiKey"];
            };
        };
        readonly responses: {
            /** @description Created */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly apiKey: components["schemas"]["ApiKey"];
                        /** @description Shown once */
                        readonly token: string;
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly deleteApiKey: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success; the reply has no body */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly listAuditEntries: {
        readonly parameters: {
            readonly query?: {
                /** @description Names of actions, or prefixes such as `user.*`. Absent = all. */
                readonly action?: readonly string[];
                /** @description The id of a user, or `server`, or `nobody` for requests without credential */
                readonly actor?: string;
                /** @description The id of the object of the action */
                readonly target?: string;
                /** @description ISO 8601: the earliest time */
                readonly from?: string;
                /** @description ISO 8601: the latest time */
                readonly to?: string;
                /** @description Entries of one page */
                readonly limit?: number;
                /** @description `nextCursor` of the previous page */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly entries: readonly components["schemas"]["AuditEntry"][];
                        /** @description Where the next page starts; null at the end */
                        readonly nextCursor: string | null;
                        /** @description The last entry of all. If stored elsewhere, it proves later what came before. */
                        readonly head: {
                            readonly seq: number;
                            /** @description SHA-256, 64 hex digits */
                            readonly hash: string;
                        };
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly checkAuditLog: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    /** @description The hash of an earlier head */
                    readonly noted?: string;
                };
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly isIntact: boolean;
                        readonly count: number | null;
                        readonly restores: number | null;
                        /** @description `seq` of the first entry that is wrong */
                        readonly brokenAt: number | null;
                        readonly fault: string | null;
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly signIn: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["SignIn"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SignedIn"];
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly signInWithPasskey: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["PasskeySignIn"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SignedIn"];
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly signOut: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success; the reply has no body */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly getViewer: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The viewer of the credential */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Viewer"];
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly updateViewer: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ViewerChanges"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly user: components["schemas"]["User"];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly changePassword: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["PasswordChange"];
            };
        };
        readonly responses: {
            /** @description Success; the reply has no body */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly listSessions: {
        readonly parameters: {
            readonly query?: {
                /** @description Entries of one page; absent = all */
                readonly limit?: number;
                /** @description `nextCursor` of the previous page */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly sessions: readonly components["schemas"]["Session"][];
                        /** @description Where the next page starts; null at the end */
                        readonly nextCursor: string | null;
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly endOtherSessions: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success; the reply has no body */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly endSession: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success; the reply has no body */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly listBackups: {
        readonly parameters: {
            readonly query?: {
                /** @description Entries of one page; absent = all */
                readonly limit?: number;
                /** @description `nextCursor` of the previous page */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly backups: readonly components["schemas"]["Backup"][];
                        /** @description Where the next page starts; null at the end */
                        readonly nextCursor: string | null;
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly createBackup: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    /** @description Part of the name of the file */
                    readonly label?: string;
                    /** @description With the keys of the server; a person who has such a file can impersonate this server */
                    readonly keys?: boolean;
                };
            };
        };
        readonly responses: {
            /** @description Created */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly backup: components["schemas"]["Backup"];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly downloadBackup: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly filename: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The file */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/octet-stream": string;
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly deleteBackup: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly filename: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success; the reply has no body */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly restoreBackup: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly filename: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly backup: components["schemas"]["Backup"];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly listCollections: {
        readonly parameters: {
            readonly query?: {
                /** @description Include hidden libraries, entities and collections; needs an active license */
                readonly includeHidden?: boolean;
                /** @description Entries of one page */
                readonly limit?: number;
                /** @description `nextCursor` of the previous page */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly collections: readonly components["schemas"]["Collection"][];
                        /** @description Where the next page starts; null at the end */
                        readonly nextCursor: string | null;
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly createCollection: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewCollection"];
            };
        };
        readonly responses: {
            /** @description Created */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly collection: components["schemas"]["Collection"];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly getCollection: {
        readonly parameters: {
            readonly query?: {
                /** @description Include hidden libraries, entities and collections; needs an active license */
                readonly includeHidden?: boolean;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly collection: components["schemas"]["Collection"];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly deleteCollection: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success; the reply has no body */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly updateCollection: {
        readonly parameters: {
            readonly query?: {
                /** @description Include hidden libraries, entities and collections; needs an active license */
                readonly includeHidden?: boolean;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CollectionChanges"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly collection: components["schemas"]["Collection"];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly listCollectionItems: {
        readonly parameters: {
            readonly query?: {
                /** @description Include hidden libraries, entities and collections; needs an active license */
                readonly includeHidden?: boolean;
                /** @description `manual` is the order that the owner chose */
                readonly sortBy?: "manual" | "title" | "year" | "addedAt";
                readonly sortOrder?: components["schemas"]["SortOrder"];
                /** @description Entries of one page */
                readonly limit?: number;
                /** @description `nextCursor` of the previous page */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly items: readonly components["schemas"]["Item"][];
                        /** @description Where the next page starts; null at the end */
                        readonly nextCursor: string | null;
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly addCollectionItem: {
        readonly parameters: {
            readonly query?: {
                /** @description Include hidden libraries, entities and collections; needs an active license */
                readonly includeHidden?: boolean;
                /** @description Position in the manual order, 0 = first; at the end when absent */
                readonly position?: number;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
                readonly itemId: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly collection: components["schemas"]["Collection"];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly removeCollectionItem: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
                readonly itemId: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success; the reply has no body */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly getDatabaseCheck: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly check: components["schemas"]["DatabaseCheck"] | null;
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly checkDatabase: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly check: components["schemas"]["DatabaseCheck"];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly listPlaylistEntries: {
        readonly parameters: {
            readonly query?: {
                /** @description Include hidden libraries, entities and collections; needs an active license */
                readonly includeHidden?: boolean;
                /** @description Entries of one page */
                readonly limit?: number;
                /** @description `nextCursor` of the previous page */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly entries: readonly components["schemas"]["PlaylistEntry"][];
                        /** @description Where the next page starts; null at the end */
                        readonly nextCursor: string | null;
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly addPlaylistEntries: {
        readonly parameters: {
            readonly query?: {
                /** @description Include hidden libraries, entities and collections; needs an active license */
                readonly includeHidden?: boolean;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewPlaylistEntries"];
            };
        };
        readonly responses: {
            /** @description Created */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly entries: readonly components["schemas"]["PlaylistEntry"][];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly removePlaylistEntry: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
                readonly entryId: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success; the reply has no body */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly updatePlaylistEntry: {
        readonly parameters: {
            readonly query?: {
                /** @description Include hidden libraries, entities and collections; needs an active license */
                readonly includeHidden?: boolean;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
                readonly entryId: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["PlaylistEntryMove"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly entry: components["schemas"]["PlaylistEntry"];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly listEntities: {
        readonly parameters: {
            readonly query: {
                /** @description Such as `person` or `artist` */
                readonly type: string;
                readonly status?: string;
                /** @description Only entities with items in this library; counts are of these items */
                readonly libraryId?: string;
                /** @description Only entities of which an item is also of this artist, such as its albums */
                readonly artistId?: string;
                /** @description A year or a range: `2001`, `2001..2009`, `2001..`, `..2009` */
                readonly year?: string;
                /** @description Only favourites of the profile; `false`: only others */
                readonly favourite?: boolean;
                readonly sortBy?: "name" | "year" | "addedAt" | "playCount" | "random";
                readonly sortOrder?: "asc" | "desc";
                /** @description Begins the list by name at this letter; `#` is what comes before A */
                readonly letter?: string;
                /** @description Of `sortBy=random`: another seed, another order */
                readonly seed?: string;
                /** @description How many are passed over, for clients that jump; pages follow by `cursor` */
                readonly offset?: number;
                /** @description Include hidden libraries, entities and collections; needs an active license */
                readonly includeHidden?: boolean;
                /** @description Entries of one page */
                readonly limit?: number;
                /** @description `nextCursor` of the previous page */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly entities: readonly components["schemas"]["ListedEntity"][];
                        /** @description Where the next page starts; null at the end */
                        readonly nextCursor: string | null;
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly getEntityLetters: {
        readonly parameters: {
            readonly query: {
                /** @description Such as `person` or `artist` */
                readonly type: string;
                readonly status?: string;
                /** @description Only entities with items in this library; counts are of these items */
                readonly libraryId?: string;
                /** @description Only entities of which an item is also of this artist, such as its albums */
                readonly artistId?: string;
                /** @description A year or a range: `2001`, `2001..2009`, `2001..`, `..2009` */
                readonly year?: string;
                /** @description Only favourites of the profile; `false`: only others */
                readonly favourite?: boolean;
                readonly sortOrder?: "asc" | "desc";
                /** @description Include hidden libraries, entities and collections; needs an active license */
                readonly includeHidden?: boolean;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly letters: readonly components["schemas"]["EntityLetter"][];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly getEntity: {
        readonly parameters: {
            readonly query?: {
                /** @description Include hidden libraries, entities and collections; needs an active license */
                readonly includeHidden?: boolean;
                /** @description `stored` = names, titles and summaries as they are stored, in the first language of the library; else in the language of the profile */
                readonly texts?: "shown" | "stored";
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly entity: components["schemas"]["EntityDetail"];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly updateEntity: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["EntityChanges"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly entity: components["schemas"]["EntityDetail"];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly listEntityItems: {
        readonly parameters: {
            readonly query?: {
                /** @description Include hidden libraries, entities and collections; needs an active license */
                readonly includeHidden?: boolean;
                /** @description Such as `actor` or `director` */
                readonly role?: string;
                /** @description `tile`: only what a grid shows of each item */
                readonly fields?: "full" | "tile";
                /** @description Entries of one page */
                readonly limit?: number;
                /** @description `nextCursor` of the previous page */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @description Tiles with `fields=tile` */
                        readonly items: readonly (components["schemas"]["Tile"] | components["schemas"]["Item"])[];
                        /** @description Where the next page starts; null at the end */
                        readonly nextCursor: string | null;
                        /** @description Items of the whole list; `includeTotal` */
                        readonly total?: number;
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly listEntityChildren: {
        readonly parameters: {
            readonly query?: {
                /** @description Include hidden libraries, entities and collections; needs an active license */
                readonly includeHidden?: boolean;
                /** @description Entries of one page */
                readonly limit?: number;
                /** @description `nextCursor` of the previous page */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @description Seasons of a show, albums of an artist */
                        readonly entities: readonly components["schemas"]["ListedEntity"][];
                        /** @description Items of it that are in none of its entities, such as the books of a series */
                        readonly items: readonly components["schemas"]["Tile"][];
                        /** @description Where the next page starts; null at the end */
                        readonly nextCursor: string | null;
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly mergeEntities: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["EntityMerge"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly entity: components["schemas"]["EntityDetail"];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly splitEntity: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["EntitySplit"];
            };
        };
        readonly responses: {
            /** @description Created */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly entity: components["schemas"]["EntityDetail"];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly streamEvents: {
        readonly parameters: {
            readonly query?: {
                /** @description Include hidden libraries, entities and collections; needs an active license */
                readonly includeHidden?: boolean;
                /** @description Names of events; `*` stands for one segment, as in `library.item.*`. Absent = all. */
                readonly types?: readonly string[];
            };
            readonly header?: {
                /** @description Resumes after this event if it is among the last 10 000; else sends an event `gap` */
                readonly "last-event-id"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Server-sent events; `data` is the envelope `{type, timestamp, data}` */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/event-stream": string;
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly createFileLink: {
        readonly parameters: {
            readonly query?: {
                /** @description Include hidden libraries, entities and collections; needs an active license */
                readonly includeHidden?: boolean;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    /** @description How long it is valid; default 6 hours */
                    readonly expiresInSeconds?: number;
                };
            };
        };
        readonly responses: {
            /** @description Created */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /**
                         * Format: uri-reference
                         * @description Begins with --public-url; without that, a path for the address of the request
                         */
                        readonly url: string;
                        /** Format: date-time */
                        readonly expiresAt: string;
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly createAssetLink: {
        readonly parameters: {
            readonly query?: {
                /** @description Include hidden libraries, entities and collections; needs an active license */
                readonly includeHidden?: boolean;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    /** @description How long it is valid; default 6 hours */
                    readonly expiresInSeconds?: number;
                };
            };
        };
        readonly responses: {
            /** @description Created */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /**
                         * Format: uri-reference
                         * @description Begins with --public-url; without that, a path for the address of the request
                         */
                        readonly url: string;
                        /** Format: date-time */
                        readonly expiresAt: string;
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly listFolders: {
        readonly parameters: {
            readonly query: {
                /** @description Entries of one page; absent = all */
                readonly limit?: number;
                /** @description `nextCursor` of the previous page */
                readonly cursor?: string;
                /** @description A whole path on the server, such as `/media` */
                readonly path: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly path: string;
                        /** @description The folder that has it; null = it is the topmost one */
                        readonly parent: string | null;
                        readonly folders: readonly {
                            readonly name: string;
                            readonly path: string;
                        }[];
                        /** @description Where the next page starts; null at the end */
                        readonly nextCursor: string | null;
                        /** @description false: it has further folders, beyond 1,000 */
                        readonly complete: boolean;
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly getFile: {
        readonly parameters: {
            readonly query?: {
                /** @description Include hidden libraries, entities and collections; needs an active license */
                readonly includeHidden?: boolean;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly file: components["schemas"]["MediaFile"];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly streamFile: {
        readonly parameters: {
            readonly query?: {
                /** @description Include hidden libraries, entities and collections; needs an active license */
                readonly includeHidden?: boolean;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The file, with its own type */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/octet-stream": string;
                };
            };
            /** @description The bytes of the `Range` */
            readonly 206: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/octet-stream": string;
                };
            };
            /** @description The copy of the client is current */
            readonly 304: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong */
            readonly 416: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly getAsset: {
        readonly parameters: {
            readonly query?: {
                /** @description Include hidden libraries, entities and collections; needs an active license */
                readonly includeHidden?: boolean;
                /** @description Pixels. A narrower picture keeps its size. Without width and format, the picture is sent as it is stored. */
                readonly width?: 160 | 320 | 640 | 1280 | 1920;
                /** @description `auto` is WebP when the header Accept names it, else JPEG */
                readonly format?: "auto" | "webp" | "jpeg" | "avif";
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The file, with its own type */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/octet-stream": string;
                };
            };
            /** @description The bytes of the `Range` */
            readonly 206: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/octet-stream": string;
                };
            };
            /** @description The copy of the client is current */
            readonly 304: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong */
            readonly 416: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly getTextTrack: {
        readonly parameters: {
            readonly query?: {
                /** @description Include hidden libraries, entities and collections; needs an active license */
                readonly includeHidden?: boolean;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
                /** @description The `id` of a track in `text` of the file, with `.vtt`, or `.ass` for ASS as it is */
                readonly track: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The track in UTF-8 */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/vtt": string;
                    readonly "text/plain": string;
                };
            };
            /** @description The copy of the client is current */
            readonly 304: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly getFonts: {
        readonly parameters: {
            readonly query?: {
                /** @description Include hidden libraries, entities and collections; needs an active license */
                readonly includeHidden?: boolean;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly fonts: readonly components["schemas"]["Font"][];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly getFont: {
        readonly parameters: {
            readonly query?: {
                /** @description Include hidden libraries, entities and collections; needs an active license */
                readonly includeHidden?: boolean;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
                /** @description Its place in the list, from 0 */
                readonly index: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The font, with its own type */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "font/ttf": string;
                };
            };
            /** @description The copy of the client is current */
            readonly 304: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly getLyrics: {
        readonly parameters: {
            readonly query?: {
                /** @description Include hidden libraries, entities and collections; needs an active license */
                readonly includeHidden?: boolean;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Lyrics"];
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly getHome: {
        readonly parameters: {
            readonly query?: {
                /** @description Include hidden libraries, entities and collections; needs an active license */
                readonly includeHidden?: boolean;
                /** @description Tiles of one row */
                readonly limit?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly rows: readonly components["schemas"]["HomeRow"][];
                        /** @description False when rows of plugins were not there in time: ask `GET /api/plugins/views/ui.home.sections` */
                        readonly complete: boolean;
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly listGroups: {
        readonly parameters: {
            readonly query?: {
                /** @description Entries of one page */
                readonly limit?: number;
                /** @description `nextCursor` of the previous page */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly groups: readonly components["schemas"]["Group"][];
                        /** @description Where the next page starts; null at the end */
                        readonly nextCursor: string | null;
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly createGroup: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewGroup"];
            };
        };
        readonly responses: {
            /** @description Created */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly group: components["schemas"]["Group"];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly getGroup: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly group: components["schemas"]["Group"];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly deleteGroup: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success; the reply has no body */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly updateGroup: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["GroupChanges"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly group: components["schemas"]["Group"];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly listIdentityLinks: {
        readonly parameters: {
            readonly query?: {
                /** @description Entries of one page; absent = all */
                readonly limit?: number;
                /** @description `nextCursor` of the previous page */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly links: readonly components["schemas"]["IdentityLink"][];
                        /**
                         * Format: uri
                         * @description The broker of new links; null = none
                         */
                        readonly identityUrl: string | null;
                        /** @description Of this server, as the broker shows it */
                        readonly serverFingerprint: string;
                        /** @description Where the next page starts; null at the end */
                        readonly nextCursor: string | null;
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly createIdentityLink: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @description 10 to 1000 characters */
                    readonly password?: string;
                };
            };
        };
        readonly responses: {
            /** @description Created */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly link: components["schemas"]["IdentityLink"];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly getIdentityLink: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly link: components["schemas"]["IdentityLink"];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly deleteIdentityLink: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success; the reply has no body */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly confirmIdentityLink: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["IdentityLinkConfirmation"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly link: components["schemas"]["IdentityLink"];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly beginIdentitySession: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly cert: components["schemas"]["IdentityPass"];
                };
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @description 64 hex digits; valid once, for two minutes */
                        readonly challenge: string;
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly completeIdentitySession: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["SignedChallenge"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["IdentitySession"];
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly getIdentityViewer: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["IdentityViewer"];
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly listInvites: {
        readonly parameters: {
            readonly query?: {
                /** @description Entries of one page */
                readonly limit?: number;
                /** @description `nextCursor` of the previous page */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly invites: readonly components["schemas"]["Invite"][];
                        /** @description Where the next page starts; null at the end */
                        readonly nextCursor: string | null;
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly createInvite: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewInvite"];
            };
        };
        readonly responses: {
            /** @description Created */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["FreshInvite"];
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly previewInviteByPath: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The token of the invite */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly invite: components["schemas"]["InvitePreview"];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly deleteInvite: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success; the reply has no body */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly previewInvite: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly token: string;
                };
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly invite: components["schemas"]["InvitePreview"];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly redeemInvite: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly token: string;
                    readonly name: string;
                    /** @description 10 to 1000 characters */
                    readonly password: string;
                    readonly deviceName?: string;
                };
            };
        };
        readonly responses: {
            /** @description Created */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SignedIn"];
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly redeemInviteByPath: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly token: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly name: string;
                    /** @description 10 to 1000 characters */
                    readonly password: string;
                    readonly deviceName?: string;
                };
            };
        };
        readonly responses: {
            /** @description Created */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SignedIn"];
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly answerReachabilityCheck: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly nonce: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly answer: string;
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly getSettings: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly settings: readonly components["schemas"]["Setting"][];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly checkInstallation: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** Format: date-time */
                        readonly examinedAt: string;
                        readonly findings: readonly components["schemas"]["Finding"][];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly listItems: {
        readonly parameters: {
            readonly query?: {
                /** @description Include hidden libraries, entities and collections; needs an active license */
                readonly includeHidden?: boolean;
                readonly libraryId?: string;
                /** @description Only libraries of this type */
                readonly type?: string;
                /** @description The name of a genre */
                readonly genre?: string;
                /** @description Linked to this entity */
                readonly entityId?: string;
                /** @description In this collection or playlist */
                readonly collectionId?: string;
                /** @description `2001`, `2001..2009`, `2001..` or `..2009`, ends included */
                readonly year?: string;
                /** @description Range of `metadata.rating`, 0 to 10, such as `7..` */
                readonly rating?: string;
                /** @description Range of the profile's rating, 0.5 to 5, such as `4..` */
                readonly myRating?: string;
                /** @description For the profile; `unwatched`: not even started */
                readonly watched?: "unwatched" | "started" | "watched";
                /** @description Whether it is a favourite of the profile */
                readonly favourite?: boolean;
                /** @description `sd`: below 720 lines; `4k`: 1800 lines and more */
                readonly resolution?: "sd" | "hd" | "4k";
                /** @description Whether its picture is HDR */
                readonly hdr?: boolean;
                /** @description Of the sound, such as `en` */
                readonly language?: string;
                /** @description Language of a subtitle */
                readonly subtitle?: string;
                /** @description A date, or a time with its zone */
                readonly addedAfter?: string;
                /** @description `tile`: only what a grid shows of each item */
                readonly fields?: "full" | "tile";
                /** @description `lastPlayedAt` and `playCount`: of the profile */
                readonly sortBy?: "title" | "addedAt" | "releasedAt" | "year" | "rating" | "duration" | "lastPlayedAt" | "playCount" | "random";
                readonly sortOrder?: "asc" | "desc";
                /** @description Of `sortBy=random`: another seed, another order */
                readonly seed?: string;
                /** @description Begins the list by title at this letter; `#` is what comes before A */
                readonly letter?: string;
                /** @description Begins the list with this item; not for `lastPlayedAt`, `playCount`, `random` */
                readonly startAt?: string;
                /** @description Count all items of the list, in `total` */
                readonly includeTotal?: boolean;
                /** @description Entries of one page */
                readonly limit?: number;
                /** @description `nextCursor` of the previous page */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @description Tiles with `fields=tile` */
                        readonly items: readonly (components["schemas"]["Tile"] | components["schemas"]["Item"])[];
                        /** @description Where the next page starts; null at the end */
                        readonly nextCursor: string | null;
                        /** @description Items of the whole list; `includeTotal` */
                        readonly total?: number;
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly getItemLetters: {
        readonly parameters: {
            readonly query?: {
                /** @description Include hidden libraries, entities and collections; needs an active license */
                readonly includeHidden?: boolean;
                readonly libraryId?: string;
                /** @description Only libraries of this type */
                readonly type?: string;
                /** @description The name of a genre */
                readonly genre?: string;
                /** @description Linked to this entity */
                readonly entityId?: string;
                /** @description In this collection or playlist */
                readonly collectionId?: string;
                /** @description `2001`, `2001..2009`, `2001..` or `..2009`, ends included */
                readonly year?: string;
                /** @description Range of `metadata.rating`, 0 to 10, such as `7..` */
                readonly rating?: string;
                /** @description Range of the profile's rating, 0.5 to 5, such as `4..` */
                readonly myRating?: string;
                /** @description For the profile; `unwatched`: not even started */
                readonly watched?: "unwatched" | "started" | "watched";
                /** @description Whether it is a favourite of the profile */
                readonly favourite?: boolean;
                /** @description `sd`: below 720 lines; `4k`: 1800 lines and more */
                readonly resolution?: "sd" | "hd" | "4k";
                /** @description Whether its picture is HDR */
                readonly hdr?: boolean;
                /** @description Of the sound, such as `en` */
                readonly language?: string;
                /** @description Language of a subtitle */
                readonly subtitle?: string;
                /** @description A date, or a time with its zone */
                readonly addedAfter?: string;
                readonly sortOrder?: "asc" | "desc";
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly letters: readonly components["schemas"]["ItemLetter"][];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly getItemLanguages: {
        readonly parameters: {
            readonly query?: {
                /** @description Include hidden libraries, entities and collections; needs an active license */
                readonly includeHidden?: boolean;
                /** @description Only of the items of this library */
                readonly libraryId?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @description Tags in lower case, such as `en` or `pt-br`, by tag; at most 500 */
                        readonly languages: readonly string[];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly getItemMonths: {
        readonly parameters: {
            readonly query?: {
                /** @description Include hidden libraries, entities and collections; needs an active license */
                readonly includeHidden?: boolean;
                readonly libraryId?: string;
                /** @description Only libraries of this type */
                readonly type?: string;
                /** @description The name of a genre */
                readonly genre?: string;
                /** @description Linked to this entity */
                readonly entityId?: string;
                /** @description In this collection or playlist */
                readonly collectionId?: string;
                /** @description `2001`, `2001..2009`, `2001..` or `..2009`, ends included */
                readonly year?: string;
                /** @description Range of `metadata.rating`, 0 to 10, such as `7..` */
                readonly rating?: string;
                /** @description Range of the profile's rating, 0.5 to 5, such as `4..` */
                readonly myRating?: string;
                /** @description For the profile; `unwatched`: not even started */
                readonly watched?: "unwatched" | "started" | "watched";
                /** @description Whether it is a favourite of the profile */
                readonly favourite?: boolean;
                /** @description `sd`: below 720 lines; `4k`: 1800 lines and more */
                readonly resolution?: "sd" | "hd" | "4k";
                /** @description Whether its picture is HDR */
                readonly hdr?: boolean;
                /** @description Of the sound, such as `en` */
                readonly language?: string;
                /** @description Language of a subtitle */
                readonly subtitle?: string;
                /** @description A date, or a time with its zone */
                readonly addedAfter?: string;
                readonly sortOrder?: "asc" | "desc";
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly months: readonly components["schemas"]["ItemMonth"][];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly getItem: {
        readonly parameters: {
            readonly query?: {
                /** @description Include hidden libraries, entities and collections; needs an active license */
                readonly includeHidden?: boolean;
                /** @description `stored` = names, titles and summaries as they are stored, in the first language of the library; else in the language of the profile */
                readonly texts?: "shown" | "stored";
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly item: components["schemas"]["ItemDetail"];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly deleteItem: {
        readonly parameters: {
            readonly query?: {
                /** @description Include hidden libraries, entities and collections; needs an active license */
                readonly includeHidden?: boolean;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success; the reply has no body */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly updateItem: {
        readonly parameters: {
            readonly query?: {
                /** @description Include hidden libraries, entities and collections; needs an active license */
                readonly includeHidden?: boolean;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ItemChanges"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly item: components["schemas"]["ItemDetail"];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly listSimilarItems: {
        readonly parameters: {
            readonly query?: {
                /** @description Include hidden libraries, entities and collections; needs an active license */
                readonly includeHidden?: boolean;
                /** @description Entries of one page; absent = all */
                readonly limit?: number;
                /** @description `nextCursor` of the previous page */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly items: readonly components["schemas"]["Tile"][];
                        /** @description Where the next page starts; null at the end */
                        readonly nextCursor: string | null;
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly listItemChapters: {
        readonly parameters: {
            readonly query?: {
                /** @description Include hidden libraries, entities and collections; needs an active license */
                readonly includeHidden?: boolean;
                /** @description Entries of one page; absent = all */
                readonly limit?: number;
                /** @description `nextCursor` of the previous page */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly chapters: readonly components["schemas"]["Chapter"][];
                        /** @description Where the next page starts; null at the end */
                        readonly nextCursor: string | null;
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly listItemPictures: {
        readonly parameters: {
            readonly query?: {
                /** @description Include hidden libraries, entities and collections; needs an active license */
                readonly includeHidden?: boolean;
                /** @description Entries of one page; absent = all */
                readonly limit?: number;
                /** @description `nextCursor` of the previous page */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly pictures: readonly components["schemas"]["OfferedPicture"][];
                        /** @description Where the next page starts; null at the end */
                        readonly nextCursor: string | null;
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly addItemPicture: {
        readonly parameters: {
            readonly query?: {
                /** @description Include hidden libraries, entities and collections; needs an active license */
                readonly includeHidden?: boolean;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["PictureUpload"];
            };
        };
        readonly responses: {
            /** @description Created */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @description Of `GET /api/assets/:id` */
                        readonly id: string;
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly deleteItemPicture: {
        readonly parameters: {
            readonly query?: {
                /** @description Include hidden libraries, entities and collections; needs an active license */
                readonly includeHidden?: boolean;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
                readonly pictureId: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success; the reply has no body */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly addEntityPicture: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["PictureUpload"];
            };
        };
        readonly responses: {
            /** @description Created */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @description Of `GET /api/assets/:id` */
                        readonly id: string;
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly deleteEntityPicture: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
                readonly pictureId: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success; the reply has no body */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly listJobs: {
        readonly parameters: {
            readonly query?: {
                readonly libraryId?: string;
                /** @description Only jobs with one of these statuses */
                readonly status?: readonly components["schemas"]["JobStatus"][];
                /** @description Entries of one page */
                readonly limit?: number;
                /** @description `nextCursor` of the previous page */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly jobs: readonly components["schemas"]["Job"][];
                        readonly counts: {
                            readonly pending: number;
                            readonly running: number;
                            readonly completed: number;
                            readonly failed: number;
                            readonly cancelled: number;
                        };
                        readonly completedLastMinute: number;
                        /** @description Where the next page starts; null at the end */
                        readonly nextCursor: string | null;
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly createJob: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewJob"];
            };
        };
        readonly responses: {
            /** @description Created */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly job: components["schemas"]["Job"];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly deleteJobs: {
        readonly parameters: {
            readonly query: {
                /** @description Of `completed`, `failed`, `cancelled` */
                readonly status: readonly components["schemas"]["JobStatus"][];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success; the reply has no body */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly getJob: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly job: components["schemas"]["Job"];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly cancelJob: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly job: components["schemas"]["Job"];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly retryJob: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly job: components["schemas"]["Job"];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly listUnreadFiles: {
        readonly parameters: {
            readonly query?: {
                /** @description Entries of one page */
                readonly limit?: number;
                /** @description `nextCursor` of the previous page */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly files: readonly components["schemas"]["UnreadFile"][];
                        /** @description Where the next page starts; null at the end */
                        readonly nextCursor: string | null;
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly listRemovedFiles: {
        readonly parameters: {
            readonly query?: {
                /** @description Entries of one page */
                readonly limit?: number;
                /** @description `nextCursor` of the previous page */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly files: readonly components["schemas"]["RemovedFile"][];
                        /** @description Where the next page starts; null at the end */
                        readonly nextCursor: string | null;
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly restoreRemovedFiles: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["RemovedFiles"];
            };
        };
        readonly responses: {
            /** @description Created */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly job: components["schemas"]["Job"];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly listHiddenEntities: {
        readonly parameters: {
            readonly query?: {
                /** @description Entries of one page */
                readonly limit?: number;
                /** @description `nextCursor` of the previous page */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly entities: readonly components["schemas"]["HiddenEntity"][];
                        /** @description Where the next page starts; null at the end */
                        readonly nextCursor: string | null;
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly listLibraries: {
        readonly parameters: {
            readonly query?: {
                /** @description Include hidden libraries, entities and collections; needs an active license */
                readonly includeHidden?: boolean;
                /** @description Entries of one page; absent = all */
                readonly limit?: number;
                /** @description `nextCursor` of the previous page */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly libraries: readonly components["schemas"]["Library"][];
                        /** @description Where the next page starts; null at the end */
                        readonly nextCursor: string | null;
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly createLibrary: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewLibrary"];
            };
        };
        readonly responses: {
            /** @description Created */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly library: components["schemas"]["Library"];
                        /** @description The scan that fills it. Until it ends, a scan request gives this job. Null when too many jobs wait */
                        readonly jobId: string | null;
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly getLibrary: {
        readonly parameters: {
            readonly query?: {
                /** @description Include hidden libraries, entities and collections; needs an active license */
                readonly includeHidden?: boolean;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly library: components["schemas"]["Library"];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly deleteLibrary: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success; the reply has no body */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly updateLibrary: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["LibraryChanges"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly library: components["schemas"]["Library"];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly activateLicense: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly licenseKey: string;
                };
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @constant */
                        readonly ok: true;
                        readonly license: components["schemas"]["License"];
                    };
                };
            };
            /** @description The key was not accepted */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["LicenseRefusal"];
                };
            };
            /** @description All seats of the license are taken */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["LicenseConflict"];
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly getLicense: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly license: components["schemas"]["License"];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly removeLicense: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success; the reply has no body */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly openEventSocket: {
        readonly parameters: {
            readonly query?: {
                /** @description Include hidden libraries, entities and collections; needs an active license */
                readonly includeHidden?: boolean;
                /** @description Names of events; `*` stands for one segment, as in `library.item.*`. Absent = all. */
                readonly types?: readonly string[];
                /** @description Resumes after the event with this id, as `Last-Event-ID` does; else `gap` */
                readonly since?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The connection is a WebSocket now: one JSON message per event */
            readonly 101: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly listLogLines: {
        readonly parameters: {
            readonly query?: {
                /** @description Only lines of this level and above */
                readonly level?: "debug" | "info" | "warn" | "error";
                /** @description Entries of one page; absent = all */
                readonly limit?: number;
                /** @description `nextCursor` of the previous page */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @description Newest first; at most 1000 are kept */
                        readonly lines: readonly components["schemas"]["ServerLogLine"][];
                        /** @description Where the next page starts; null at the end */
                        readonly nextCursor: string | null;
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly listMarketplacePlugins: {
        readonly parameters: {
            readonly query?: {
                /** @description Words of id, name and description; all must match */
                readonly q?: string;
                /** @description Only this plugin */
                readonly id?: string;
                /** @description Entries of one page */
                readonly limit?: number;
                /** @description `nextCursor` of the previous page */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly plugins: readonly components["schemas"]["MarketplacePlugin"][];
                        readonly sources: readonly components["schemas"]["MarketplaceSource"][];
                        /** @description Where the next page starts; null at the end */
                        readonly nextCursor: string | null;
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly installPlugin: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["PluginInstallation"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["InstalledPlugin"];
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly upgradePlugin: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["PluginInstallation"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["InstalledPlugin"];
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly rollBackPlugin: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["PluginRollback"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["InstalledPlugin"];
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly listPluginVersions: {
        readonly parameters: {
            readonly query?: {
                /** @description Entries of one page; absent = all */
                readonly limit?: number;
                /** @description `nextCursor` of the previous page */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @description The version that was replaced last comes first */
                        readonly versions: readonly components["schemas"]["EarlierPluginVersion"][];
                        /** @description Where the next page starts; null at the end */
                        readonly nextCursor: string | null;
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly getPlugin: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly plugin: components["schemas"]["Plugin"];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly uninstallPlugin: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success; the reply has no body */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly listMarketplaceSources: {
        readonly parameters: {
            readonly query?: {
                /** @description Entries of one page; absent = all */
                readonly limit?: number;
                /** @description `nextCursor` of the previous page */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly sources: readonly components["schemas"]["MarketplaceSource"][];
                        /** @description Where the next page starts; null at the end */
                        readonly nextCursor: string | null;
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly createMarketplaceSource: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewMarketplaceSource"];
            };
        };
        readonly responses: {
            /** @description Created */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly source: components["schemas"]["MarketplaceSource"];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly deleteMarketplaceSource: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success; the reply has no body */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly refreshMarketplaceSources: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly sources: readonly components["schemas"]["MarketplaceSource"][];
                        /** @description Where the next page starts; null at the end */
                        readonly nextCursor: string | null;
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly addFavouriteItem: {
        readonly parameters: {
            readonly query?: {
                /** @description Include hidden libraries, entities and collections; needs an active license */
                readonly includeHidden?: boolean;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly marks: components["schemas"]["ItemMarks"];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly removeFavouriteItem: {
        readonly parameters: {
            readonly query?: {
                /** @description Include hidden libraries, entities and collections; needs an active license */
                readonly includeHidden?: boolean;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success; the reply has no body */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly setItemRating: {
        readonly parameters: {
            readonly query?: {
                /** @description Include hidden libraries, entities and collections; needs an active license */
                readonly includeHidden?: boolean;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ProfileRating"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly marks: components["schemas"]["ItemMarks"];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly addFavouriteEntity: {
        readonly parameters: {
            readonly query?: {
                /** @description Include hidden libraries, entities and collections; needs an active license */
                readonly includeHidden?: boolean;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly marks: components["schemas"]["EntityMarks"];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly removeFavouriteEntity: {
        readonly parameters: {
            readonly query?: {
                /** @description Include hidden libraries, entities and collections; needs an active license */
                readonly includeHidden?: boolean;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success; the reply has no body */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly listPendingMatches: {
        readonly parameters: {
            readonly query?: {
                /** @description Include hidden libraries, entities and collections; needs an active license */
                readonly includeHidden?: boolean;
                readonly libraryId?: string;
                /** @description Entries of one page */
                readonly limit?: number;
                /** @description `nextCursor` of the previous page */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly pending: readonly components["schemas"]["PendingMatch"][];
                        /** @description Where the next page starts; null at the end */
                        readonly nextCursor: string | null;
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly getCandidatePicture: {
        readonly parameters: {
            readonly query: {
                /** @description Include hidden libraries, entities and collections; needs an active license */
                readonly includeHidden?: boolean;
                readonly pluginId: string;
                /** @description `imageUrl` of a candidate; only hosts of the plugin are contacted */
                readonly url: string;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The picture */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/octet-stream": string;
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly findItemMatches: {
        readonly parameters: {
            readonly query?: {
                /** @description Include hidden libraries, entities and collections; needs an active license */
                readonly includeHidden?: boolean;
                /** @description The search text; by default the title of the item, its series or its album */
                readonly q?: string;
                readonly year?: number;
                /** @description Only this indexer */
                readonly pluginId?: string;
                readonly limit?: number;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @description Best first */
                        readonly candidates: readonly components["schemas"]["MatchCandidate"][];
                        /** @description Indexers that could not be asked */
                        readonly problems: readonly {
                            readonly pluginId: string;
                            readonly pluginName: string;
                            readonly message: string;
                        }[];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly getItemMatch: {
        readonly parameters: {
            readonly query?: {
                /** @description Include hidden libraries, entities and collections; needs an active license */
                readonly includeHidden?: boolean;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly match: components["schemas"]["Match"] | null;
                        /** @description Too uncertain to be applied: below 0.6 */
                        readonly guesses: readonly components["schemas"]["MatchGuess"][];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly setItemMatch: {
        readonly parameters: {
            readonly query?: {
                /** @description Include hidden libraries, entities and collections; needs an active license */
                readonly includeHidden?: boolean;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["MatchChoice"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly match: components["schemas"]["Match"];
                        readonly job: components["schemas"]["Job"];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly deleteItemMatch: {
        readonly parameters: {
            readonly query?: {
                /** @description Include hidden libraries, entities and collections; needs an active license */
                readonly includeHidden?: boolean;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success; the reply has no body */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly getLibrarySources: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["LibrarySources"];
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly setLibrarySources: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["LibrarySourcesChange"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly sources: components["schemas"]["LibrarySources"];
                        readonly job: components["schemas"]["Job"];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly getHealth: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Health"];
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly getReadiness: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Readiness"];
                };
            };
            /** @description The reply */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Readiness"];
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly getStats: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Stats"];
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly getMetrics: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description https://prometheus.io/docs/instrumenting/exposition_formats/ */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/plain": string;
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly showApiDocs: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The page */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/html": string;
                };
            };
            /** @description The copy of the client is current */
            readonly 304: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly showInvitePage: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The page */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/html": string;
                };
            };
            /** @description The copy of the client is current */
            readonly 304: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly showPairPage: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The page */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/html": string;
                };
            };
            /** @description The copy of the client is current */
            readonly 304: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly showSetupPage: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The page */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/html": string;
                };
            };
            /** @description The copy of the client is current */
            readonly 304: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly showSignInPage: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The page */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/html": string;
                };
            };
            /** @description The copy of the client is current */
            readonly 304: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly getPageFile: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly name: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A file of the pages */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "*/*": string;
                };
            };
            /** @description The copy of the client is current */
            readonly 304: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly getAppFile: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly name: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A file of the pages */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "*/*": string;
                };
            };
            /** @description The copy of the client is current */
            readonly 304: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly listNotifications: {
        readonly parameters: {
            readonly query?: {
                /** @description Only unread ones */
                readonly unread?: boolean;
                /** @description Entries of one page */
                readonly limit?: number;
                /** @description `nextCursor` of the previous page */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly notifications: readonly components["schemas"]["Notification"][];
                        /** @description Where the next page starts; null at the end */
                        readonly nextCursor: string | null;
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly markNotificationRead: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly notification: components["schemas"]["Notification"];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly deleteNotification: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success; the reply has no body */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly getPlayback: {
        readonly parameters: {
            readonly query?: {
                /** @description Include hidden libraries, entities and collections; needs an active license */
                readonly includeHidden?: boolean;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly playback: components["schemas"]["PlaybackState"];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly setPlayback: {
        readonly parameters: {
            readonly query?: {
                /** @description Include hidden libraries, entities and collections; needs an active license */
                readonly includeHidden?: boolean;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["PlaybackReport"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly playback: components["schemas"]["PlaybackState"];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly resetPlayback: {
        readonly parameters: {
            readonly query?: {
                /** @description Include hidden libraries, entities and collections; needs an active license */
                readonly includeHidden?: boolean;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success; the reply has no body */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly setItemWatched: {
        readonly parameters: {
            readonly query?: {
                /** @description Include hidden libraries, entities and collections; needs an active license */
                readonly includeHidden?: boolean;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["WatchedMark"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly playback: components["schemas"]["PlaybackState"];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly setEntityWatched: {
        readonly parameters: {
            readonly query?: {
                /** @description Include hidden libraries, entities and collections; needs an active license */
                readonly includeHidden?: boolean;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["WatchedMark"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @description How many items were not so before */
                        readonly changed: number;
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly listContinueWatching: {
        readonly parameters: {
            readonly query?: {
                /** @description Include hidden libraries, entities and collections; needs an active license */
                readonly includeHidden?: boolean;
                /** @description Entries of one page */
                readonly limit?: number;
                /** @description `nextCursor` of the previous page */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly items: readonly components["schemas"]["Item"][];
                        /** @description Where the next page starts; null at the end */
                        readonly nextCursor: string | null;
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly listNextUp: {
        readonly parameters: {
            readonly query?: {
                /** @description Include hidden libraries, entities and collections; needs an active license */
                readonly includeHidden?: boolean;
                /** @description Entries of one page */
                readonly limit?: number;
                /** @description `nextCursor` of the previous page */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly items: readonly components["schemas"]["Item"][];
                        /** @description Where the next page starts; null at the end */
                        readonly nextCursor: string | null;
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly listPlaylistFiles: {
        readonly parameters: {
            readonly query?: {
                /** @description Include hidden libraries, entities and collections; needs an active license */
                readonly includeHidden?: boolean;
                /** @description Entries of one page; absent = all */
                readonly limit?: number;
                /** @description `nextCursor` of the previous page */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly playlists: readonly components["schemas"]["PlaylistFile"][];
                        /** @description Where the next page starts; null at the end */
                        readonly nextCursor: string | null;
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly getPlaylistFile: {
        readonly parameters: {
            readonly query?: {
                /** @description Include hidden libraries, entities and collections; needs an active license */
                readonly includeHidden?: boolean;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
                readonly fileId: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly playlist: components["schemas"]["PlaylistFile"];
                        readonly entries: readonly components["schemas"]["PlaylistFileEntry"][];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly getPlaybackInfo: {
        readonly parameters: {
            readonly query?: {
                /** @description Include hidden libraries, entities and collections; needs an active license */
                readonly includeHidden?: boolean;
                readonly fileId?: string;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly files: readonly components["schemas"]["PlaybackFile"][];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly listPlaybackSessions: {
        readonly parameters: {
            readonly query?: {
                /** @description Include hidden libraries, entities and collections; needs an active license */
                readonly includeHidden?: boolean;
                /** @description Entries of one page; absent = all */
                readonly limit?: number;
                /** @description `nextCursor` of the previous page */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly sessions: readonly components["schemas"]["PlaybackSessionSummary"][];
                        /** @description Where the next page starts; null at the end */
                        readonly nextCursor: string | null;
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly createPlaybackSession: {
        readonly parameters: {
            readonly query?: {
                /** @description Include hidden libraries, entities and collections; needs an active license */
                readonly includeHidden?: boolean;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["PlaybackSessionRequest"];
            };
        };
        readonly responses: {
            /** @description Created */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly session: components["schemas"]["PlaybackSession"];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly endPlaybackSession: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success; the reply has no body */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly updatePlaybackSession: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["PlaybackSessionChange"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly session: components["schemas"]["PlaybackSession"];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly getMasterPlaylist: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
                /** @description The token of the session */
                readonly link: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The playlist */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/vnd.apple.mpegurl": string;
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly getTrackPlaylist: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
                /** @description The token of the session */
                readonly link: string;
                readonly track: string;
                readonly quality: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The playlist */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/vnd.apple.mpegurl": string;
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly getKeyframePlaylist: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
                /** @description The token of the session */
                readonly link: string;
                readonly track: string;
                readonly quality: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The playlist */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/vnd.apple.mpegurl": string;
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly getSegment: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
                /** @description The token of the session */
                readonly link: string;
                readonly track: string;
                readonly quality: string;
                /** @description `init.mp4`, the number of a segment, or `<number>.key.m4s` for its keyframe */
                readonly part: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The segment, or the init segment */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "video/mp4": string;
                    readonly "audio/mp4": string;
                };
            };
            /** @description The copy of the client is current */
            readonly 304: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly getFirstParts: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
                /** @description The token of the session */
                readonly link: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A line of JSON with the address and the length of each part, `[["master.m3u8", 800], …]`; then the parts */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/octet-stream": string;
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly getSessionFile: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
                /** @description The token of the session */
                readonly link: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The file, with its own type */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/octet-stream": string;
                };
            };
            /** @description The bytes of the `Range` */
            readonly 206: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/octet-stream": string;
                };
            };
            /** @description The copy of the client is current */
            readonly 304: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong */
            readonly 416: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly getSessionText: {
        readonly parameters: {
            readonly query?: {
                /** @description Of `.sup`: seconds from which on. `x-vitrine-next` of the answer says where the next part begins */
                readonly from?: number;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
                /** @description The token of the session */
                readonly link: string;
                readonly text: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The text, or a playlist of it */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/vtt": string;
                    readonly "text/plain": string;
                    readonly "application/octet-stream": string;
                    readonly "application/vnd.apple.mpegurl": string;
                };
            };
            /** @description The copy of the client is current */
            readonly 304: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly getTrickplay: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
                /** @description The token of the session */
                readonly link: string;
                /** @description `index.vtt`, or the number of a sheet */
                readonly name: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description WebVTT with the place of each picture (`0.jpg#xywh=0,0,320,180`), or a sheet */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/vtt": string;
                    readonly "image/jpeg": string;
                };
            };
            /** @description The copy of the client is current */
            readonly 304: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly getSessionFont: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
                /** @description The token of the session */
                readonly link: string;
                readonly index: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The font, with its own type */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "font/ttf": string;
                };
            };
            /** @description The copy of the client is current */
            readonly 304: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly checkPluginPackage: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @description A signed `.vplugin` of at most 10 MiB, in base64 */
                    readonly file: string;
                };
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PluginPackage"];
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly installPluginPackage: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["PluginUpload"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["InstalledPlugin"];
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly listPlugins: {
        readonly parameters: {
            readonly query?: {
                readonly capability?: string;
                /** @description Plugins that have any of them */
                readonly mediaTypes?: readonly string[];
                /** @description Entries of one page; absent = all */
                readonly limit?: number;
                /** @description `nextCursor` of the previous page */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly plugins: readonly components["schemas"]["Plugin"][];
                        /** @description For admins only */
                        readonly skipped: readonly components["schemas"]["SkippedPlugin"][];
                        /** @description Where the next page starts; null at the end */
                        readonly nextCursor: string | null;
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly rescanPlugins: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @description New plugins */
                        readonly found: readonly components["schemas"]["Plugin"][];
                        /** @description Plugins whose manifest or code changed */
                        readonly changed: readonly components["schemas"]["Plugin"][];
                        /** @description Ids of plugins whose folder is gone */
                        readonly removed: readonly string[];
                        /** @description What of these folders does not run, and why */
                        readonly skipped: readonly components["schemas"]["SkippedPlugin"][];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly enablePlugin: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly plugin: components["schemas"]["Plugin"];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly disablePlugin: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly plugin: components["schemas"]["Plugin"];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly restartPlugin: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly plugin: components["schemas"]["Plugin"];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly getPluginConfiguration: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly [key: string]: unknown;
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly setPluginConfiguration: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly [key: string]: unknown;
                };
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly plugin: components["schemas"]["Plugin"];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly listPluginLogs: {
        readonly parameters: {
            readonly query?: {
                /** @description Entries of one page; absent = all */
                readonly limit?: number;
                /** @description `nextCursor` of the previous page */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @description Oldest first */
                        readonly lines: readonly components["schemas"]["PluginLogLine"][];
                        /** @description Where the next page starts; null at the end */
                        readonly nextCursor: string | null;
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly getPluginUsage: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly usage: components["schemas"]["PluginUsage"];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly getPluginPermissions: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PluginPermissions"];
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly setPluginPermissions: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["PluginGrant"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PluginPermissions"];
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly testPluginPermissions: {
        readonly parameters: {
            readonly query?: {
                /** @description The grant, one JSON object in the form of the manifest; without it, all that is new is granted */
                readonly granted?: string;
                /** @description `all`, or a JSON list as in a grant; the current grant when absent */
                readonly libraries?: string;
                /** @description A version that a source offers, instead of the installed one */
                readonly version?: string;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly dryRun: components["schemas"]["PluginDryRun"];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly runPluginAction: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
                readonly rpcMethod: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly [key: string]: unknown;
                };
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @description What the plugin answered */
                        readonly result: unknown;
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly getMetadataPreset: {
        readonly parameters: {
            readonly query?: {
                /** @description Entries of one page; absent = all */
                readonly limit?: number;
                /** @description `nextCursor` of the previous page */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly plugins: readonly components["schemas"]["PresetPlugin"][];
                        /** @description Where the next page starts; null at the end */
                        readonly nextCursor: string | null;
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly setMetadataPreset: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly plugins: readonly string[];
                    /** @constant */
                    readonly granted: true;
                };
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly plugins: readonly components["schemas"]["PresetPlugin"][];
                        /** @description Where the next page starts; null at the end */
                        readonly nextCursor: string | null;
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly listProviders: {
        readonly parameters: {
            readonly query?: {
                /** @description Entries of one page; absent = all */
                readonly limit?: number;
                /** @description `nextCursor` of the previous page */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly providers: readonly components["schemas"]["Provider"][];
                        /** @description Where the next page starts; null at the end */
                        readonly nextCursor: string | null;
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly chooseProvider: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly key: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly pluginId: string;
                };
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly provider: components["schemas"]["Provider"];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly listProfilePlugins: {
        readonly parameters: {
            readonly query?: {
                /** @description Entries of one page; absent = all */
                readonly limit?: number;
                /** @description `nextCursor` of the previous page */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly plugins: readonly components["schemas"]["ProfilePlugin"][];
                        /** @description Where the next page starts; null at the end */
                        readonly nextCursor: string | null;
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly setProfilePlugin: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
                readonly pluginId: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly [key: string]: unknown;
                };
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly plugin: components["schemas"]["ProfilePlugin"];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly listPluginSecrets: {
        readonly parameters: {
            readonly query?: {
                /** @description Entries of one page; absent = all */
                readonly limit?: number;
                /** @description `nextCursor` of the previous page */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly secrets: readonly components["schemas"]["PluginSecret"][];
                        /** @description Where the next page starts; null at the end */
                        readonly nextCursor: string | null;
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly setPluginSecret: {
        readonly parameters: {
            readonly query?: {
                /** @description For what the plugin does in this library; without it, for the plugin as a whole */
                readonly libraryId?: string;
                /** @description For what the plugin does on behalf of this user; without it, for the plugin as a whole */
                readonly userId?: string;
                /** @description For what the plugin does on behalf of this profile; without it, for the plugin as a whole */
                readonly profileId?: string;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
                readonly name: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewPluginSecret"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly secret: components["schemas"]["PluginSecret"];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly deletePluginSecret: {
        readonly parameters: {
            readonly query?: {
                /** @description For what the plugin does in this library; without it, for the plugin as a whole */
                readonly libraryId?: string;
                /** @description For what the plugin does on behalf of this user; without it, for the plugin as a whole */
                readonly userId?: string;
                /** @description For what the plugin does on behalf of this profile; without it, for the plugin as a whole */
                readonly profileId?: string;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
                readonly name: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success; the reply has no body */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly getPreferences: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly preferences: components["schemas"]["Preferences"];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly setPreferences: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["PreferenceChanges"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly preferences: components["schemas"]["Preferences"];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly listProfiles: {
        readonly parameters: {
            readonly query?: {
                /** @description The user; others only for admins */
                readonly userId?: string;
                /** @description Entries of one page */
                readonly limit?: number;
                /** @description `nextCursor` of the previous page */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly profiles: readonly components["schemas"]["Profile"][];
                        /** @description Where the next page starts; null at the end */
                        readonly nextCursor: string | null;
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly createProfile: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewProfile"];
            };
        };
        readonly responses: {
            /** @description Created */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly profile: components["schemas"]["Profile"];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly getProfile: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly profile: components["schemas"]["Profile"];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly deleteProfile: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success; the reply has no body */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly updateProfile: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ProfileChanges"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly profile: components["schemas"]["Profile"];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly unlockProfile: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @description 4 to 8 digits */
                    readonly pin: string;
                };
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly profile: components["schemas"]["Profile"];
                        /**
                         * Format: date-time
                         * @description Until when this credential may act as it; null = it has no PIN
                         */
                        readonly unlockedUntil: string | null;
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly getProfileAvatar: {
        readonly parameters: {
            readonly query?: {
                /** @description Changes with the picture */
                readonly v?: string;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The picture */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "image/*": string;
                };
            };
            /** @description The copy of the client is current */
            readonly 304: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly setProfileAvatar: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @description A JPEG, PNG, GIF, WebP or AVIF picture of at most 1 MiB, in base64 */
                    readonly image: string;
                };
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly profile: components["schemas"]["Profile"];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly listRatingSystems: {
        readonly parameters: {
            readonly query?: {
                /** @description Entries of one page; absent = all */
                readonly limit?: number;
                /** @description `nextCursor` of the previous page */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly ratingSystems: readonly components["schemas"]["RatingSystem"][];
                        /** @description Where the next page starts; null at the end */
                        readonly nextCursor: string | null;
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly refreshItem: {
        readonly parameters: {
            readonly query?: {
                /** @description Include hidden libraries, entities and collections; needs an active license */
                readonly includeHidden?: boolean;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Created */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly job: components["schemas"]["Job"];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly beginPairing: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @description The name in the list of sessions */
                    readonly deviceName?: string;
                };
            };
        };
        readonly responses: {
            /** @description Created */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly pairing: components["schemas"]["Pairing"];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly claimPairing: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly secret: string;
                };
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PairingState"];
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly lookAtPairing: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @description The 8 letters that the device shows; spaces, hyphens and small letters are allowed */
                    readonly code: string;
                };
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly device: components["schemas"]["WaitingDevice"];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly acceptPairing: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @description The 8 letters that the device shows; spaces, hyphens and small letters are allowed */
                    readonly code: string;
                    /** @description The name in the list of sessions */
                    readonly deviceName?: string;
                };
            };
        };
        readonly responses: {
            /** @description Success; the reply has no body */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly refusePairing: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @description The 8 letters that the device shows; spaces, hyphens and small letters are allowed */
                    readonly code: string;
                };
            };
        };
        readonly responses: {
            /** @description Success; the reply has no body */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly getPasskeySignInOptions: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @description For PublicKeyCredential.parseRequestOptionsFromJSON */
                        readonly options: {
                            readonly challenge: string;
                            readonly rpId: string;
                            readonly timeout: number;
                            /** @enum {string} */
                            readonly userVerification: "required";
                        };
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly listPasskeys: {
        readonly parameters: {
            readonly query?: {
                /** @description Entries of one page; absent = all */
                readonly limit?: number;
                /** @description `nextCursor` of the previous page */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly passkeys: readonly components["schemas"]["Passkey"][];
                        /** @description Where the next page starts; null at the end */
                        readonly nextCursor: string | null;
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly createPasskey: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewPasskey"];
            };
        };
        readonly responses: {
            /** @description Created */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly passkey: components["schemas"]["Passkey"];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly getPasskeyCreationOptions: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @description 10 to 1000 characters */
                    readonly password?: string;
                };
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @description For PublicKeyCredential.parseCreationOptionsFromJSON */
                        readonly options: {
                            readonly challenge: string;
                            readonly rp: {
                                readonly id: string;
                                readonly name: string;
                            };
                            readonly user: {
                                readonly id: string;
                                readonly name: string;
                                readonly displayName: string;
                            };
                            readonly pubKeyCredParams: readonly {
                                /** @enum {string} */
                                readonly type: "public-key";
                                readonly alg: number;
                            }[];
                            readonly timeout: number;
                            readonly excludeCredentials: readonly {
                                /** @enum {string} */
                                readonly type: "public-key";
                                readonly id: string;
                                readonly transports: readonly string[];
                            }[];
                            readonly authenticatorSelection: {
                                /** @enum {string} */
                                readonly residentKey: "required";
                                readonly requireResidentKey: boolean;
                                /** @enum {string} */
                                readonly userVerification: "required";
                            };
                            /** @enum {string} */
                            readonly attestation: "none";
                        };
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly deletePasskey: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success; the reply has no body */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly renamePasskey: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly name: string;
                };
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly passkey: components["schemas"]["Passkey"];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly getSetupState: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @description There is no user yet */
                        readonly isNeeded: boolean;
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly setUpServer: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["Setup"];
            };
        };
        readonly responses: {
            /** @description Created */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SignedIn"];
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly getUpdate: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Whether there is a newer version */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Update"];
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly setUpdateChannel: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["UpdateChanges"];
            };
        };
        readonly responses: {
            /** @description Whether there is a newer version */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Update"];
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly checkForUpdate: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Whether there is a newer version */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Update"];
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly listUsers: {
        readonly parameters: {
            readonly query?: {
                /** @description Entries of one page */
                readonly limit?: number;
                /** @description `nextCursor` of the previous page */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly users: readonly components["schemas"]["User"][];
                        /** @description Where the next page starts; null at the end */
                        readonly nextCursor: string | null;
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly createUser: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewUser"];
            };
        };
        readonly responses: {
            /** @description Created */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly user: components["schemas"]["User"];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly getUser: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly user: components["schemas"]["User"];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly deleteUser: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success; the reply has no body */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly updateUser: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["UserChanges"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly user: components["schemas"]["User"];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly setUserPassword: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @description 10 to 1000 characters */
                    readonly password: string;
                    /**
                     * @description Also end the API keys, which a person who knew the old password may have made
                     * @default false
                     */
                    readonly endApiKeys?: boolean;
                };
            };
        };
        readonly responses: {
            /** @description Success; the reply has no body */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly listUserSessions: {
        readonly parameters: {
            readonly query?: {
                /** @description Entries of one page; absent = all */
                readonly limit?: number;
                /** @description `nextCursor` of the previous page */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly sessions: readonly components["schemas"]["Session"][];
                        /** @description Where the next page starts; null at the end */
                        readonly nextCursor: string | null;
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly endUserSession: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
                readonly sessionId: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success; the reply has no body */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly listTasks: {
        readonly parameters: {
            readonly query?: {
                /** @description Entries of one page; absent = all */
                readonly limit?: number;
                /** @description `nextCursor` of the previous page */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly tasks: readonly components["schemas"]["Task"][];
                        /** @description Where the next page starts; null at the end */
                        readonly nextCursor: string | null;
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly runTask: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly name: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly task: components["schemas"]["Task"];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly getSecurityContact: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description RFC 9116: the security contact of this server */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/plain": string;
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly search: {
        readonly parameters: {
            readonly query: {
                readonly q: string;
                /** @description The maximum number of items; above 200 counts as 200 */
                readonly limit?: number;
                /** @description `tile`: only what a list shows of each item */
                readonly fields?: "full" | "tile";
                /** @description Include hidden libraries, entities and collections; needs an active license */
                readonly includeHidden?: boolean;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SearchResult"];
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly listViews: {
        readonly parameters: {
            readonly query?: {
                /** @description Include hidden libraries, entities and collections; needs an active license */
                readonly includeHidden?: boolean;
                /** @description One JSON object with the keys of the slot's context */
                readonly context?: string;
            };
            readonly header?: never;
            readonly path: {
                readonly slot: "ui.item.detail.actions" | "ui.item.detail.panels" | "ui.library.header.actions" | "ui.player.overlays" | "ui.home.sections" | "ui.shell" | "ui.settings.sections";
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["View"][];
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly runViewAction: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ViewAction"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @description The answer of the plugin */
                        readonly result: unknown;
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly listWebhooks: {
        readonly parameters: {
            readonly query?: {
                /** @description Entries of one page */
                readonly limit?: number;
                /** @description `nextCursor` of the previous page */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly webhooks: readonly components["schemas"]["Webhook"][];
                        /** @description Where the next page starts; null at the end */
                        readonly nextCursor: string | null;
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly createWebhook: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewWebhook"];
            };
        };
        readonly responses: {
            /** @description An address that receives events */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Webhook"];
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly getWebhook: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description An address that receives events */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Webhook"];
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly deleteWebhook: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success; the reply has no body */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly updateWebhook: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["WebhookChanges"];
            };
        };
        readonly responses: {
            /** @description An address that receives events */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Webhook"];
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly testWebhook: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly delivery: components["schemas"]["WebhookDelivery"];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly listWebhookDeliveries: {
        readonly parameters: {
            readonly query?: {
                readonly status?: "pending" | "retrying" | "delivered" | "failed";
                /** @description Entries of one page */
                readonly limit?: number;
                /** @description `nextCursor` of the previous page */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly deliveries: readonly components["schemas"]["WebhookDelivery"][];
                        /** @description Where the next page starts; null at the end */
                        readonly nextCursor: string | null;
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly redeliverWebhook: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
                readonly deliveryId: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly delivery: components["schemas"]["WebhookDelivery"];
                    };
                };
            };
            readonly "4XX": components["responses"]["Refusal"];
            readonly "5XX": components["responses"]["Failure"];
        };
    };
    readonly receiveEvent: {
        readonly parameters: {
            readonly query?: never;
            readonly header: {
                readonly "webhook-id": string;
                readonly "webhook-timestamp": string;
                readonly "webhook-signature": string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["EventMessage"];
            };
        };
        readonly responses: {
            /** @description The receiver is gone: the webhook is disabled */
            readonly 410: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken; any other reply makes the server try again */
            readonly "2XX": {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
