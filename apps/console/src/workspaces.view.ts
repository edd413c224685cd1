import type { LedgerEntry, Workspace } from '@watchword/contracts';
import { call, operatorPath } from './api.js';
import { badge, button, element, facts, form, moment } from './element.js';
import { askReason, list, type Stage, type View } from './view.js';

export const workspaces: View = {
  name: 'workspaces',
  title: 'Workspaces',
  async show(stage) {
    const opened = stage.query.get('workspace_id');
    const all = await list<Workspace>(stage, {
      path: ['workspaces'],
      columns: [
        { title: 'Name', of: ({ name }) => name },
        { title: 'Country', of: ({ billing_country: country }) => country },
        { title: 'Balance', of: ({ balance }) => balance.toLocaleString('en') },
        { title: 'Bought', of: ({ purchased_credits: bought }) => bought.toLocaleString('en') },
        { title: 'Since (UTC)', of: ({ created_at: at }) => moment(at) },
        {
          title: 'State',
          of: ({ suspended }) => badge(suspended ? 'suspended' : 'open', !!suspended),
        },
        { title: 'Workspace', of: ({ workspace_id: id }) => element('code', {}, id) },
      ],
      none: 'There is no workspace yet.',
      onOpen: ({ workspace_id: id }) => stage.go('workspaces', { workspace_id: id }),
    });
    stage.into.append(opened === null ? '' : await details(opened, stage), all);
  },
};

async function details(id: string, stage: Stage): Promise<HTMLElement> {
  const workspace = await call<Workspace>('GET', operatorPath(['workspaces', id]));
  const entries = await list<LedgerEntry>(stage, {
    path: ['workspaces', id, 'ledger'],
    columns: [
      { title: 'Time (UTC)', of: ({ created_at: at }) => moment(at) },
      { title: 'Kind', of: ({ kind }) => kind },
      { title: 'Credits', of: ({ credits }) => credits.toLocaleString('en') },
      { title: 'Balance after', of: ({ balance_after: after }) => after.toLocaleString('en') },
      { title: 'Message', of: ({ message_id: message }) => element('code', {}, message ?? '') },
      { title: 'Note', of: ({ note }) => note ?? '' },
    ],
    none: 'The ledger is empty.',
  });
  const href = new URLSearchParams({ workspace_id: id }).toString();
  return element(
    'section',
    {},
    element('h2', {}, workspace.name),
    suspension(workspace, stage),
    element('a', { href: `#messages?${href}` }, 'Messages'),
    element('a', { href: `#audit?${href}` }, 'Audit'),
    element('h3', {}, 'Credit it'),
    topUp(workspace, stage),
    element('h3', {}, 'Ledger'),
    entries,
    element('h3', {}, 'Record'),
    facts(workspace),
  );
}

function suspension(workspace: Workspace, stage: Stage): HTMLElement {
  const { workspace_id: id, name, suspended = false } = workspace;
  const word = suspended ? 'Lift the suspension' : 'Suspend';
  return button(word, () => {
    const reason = askReason(`${word}: ${name}?`);
    if (reason === null) return;
    void stage.run(async () => {
      const change = { suspended: !suspended, reason };
      await call('PATCH', operatorPath(['workspaces', id]), change);
      stage.say(`${name} is ${suspended ? 'open again' : 'suspended'}.`);
      stage.again();
    });
  });
}

/** Credits are entered once for each opened form, also when the button is pressed again after an error. */
function topUp({ workspace_id: id, name }: Workspace, stage: Stage) {
  const key = { 'idempotency-key': crypto.randomUUID() };
  const fields = [
    { name: 'credits', label: 'Credits', type: 'number' as const, isRequired: true },
    { name: 'kind', label: 'Kind', choices: ['bonus', 'purchase', 'trial', 'adjustment'] },
    { name: 'note', label: 'Note' },
  ];
  return form(fields, 'Enter', ({ credits, ...rest }) =>
    stage.run(async () => {
      const body = { credits: Number(credits), ...rest };
      await call('POST', operatorPath(['workspaces', id, 'top-ups']), body, key);
      stage.say(`${credits} credits are entered for ${name}.`);
      stage.again();
    }),
  );
}
