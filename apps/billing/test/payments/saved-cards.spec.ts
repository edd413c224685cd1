/** Decisions 28: a saved card belongs to the person who saved it. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type ApiError, newId, routes, type UserId, type WorkspaceId } from '@watchword/contracts';
import { HOUR_MS, MINUTE_MS, OWNER, PaymentEnvironment, SIMULATORS } from './payments.kit.js';

const SETTINGS = { enabled: true, threshold: 500, credits: 1_000, monthly_cap_credits: 3_000 };
const OTHER = newId<UserId>();
const DAY_MS = 24 * HOUR_MS;

let environment: PaymentEnvironment;
let workspace: WorkspaceId;

beforeEach(async () => {
  environment = await PaymentEnvironment.open(await SIMULATORS.paystack());
  workspace = await environment.wallet();
  await environment.bought(workspace, { save_authorisation: true });
});

afterEach(() => environment?.close());

/** Returns `done`, or why it was refused. */
const put = (user: UserId, over: Partial<typeof SETTINGS> = {}, of = workspace) =>
  environment.putTopUp(of, user, { ...SETTINGS, ...over }).then(
    () => 'done',
    ({ type, field }: ApiError) => ({ type, field }),
  );
const settings = () => environment.topUpSettings(workspace);
const deleteAuthorisationOf = (user_id: UserId) =>
  environment.calls.deleteAuthorisationOf({ workspace_id: workspace, user_id });
const empty = async () => {
  const { balance: credits } = await environment.account(workspace);
  const entry = { credits: -credits, kind: 'adjustment', idempotency: null } as const;
  await environment.calls.topUp({ workspace_id: workspace, ...entry });
};
const automatic = async () =>
  (await environment.list(workspace)).data.filter((payment) => payment.automatic);
const notAgreed = (field: string) => ({ type: 'permission_error', field });

