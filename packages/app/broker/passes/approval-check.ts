import { openRecord, type SignedObject } from '../../../lib/identity-protocol/index.ts';
import type { User } from '../accounts/account.ts';
import { Refusal } from '../service/errors.ts';
import type { NewRecord } from '../feed/feed.ts';
import { revocationsOf } from '../feed/feed-store.ts';
import type { Pairing } from '../pairing/pairing.ts';
import { toSeconds, type Core } from '../service/parts.ts';
import { checkRecord } from '../revocations/records.ts';
import { serversOfUser } from '../servers/server-store.ts';
import { assertPassIsFor, checkList, checkPass, inTurn, isNow } from '../servers/signed-checks.ts';
import type { CheckedPass } from '../servers/signed-checks.ts';
import type { ApproveBody, LinkedServer } from '../service/web-api.ts';

/** The signatures of an approval, which all match the request. */
export interface SignedApproval {
  readonly clientId: string;
  /** The first is valid from now on. */
  readonly passes: readonly CheckedPass[];
  readonly list: SignedObject;
  /** For the servers that the user unticked. */
  readonly refusals: readonly NewRecord[];
}

/** The user, and the request that is approved. */
export interface ApprovalChecked {
  readonly core: Pick<Core, 'database' | 'clock'>;
  readonly user: User;
  readonly pairing: Pairing;
}

const mostPasses = 12;

/** Rejects with `cert_mismatch`, `servers_mismatch` or `record_invalid`. */
export async function checkApproval(
  body: ApproveBody,
  { core: { database, clock }, user, pairing }: ApprovalChecked,
): Promise<SignedApproval> {
  const now = toSeconds(clock.now());
  const passes = await inTurn([body.cert, ...body.batch], (cert) => checkPass(cert, user, now));
  const [first, ...rest] = passes;
  if (!first || passes.length > mostPasses || !isNow(first.iat, now))
    throw new Refusal('cert_mismatch');
  const { clientId } = first;
  for (const pass of passes) assertPassIsFor(pass, { ...pairing, clientId });
  if (rest.some(({ iat }, index) => iat <= (passes[index]?.iat ?? 0)))
    throw new Refusal('cert_mismatch', { message: 'Each pass must begin after the previous one.' });
  const linked = await serversOfUser(database.read, user.userId);
  const list = await checkList(body.serverList, user, { linked, now });
  if (list.clientId !== clientId) throw new Refusal('servers_mismatch');
  const refusals = await inTurn(body.revocations, (record) => checkRecord(record, user, now));
  const before = await revocationsOf(database.read, clientId);
  assertRefused({ clientId, linked, given: list.servers, before }, refusals);
  return { clientId, passes, list: list.list, refusals };
}

interface Wanted {
  readonly clientId: string;
  readonly linked: readonly LinkedServer[];
  readonly given: readonly LinkedServer[];
  /** Refusals of this client that are in the feed already. */
  readonly before: readonly SignedObject[];
}

/**
 * The pass is for all servers, so each unticked server must be refused with a signed revocation.
 */
function assertRefused(
  { clientId, linked, given: list, before }: Wanted,
  refusals: readonly NewRecord[],
): void {
  const given = new Set(list.map(({ serverId }) => serverId));
  const isOfThis = refusals.every((one) => one.kind === 'revocation' && one.clientId === clientId);
  const named = refusals.map(({ record }) => refusedBy(record));
  const ids = named.flatMap((one) => one ?? []);
  if (!isOfThis || named.includes(null) || ids.some((id) => given.has(id)))
    throw new Refusal('servers_mismatch');
  const refused = new Set([...ids, ...before.flatMap((record) => refusedBy(record) ?? [])]);
  if (linked.every(({ serverId }) => given.has(serverId) || refused.has(serverId))) return;
  throw new Refusal('servers_mismatch');
}

/** The servers of a revocation; `null` = everywhere. */
const refusedBy = ({ payload, sig }: SignedObject): readonly string[] | null =>
  openRecord('revocation', { payload, sig })?.record.serverIds ?? null;
