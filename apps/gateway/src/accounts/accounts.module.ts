import { Module, type Provider } from '@nestjs/common';
import { CallsModule } from '../calls/calls.module.js';
import { AuditStore } from './audit/audit.store.js';
import { ApiKeyStore } from './keys/api-key.store.js';
import { ApiKeysHandler } from './keys/api-keys.handler.js';
import { BatchedKeyDirectory } from './keys/batched-key-directory.adapter.js';
import { SettingsVersion } from './settings-version.js';
import { ProtectedSenderIds } from './sender-ids/protected-sender-ids.js';
import { ProtectedSenderIdStore } from './sender-ids/protected-sender-ids.store.js';
import { ConfirmWorkspaceHandler } from './workspaces/confirm-workspace.handler.js';
import { CreateWorkspaceHandler } from './workspaces/create-workspace.handler.js';
import { WorkspaceRecords } from './workspaces/workspace-records.handler.js';
import { WorkspaceStore } from './workspaces/workspace.store.js';

const providers: Provider[] = [
  WorkspaceStore,
  WorkspaceRecords,
  CreateWorkspaceHandler,
  ConfirmWorkspaceHandler,
  ApiKeyStore,
  ApiKeysHandler,
  BatchedKeyDirectory,
  SettingsVersion,
  ProtectedSenderIdStore,
  ProtectedSenderIds,
  AuditStore,
];

/** Workspaces with their settings and keys, and the audit log. */
@Module({ imports: [CallsModule], providers, exports: providers })
export class AccountsModule {}
