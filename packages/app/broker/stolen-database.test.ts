/** The content of a stolen broker database. */
import { expect, onTestFinished, test } from 'vitest';
import { openBrokerScene } from '../../../test/support/identity/broker-scene.ts';
import { good, textOf } from '../../../test/support/identity/ask.ts';
import { createRecoveryCode, recoveryAuth, recoverySecret, withSecret } from './signing/index.ts';

test('the database of the broker contains no token, code, request id, recovery value or secret of a passkey', async () => {
  const scene = await openBrokerScene();
  onTestFinished(() => scene.stop());
  const { ada } = scene;
  const answer = await ada.signIn();
  const [cookie = ''] = answer.headers.getSetCookie();
  const token = /__Host-sid=([\w-]+)/.exec(cookie)?.[1] ?? '';
  const open = await (await scene.newDevice()).pairBegin();
  const { requestId } = await scene.pair();
  const link = textOf(
    await scene.beginLink(await (await scene.newServer()).request()),
    'requestId',
  );
  const code = createRecoveryCode();
  const { vault } = await withSecret(ada.opened(), recoverySecret(code));
  const newAuth = await recoveryAuth(code);
  good(await ada.web('recovery', { body: { vault, recoveryAuth: newAuth } }));
  const { options } = good(await ada.web('login/options', { body: {} })) as {
    readonly options: { readonly challenge: string };
  };

  const secrets: Readonly<Record<string, string>> = {
    token,
    requestId,
    link,
    openRequest: textOf(open, 'requestId'),
    pairingCode: textOf(open, 'pairingCode'),
    challenge: options.challenge,
    recoveryCode: ada.recoveryCode,
    newCode: code,
    recoveryAuth: await recoveryAuth(ada.recoveryCode),
    newAuth,
    prf: Buffer.from(ada.passkey.prf).toString('base64url'),
  };
  await scene.broker.pause();
  const kept = await scene.broker.kept();
  expect(kept).toContain(ada.account().userPubKey);
  for (const [name, secret] of Object.entries(secrets)) {
    expect(secret.length).toBeGreaterThanOrEqual(8);
    for (const form of [
      secret,
      Buffer.from(secret, 'base64url').toString('latin1'),
      Buffer.from(secret, 'base64url').toString('hex'),
    ])
      if (form.length >= 8) expect([name, kept.includes(form)]).toEqual([name, false]);
  }
  await scene.broker.resume();
});
