/** The schemas of bodies, queries and paths. All objects are closed: an extra key is refused. */
import { Type, type TObject, type TProperties } from '@sinclair/typebox';

const closed = <Properties extends TProperties>(properties: Properties): TObject<Properties> =>
  Type.Object(properties, { additionalProperties: false });

const text = (most: number) => Type.String({ minLength: 1, maxLength: most });
const base64url = (least: number, most = least) =>
  Type.String({ pattern: '^[A-Za-z0-9_-]*$', minLength: least, maxLength: most });
const count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const list = <Item extends TProperties>(item: TObject<Item>, most: number) =>
  Type.Array(item, { maxItems: most });

/** `{payload, sig}`; `signed-checks.ts` validates the content. */
export const Signed = closed({ payload: text(65_536), sig: text(100) });
export const FeedRecord = closed({
  payload: text(4096),
  sig: text(100),
  newSig: Type.Optional(text(100)),
});
const signedLists = list(Signed, 1000);

/** `toJSON()` of a credential. */
const Credential = Type.Record(Type.String(), Type.Unknown());

const Wrap = closed({
  v: Type.Literal(1),
  type: Type.Union([Type.Literal('prf'), Type.Literal('passphrase'), Type.Literal('recovery')]),
  ref: text(1400),
  salt: base64url(43),
  iv: base64url(16),
  ct: base64url(32, 100),
  kdf: Type.Optional(closed({ m: count, t: count, p: count })),
});

const Vault = closed({
  rev: count,
  wraps: list(Wrap, 32),
  key: closed({
    v: Type.Literal(1),
    userPubKey: text(64),
    iv: base64url(16),
    ct: base64url(32, 400),
  }),
  proof: Signed,
});

const recoveryAuth = base64url(43);
const handle = text(256);

/** An empty body; it may be missing. */
export const Nothing = Type.Union([closed({}), Type.Null()]);

export const PairBegin = closed({
  appId: text(64),
  clientPubKey: text(128),
  deviceName: text(256),
  platform: text(64),
  callbackUrl: Type.Optional(text(500)),
});
export const Renew = closed({
  currentCert: Type.Unknown(),
  ts: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  sig: text(100),
});
/** `links.ts` validates the content. */
export const LinkBegin = closed({ payload: text(4096), sig: text(100) });

export const Id = closed({ requestId: text(100) });
export const ClientId = closed({ clientId: text(100) });
export const AppId = closed({ appId: text(100) });
export const PasskeyId = closed({ id: text(1400) });

export const RegisterBegin = closed({ handle });
export const RegisterVerify = closed({
  userId: base64url(22),
  handle,
  credential: Credential,
  userPubKey: text(64),
  vault: Vault,
  recoveryAuth,
});
export const LoginVerify = closed({ credential: Credential });
export const Recover = closed({ handle, auth: recoveryAuth });
export const RecoverVerify = closed({ credential: Credential, vault: Vault, recoveryAuth });
export const PutVault = closed({ vault: Vault });
export const AddPasskey = closed({ credential: Credential, vault: Vault });
export const NewRecovery = closed({ vault: Vault, recoveryAuth });

export const Code = closed({ code: Type.String({ pattern: '^[0-9]{8}$' }) });
export const Approve = closed({
  credential: Credential,
  cert: Signed,
  batch: list(Signed, 11),
  serverList: Signed,
  revocations: list(FeedRecord, 200),
});
export const LinkApprove = closed({ grant: Signed, lists: signedLists });

const serverIds = Type.Array(Type.String({ pattern: '^[0-9a-f]{64}$' }), {
  maxItems: 200,
  uniqueItems: true,
});
export const PutServers = closed({
  order: serverIds,
  accepted: serverIds,
  refused: serverIds,
  lists: signedLists,
});
export const Batch = closed({ passes: list(Signed, 2000), lists: signedLists });
export const Records = closed({ records: list(FeedRecord, 200), lists: signedLists });
export const Rotate = closed({
  record: FeedRecord,
  vault: Vault,
  passes: list(Signed, 2000),
  lists: signedLists,
});

const app = {
  name: text(256),
  callbacks: Type.Array(text(500), { maxItems: 10 }),
  domain: Type.Union([text(253), Type.Null()]),
  icon: Type.Union([text(500), Type.Null()]),
};
export const NewApp = closed({ slug: text(64), ...app });
export const ChangeApp = closed(app);
