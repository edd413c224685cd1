/**
 * What moved in after the rebuild of the house (its last commit before is d1ba9c4), by the start of a path.
 * All other files are areas that the first house had. Files that serve old and new alike (settings,
 * error texts, `message.store.ts`) are there, with the lines that they gained. Read by `npm run count`.
 */
const lines = (text) => text.trim().split(/\s+/);

export const MOVED_IN = {
  email: lines(`
    apps/carrier-sim/src/dns/ apps/carrier-sim/src/mail/ apps/carrier-sim/src/ses/
    apps/dispatch/src/channels/email/ apps/dispatch/src/emails/ apps/dispatch/src/migrations/email
    apps/dispatch/src/registrations/domains/ apps/dispatch/src/registrations/suppressions/
    apps/gateway/src/first-run/demo-domain apps/gateway/src/messages/email/
    apps/gateway/src/messages/quotes/quote-email apps/gateway/src/registrations/domain
    apps/gateway/src/registrations/link-hosts apps/gateway/src/registrations/simulator-domain
    apps/gateway/src/registrations/suppressions apps/gateway/src/routes/domains/
    apps/gateway/src/routes/emails/ apps/gateway/src/routes/links/link
    apps/gateway/src/routes/links/unsubscribe apps/gateway/src/routes/suppressions/
    libs/carriers/src/email libs/carriers/src/ses/ libs/carriers/src/smtp/
    libs/config/src/settings/email libs/contracts/src/events/email
    libs/contracts/src/http/domain libs/contracts/src/http/email
    libs/contracts/src/http/suppression libs/contracts/src/records/email
    libs/contracts/src/rpc/domain libs/contracts/src/rpc/email libs/contracts/src/rpc/suppression
    libs/email/ tools/show-email tools/smtp-documents`),
  'variant B of SMS': lines(`
    apps/billing/src/acceptances/batch apps/billing/src/acceptances/accept-batch
    apps/billing/src/migrations/batches
    apps/carrier-sim/src/control/inbound apps/carrier-sim/src/dnd/
    apps/dispatch/src/migrations/do-not-disturb apps/dispatch/src/migrations/enforced-countries
    apps/dispatch/src/migrations/scheduled apps/dispatch/src/migrations/sender
    apps/dispatch/src/migrations/shared-sender apps/dispatch/src/migrations/templates
    apps/dispatch/src/registrations/ apps/dispatch/src/scheduling/
    apps/gateway/src/messages/accept-batch apps/gateway/src/messages/batch-answer
    apps/gateway/src/messages/sms/batch apps/gateway/src/messages/sms/cancel
    apps/gateway/src/messages/sms/send-at apps/gateway/src/messages/sms/send-batch
    apps/gateway/src/messages/sms/template apps/gateway/src/registrations/
    apps/gateway/src/routes/operator/operator-registrations apps/gateway/src/routes/senders/
    apps/gateway/src/routes/sms/messaging apps/gateway/src/routes/templates/
    apps/gateway/src/routes/webhooks/webhooks apps/gateway/src/webhooks/webhooks.handler
    apps/webhooks/src/deliveries/recovery apps/webhooks/src/deliveries/replay
    apps/webhooks/src/endpoints/keyed apps/webhooks/src/endpoints/webhook.rpc
    apps/webhooks/src/migrations/variant-b apps/webhooks/src/payloads/channels/
    libs/config/src/settings/do-not-disturb libs/contracts/src/events/inbound
    libs/contracts/src/events/registration libs/contracts/src/http/dnd
    libs/contracts/src/http/messaging libs/contracts/src/http/sender-id
    libs/contracts/src/http/sms-template libs/contracts/src/http/webhook
    libs/contracts/src/rpc/destination libs/contracts/src/rpc/sender
    libs/contracts/src/rpc/template libs/telephony/src/opt-out libs/telephony/src/sender-id
    libs/telephony/src/sms-template tools/show-`),
  payments: lines(`
    apps/billing/src/migrations/held-top-ups apps/billing/src/migrations/payments
    apps/billing/src/payments/ apps/gateway/src/billing/payments
    apps/gateway/src/routes/callbacks/payment apps/gateway/src/routes/console/console-payments
    apps/gateway/src/routes/operator/operator-payments libs/config/src/settings/payment
    libs/contracts/src/http/payment libs/contracts/src/rpc/payment`),
  'sign-up, confirmation, account emails': lines(`
    apps/gateway/src/accounts/people/account-emails apps/gateway/src/accounts/people/confirm
    apps/gateway/src/accounts/people/device apps/gateway/src/accounts/people/email
    apps/gateway/src/accounts/people/password-reset apps/gateway/src/accounts/people/password.policy
    apps/gateway/src/accounts/people/passwords apps/gateway/src/accounts/people/sign-up
    apps/gateway/src/accounts/workspaces/announce apps/gateway/src/accounts/workspaces/confirm
    apps/gateway/src/limits/sign-up apps/gateway/src/limits/trial
    apps/gateway/src/messages/account-emails/ apps/gateway/src/migrations/account-emails
    apps/gateway/src/migrations/emailed apps/gateway/src/routes/links/account
    apps/gateway/src/routes/operator/operator-accounts
    apps/gateway/src/routes/operator/operator-platform-email
    libs/config/src/settings/sign-up libs/config/src/sign-up
    libs/contracts/src/commands/send-platform-email`),
  agents: lines(`
    apps/billing/src/acceptances/key-spending apps/gateway/src/messages/budget
    apps/gateway/src/migrations/agent-keys apps/gateway/src/routes/mcp/
    libs/contracts/src/http/agent tools/inspect-mcp`),
  'suspensions, carrier choices, search': lines(`
    apps/dispatch/src/messages/list-walk apps/dispatch/src/messages/message-search
    apps/dispatch/src/migrations/carrier-choices apps/dispatch/src/migrations/message-search
    apps/dispatch/src/migrations/suspensions apps/dispatch/src/steering/
    apps/dispatch/src/suspensions/ apps/gateway/src/messages/operator-message
    apps/gateway/src/messages/search apps/gateway/src/routes/operator/operator-carriers
    apps/gateway/src/routes/operator/operator-messages libs/contracts/src/rpc/carrier`),
  'operation: chart, alarms, back-up, upgrade': lines(`
    apps/all-in-one/src/operator/ libs/host/src/database/secret-fingerprints
    libs/postgres/src/backup/ libs/postgres/src/embedded/restore libs/postgres/src/oldest-program
    tools/bundle tools/chart-settings tools/dashboards tools/deployment-settings
    tools/grafana-types tools/helm tools/image/ tools/test-helm tools/test-image tools/tool-cache`),
  'retention and partitions': lines(`
    apps/dispatch/src/migrations/content-retention apps/dispatch/src/migrations/partitioned
    apps/dispatch/src/retention/ apps/webhooks/src/deliveries/delivery-partitions
    apps/webhooks/src/deliveries/drop-delivery apps/webhooks/src/deliveries/make-delivery
    apps/webhooks/src/migrations/partitioned libs/config/src/settings/retention
    libs/postgres/src/partitions`),
};
