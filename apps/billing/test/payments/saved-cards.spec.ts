/** Decisions 28: a saved card belongs to the person who saved it. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { newId, type UserId, type WorkspaceId } from '@watchword/contracts';
import { HOUR_MS, MINUTE_MS, OWNER, PaymentGround, SIMULATORS } from './payments.kit.js';

const SETTINGS = { enabled: true, threshold: 500, credits: 1_000, monthly_cap_credits: 3_000 };
const OTHER = newId<UserId>();
const DAY_MS = 24 * HOUR_MS;

let ground: PaymentGround;
let workspace: WorkspaceId;

beforeEach(async () => {
  ground = await PaymentGround.open(await SIMULATORS.paystack());
  workspace = await ground.wallet();
  await ground.bought(workspace, { save_authorisation: true });
});

afterEach(() => ground?.close());

const put = (user_id: UserId, over: Partial<typeof SETTINGS> = {}) =>
  ground.calls.putTopUp({ workspace_id: workspace, user_id, ...SETTINGS, ...over });
const settings = () => ground.calls.getTopUp({ workspace_id: workspace });
const deleteAuthorisationOf = (user_id: UserId) =>
  ground.calls.deleteAuthorisationOf({ workspace_id: workspace, user_id });
const empty = async () => {
  const { balance: credits } = await ground.account(workspace);
  const entry = { credits: -credits, kind: 'adjustment', idempotency: null } as const;
  await ground.calls.topUp({ workspace_id: workspace, ...entry });
};
const automatic = async () => {
  const page = await ground.calls.listPayments({ workspace_id: workspace, limit: 100 });
  return 'data' in page ? page.data.filter((payment) => payment.automatic) : [];
};
const notAgreed = (field: string) => ({ verdict: 'not_agreed', field });

describe('a saved card', () => {
  it('a saved card pays only what its person agreed to; other owners may lower that and turn it off and on', async () => {
    await put(OTHER, { enabled: false, ...{ threshold: 0, credits: 0, monthly_cap_credits: 0 } });
    expect(await put(OTHER)).toEqual(notAgreed('enabled'));
    expect(await put(OTHER, { enabled: false })).toEqual(notAgreed('threshold'));
    expect(await put(OWNER)).toMatchObject({ verdict: 'done' });
    expect(await settings()).toMatchObject({ authorisation: { saved_by: OWNER } });
    for (const field of ['threshold', 'credits', 'monthly_cap_credits'] as const) {
      const raised = { monthly_cap_credits: 3_000, [field]: SETTINGS[field] + 1 };
      expect(await put(OTHER, raised)).toEqual(notAgreed(field));
    }
    for (const less of [{ credits: 100 }, { enabled: false }, {}]) {
      expect(await put(OTHER, less)).toMatchObject({ verdict: 'done' });
    }
    await put(OWNER, { credits: 2_000 });
    expect(await put(OTHER, { credits: 2_000 })).toMatchObject({ verdict: 'done' });
    await put(OWNER, { enabled: false });
    expect(await put(OTHER)).toEqual(notAgreed('enabled'));
  });

  it('a saved card does not pay for settings that were stored before it', async () => {
    const fresh = await ground.wallet();
    const high = { threshold: 9_000, credits: 9_000, monthly_cap_credits: 9_000 };
    const wish = { workspace_id: fresh, user_id: OTHER, ...high };
    await ground.calls.putTopUp({ ...wish, enabled: false });
    await ground.bought(fresh, { save_authorisation: true });
    expect(await ground.calls.putTopUp({ ...wish, enabled: true })).toEqual(notAgreed('enabled'));
  });

  it('after a dispute only the person who saved the card turns automatic top-up on again', async () => {
    await put(OWNER);
    const page = await ground.calls.listPayments({ workspace_id: workspace, limit: 1 });
    const id = 'data' in page ? page.data[0]!.payment_id : '';
    await put(OTHER, { enabled: false });
    await ground.receive(ground.simulator.dispute(await ground.providerIdOf(id)));
    expect(await put(OTHER)).toEqual(notAgreed('enabled'));
    expect(await put(OTHER, { enabled: false })).toMatchObject({ verdict: 'done' });
    expect(await put(OTHER)).toEqual(notAgreed('enabled'));
    expect(await put(OWNER)).toMatchObject({ verdict: 'done' });
    expect(await put(OTHER)).toMatchObject({ verdict: 'done' });
  });

  it('decisions 28: the saved card of an owner who leaves is deleted, and is not charged between two tries', async () => {
    await put(OWNER);
    await empty();
    ground.simulator.declineCharges(1);
    await ground.look();
    expect(await automatic()).toMatchObject([{ status: 'pending' }]);
    expect(await deleteAuthorisationOf(OTHER)).toEqual({ deleted: false });
    expect(await deleteAuthorisationOf(OWNER)).toEqual({ deleted: true });
    expect(await settings()).toMatchObject({
      ...{ enabled: false, authorisation: null, disabled_reason: 'owner_left' },
    });
    expect(await automatic()).toMatchObject([{ status: 'failed', failure: 'switched_off' }]);
    expect(await put(OTHER)).toEqual({ verdict: 'no_authorisation' });
    ground.clock.advance(2 * DAY_MS);
    await ground.look();
    expect(ground.simulator.charges()).toBe(0);
    expect(await deleteAuthorisationOf(OWNER)).toEqual({ deleted: false });
  });

  it('decisions 28: a payment that a person began as an owner saves no card after they left', async () => {
    const { url } = await ground.checkout(workspace, { save_authorisation: true });
    const theirs = await ground.checkout(workspace, { save_authorisation: true, user_id: OTHER });
    await deleteAuthorisationOf(OWNER);
    await ground.receive(ground.simulator.pay(url));
    expect(await settings()).toMatchObject({ authorisation: null });
    await ground.receive(ground.simulator.pay(theirs.url));
    expect(await settings()).toMatchObject({ authorisation: { saved_by: OTHER } });
  });

  it('any owner may delete the saved card, which turns automatic top-up off', async () => {
    await put(OWNER);
    await empty();
    const asked = { workspace_id: workspace };
    expect(await ground.calls.deleteAuthorisation(asked)).toEqual({ deleted: true });
    expect(await ground.calls.deleteAuthorisation(asked)).toEqual({ deleted: false });
    expect(await settings()).toMatchObject({
      ...{ enabled: false, authorisation: null, disabled_reason: 'authorisation_deleted' },
    });
    await ground.look();
    expect(await automatic()).toEqual([]);
  });

  it('decisions 28: a saved card is not charged while the workspace is suspended, nor for more than is set now', async () => {
    await put(OWNER);
    await empty();
    const suspend = (suspended: boolean) =>
      ground.calls.setSuspended({ workspace_id: workspace, suspended });
    await suspend(true);
    await ground.look();
    expect(await automatic()).toEqual([]);
    await suspend(false);
    ground.simulator.declineCharges(1);
    await ground.look();
    expect(await automatic()).toMatchObject([{ status: 'pending', credits: 1_000 }]);
    await put(OTHER, { credits: 100 });
    ground.clock.advance(15 * MINUTE_MS);
    await ground.look();
    expect(ground.simulator.charges()).toBe(0);
    await ground.look();
    expect(await automatic()).toMatchObject([
      { status: 'paid', credits: 100 },
      { status: 'failed', failure: 'switched_off' },
    ]);
    await suspend(true);
    await empty();
    await ground.look();
    expect(ground.simulator.charges()).toBe(1);
  });
});

describe('pending payments', () => {
  it('a workspace has at most five pending payments, also when six are made at once', async () => {
    const made = await Promise.all(
      Array.from({ length: 6 }, () => ground.create(workspace, { provider: 'manual' })),
    );
    expect(made.map(({ verdict }) => verdict).toSorted()).toEqual([
      ...Array.from({ length: 5 }, () => 'created'),
      'too_many_pending',
    ]);
    expect(await ground.create(await ground.wallet())).toMatchObject({ verdict: 'created' });
    ground.clock.advance(7 * DAY_MS);
    await ground.look();
    const [payment] = made.flatMap((one) => ('payment' in one ? [one.payment] : []));
    expect(await ground.payment(workspace, payment!.payment_id)).toMatchObject({
      status: 'expired',
    });
    expect(await ground.create(workspace)).toMatchObject({ verdict: 'created' });
    const late = await ground.calls.confirmPayment({ payment_id: payment!.payment_id });
    expect(late).toMatchObject({ verdict: 'confirmed', payment: { status: 'paid' } });
  });
});
