import type { OperatorAuditEntry } from '@watchword/contracts';
import { badge, element, moment } from './element.js';
import { list, type View } from './view.js';

export const audit: View = {
  name: 'audit',
  title: 'Audit',
  async show(stage) {
    const records = await list<OperatorAuditEntry>(stage, {
      path: ['audit'],
      query: { workspace_id: stage.query.get('workspace_id') ?? undefined },
      columns: [
        { title: 'Time (UTC)', of: ({ created_at: at }) => moment(at) },
        { title: 'User', of: ({ actor }) => actor.email ?? 'operator token' },
        { title: 'Role', of: ({ actor }) => actor.type },
        { title: 'Call', of: ({ method, path }) => element('code', {}, `${method} ${path}`) },
        { title: 'Status', of: ({ status }) => statusBadge(status) },
        { title: 'Effect', of: ({ effect }) => element('code', {}, effectText(effect)) },
        { title: 'Address', of: ({ client_ip: address }) => address ?? '' },
      ],
      none: 'Nothing is recorded.',
    });
    stage.into.append(records);
  },
};

function statusBadge(status: number | null): HTMLElement {
  return badge(status === null ? 'no outcome' : String(status), status !== null && status >= 400);
}

function effectText(effect: object | null): string {
  return effect === null ? '' : JSON.stringify(effect);
}