describe('a saved card', () => {
  it('a saved card pays only what its person agreed to; other owners may lower that and turn it off and on', async () => {
    await put(OTHER, { enabled: false, ...{ threshold: 0, credits: 0, monthly_cap_credits: 0 } });
    expect(await put(OTHER)).toEqual(notAgreed('enabled'));
    expect(await put(OTHER, { enabled: false })).toEqual(notAgreed('threshold'));
    expect(await put(OWNER)).toBe('done');
    expect(await settings()).toMatchObject({ authorisation: { saved_by: OWNER } });
    for (const field of ['threshold', 'credits', 'monthly_cap_credits'] as const) {
      const raised = { monthly_cap_credits: 3_000, [field]: SETTINGS[field] + 1 };
      expect(await put(OTHER, raised)).toEqual(notAgreed(field));
    }
    for (const less of [{ credits: 100 }, { enabled: false }, {}]) {
      expect(await put(OTHER, less)).toBe('done');
    }
    await put(OWNER, { credits: 2_000 });
    expect(await put(OTHER, { credits: 2_000 })).toBe('done');
    await put(OWNER, { enabled: false });
    expect(await put(OTHER)).toEqual(notAgreed('enabled'));
  });

  it('a saved card does not pay for settings that were stored before it', async () => {
    const fresh = await environment.wallet();
    const high = { threshold: 9_000, credits: 9_000, monthly_cap_credits: 9_000 };
    await put(OTHER, { ...high, enabled: false }, fresh);
    await environment.bought(fresh, { save_authorisation: true });
    expect(await put(OTHER, high, fresh)).toEqual(notAgreed('enabled'));
  });

  it('after a dispute only the person who saved the card turns automatic top-up on again', async () => {
    await put(OWNER);
    const { payment_id: id } = (await environment.list(workspace, 1)).data[0]!;
    await put(OTHER, { enabled: false });
    await environment.receive(environment.simulator.dispute(await environment.providerIdOf(id)));
    expect(await put(OTHER)).toEqual(notAgreed('enabled'));
    expect(await put(OTHER, { enabled: false })).toBe('done');
    expect(await put(OTHER)).toEqual(notAgreed('enabled'));
    expect(await put(OWNER)).toBe('done');
    expect(await put(OTHER)).toBe('done');
  });

  it('decisions 28: the saved card of an owner who leaves is deleted, and is not charged between two tries', async () => {
    await put(OWNER);
    await empty();
    environment.simulator.declineCharges(1);
    await environment.look();
    expect(await automatic()).toMatchObject([{ status: 'pending' }]);
    expect(await deleteAuthorisationOf(OTHER)).toEqual({ deleted: false });
    expect(await deleteAuthorisationOf(OWNER)).toEqual({ deleted: true });
    expect(await settings()).toMatchObject({
      ...{ enabled: false, authorisation: null, disabled_reason: 'owner_left' },
    });
    expect(await automatic()).toMatchObject([{ status: 'failed', failure: 'switched_off' }]);
    expect(await put(OTHER)).toEqual({ type: 'conflict', field: 'enabled' });
    environment.clock.advance(2 * DAY_MS);
    await environment.look();
    expect(environment.simulator.charges()).toBe(0);
    expect(await deleteAuthorisationOf(OWNER)).toEqual({ deleted: false });
  });

  it('decisions 28: a payment that a person began as an owner saves no card after they left', async () => {
    const { url } = await environment.checkout(workspace, { save_authorisation: true });
    const theirs = await environment.checkout(workspace, {
      save_authorisation: true,
      user_id: OTHER,
    });
    await deleteAuthorisationOf(OWNER);
    await environment.receive(environment.simulator.pay(url));
    expect(await settings()).toMatchObject({ authorisation: null });
    await environment.receive(environment.simulator.pay(theirs.url));
    expect(await settings()).toMatchObject({ authorisation: { saved_by: OTHER } });
  });

  it('any owner may delete the saved card, which turns automatic top-up off', async () => {
    await put(OWNER);
    await empty();
    const remove = () => environment.serve(routes.deleteAuthorisation, { workspace_id: workspace });
    expect(await remove()).toEqual({ effect: { deleted: true } });
    expect(await remove()).toEqual({ effect: { deleted: false } });
    expect(await settings()).toMatchObject({
      ...{ enabled: false, authorisation: null, disabled_reason: 'authorisation_deleted' },
    });
    await environment.look();
    expect(await automatic()).toEqual([]);
  });

  it('decisions 28: a saved card is not charged while the workspace is suspended, nor for more than is set now', async () => {
    await put(OWNER);
    await empty();
    const suspend = (suspended: boolean) =>
      environment.calls.setSuspended({ workspace_id: workspace, suspended });
    await suspend(true);
    await environment.look();
    expect(await automatic()).toEqual([]);
    await suspend(false);
    environment.simulator.declineCharges(1);
    await environment.look();
    expect(await automatic()).toMatchObject([{ status: 'pending', credits: 1_000 }]);
    await put(OTHER, { credits: 100 });
    environment.clock.advance(15 * MINUTE_MS);
    await environment.look();
    expect(environment.simulator.charges()).toBe(0);
    await environment.look();
    expect(await automatic()).toMatchObject([
      { status: 'paid', credits: 100 },
      { status: 'failed', failure: 'switched_off' },
    ]);
    await suspend(true);
    await empty();
    await environment.look();
    expect(environment.simulator.charges()).toBe(1);
  });
});

describe('pending payments', () => {
  it('a workspace has at most five pending payments, also when six are made at once', async () => {
    const made = await Promise.all(
      Array.from({ length: 6 }, () => environment.create(workspace, { provider: 'manual' })),
    );
    expect(made.map(({ verdict }) => verdict).toSorted()).toEqual([
      ...Array.from({ length: 5 }, () => 'created'),
      'too_many_pending',
    ]);
    expect(await environment.create(await environment.wallet())).toMatchObject({
      verdict: 'created',
    });
    environment.clock.advance(7 * DAY_MS);
    await environment.look();
    const [payment] = made.flatMap((one) => ('payment' in one ? [one.payment] : []));
    expect(await environment.payment(workspace, payment!.payment_id)).toMatchObject({
      status: 'expired',
    });
    expect(await environment.create(workspace)).toMatchObject({ verdict: 'created' });
    const late = await environment.confirm(payment!.payment_id);
    expect(late).toMatchObject({ status: 'paid' });
  });
});
