/** Interface 1 item 9, decisions 11, 23 and 25: the agent endpoint. */
import { section } from '../rule.ts';

const gateway = 'apps/gateway/test/agents';
const http = 'apps/gateway/test/agent-http';

export const agentRules = [
  section('Decisions 11, 23 and 25: the agent endpoint', [
    ['1 item 9 tools', 'six tools, and none for payments', '@agents'],
    [
      'decisions 11 structuredContent',
      'is the REST success body, with the same JSON as text',
      '@agents',
    ],
    ['decisions 11 failures', 'are isError with the REST error envelope', '@agents'],
    [
      'decisions 11 schemas',
      'of inputs and outputs are published; get tools are read-only',
      '@agents',
    ],
    [
      'decisions 23 versions',
      'are the current one and the two before it, without sessions',
      `${gateway}: lists six tools with schemas of both sides; those that read say so`,
      `${http}: of a version that is too old is answered with one that is spoken`,
    ],
    ['decisions 23 dry_run', 'answers what the send would cost and does nothing', '@agents'],
    ['decisions 25 bad arguments', 'are isError', '@agents'],
    ['decisions 25 limits', 'answer 200 with isError and retry_after_seconds', '@agents'],
    [
      'decisions 25 budget',
      'is reserved with the acceptance, so 100 parallel calls never exceed it; test keys count apart',
      'tests/api/agents: is never exceeded by 100 parallel calls, and a dry run knows it',
      'tests/api/agents: counts in test mode what live would have cost, and debits nothing',
    ],
    ['decisions 25 empty wallet', 'is sms_quota_exceeded on send_sms', '@agents'],
    ['decisions 25 idempotency_key', 'belongs to the tool and not to the request', '@agents'],
    ['decisions 25 Origin', 'a foreign one is 403', '@agents'],
    ['decisions 25 methods', 'GET and DELETE are 405', '@agents'],
  ]),
];
