import type { AuditRecord } from './audit.store.js';

/** Returns an audit row for members. A workspace does not see an operator's address. */
export function auditAnswer(record: AuditRecord) {
  const { userId, email } = record;
  const isUser = record.actor === 'user';
  return {
    id: record.id,
    actor: isUser ? { type: 'user', user_id: userId, email } : { type: 'operator' },
    method: record.method,
    path: record.path,
    status: record.status,
    effect: record.effect,
    client_ip: isUser ? record.clientIp : null,
    request_id: record.requestId,
    created_at: record.startedAt.toISOString(),
  };
}

export function operatorAuditAnswer(record: AuditRecord) {
  const { actor, userId, email, workspaceId, clientIp } = record;
  return {
    ...auditAnswer(record),
    actor: { type: actor, user_id: userId, email },
    workspace_id: workspaceId,
    client_ip: clientIp,
  };
}
