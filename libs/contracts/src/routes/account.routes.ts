import { EventsQuery } from '../http/events.schema.js';
import { OpenApiQuery } from '../http/openapi.schema.js';
import { LedgerQuery } from '../http/operator.schema.js';
import { PublicPriceList } from '../http/pricing.schema.js';
import { QuoteBody } from '../http/quote-body.schema.js';
import { QuoteAnswer } from '../http/quote.schema.js';
import { Balance, EventsPage, Readiness, Status } from '../openapi/answer.schema.js';
import { LedgerEntry } from '../rpc/billing-calls.js';
import { BODY_BOUNDS } from './body-bounds.js';
import { EXAMPLE_NUMBER } from './examples.js';
import { routesOf } from './route.js';
import { pageOf } from '../shapes.js';

const LIMITS = { errorType: 'rate_limit_exceeded' } as const;

export const accountRoutes = routesOf(
  { tag: 'Money', guard: 'key', limits: LIMITS },
  {
    listPrices: {
      at: 'GET /v1/pricing',
      summary: 'Retrieve the price list',
      description: 'Credits per segment for every country and network, cheapest first.',
      answer: PublicPriceList,
      cached: true,
      guard: 'optional-key',
      limits: { errorType: 'rate_limited' },
    },
    getBalance: {
      at: 'GET /v1/balance',
      owner: 'billing',
      summary: 'Retrieve the balance',
      description: 'One wallet for both modes of a workspace.',
      answer: Balance,
      errors: ['not_found'],
    },
    createQuote: {
      at: 'POST /v1/quote',
      bodyBounds: BODY_BOUNDS.email,
      summary: 'Create a quote',
      description:
        'Counts and charges nothing; `quote_id` fixes the price of one send for a minute. A gate that ' +
        'refuses without a `type` is that of anti-spam: such a send is accepted, blocked and refunded.',
      body: QuoteBody,
      answer: QuoteAnswer,
      idempotent: true,
      errors: ['phone_invalid', 'conflict', 'idempotency_conflict'],
      example: { kind: 'sms', phone_number: EXAMPLE_NUMBER, message: 'Your order has shipped.' },
    },
    listLedgerEntries: {
      at: 'GET /v1/ledger',
      summary: 'List ledger entries',
      description: 'Newest first. `Accept: text/csv` streams the whole ledger from `cursor` on.',
      query: LedgerQuery,
      answer: pageOf(LedgerEntry),
      alsoAs: 'text/csv',
    },
  },
);

export const eventRoutes = routesOf(
  { tag: 'Events', guard: 'key', limits: LIMITS },
  {
    listEvents: {
      at: 'GET /v1/events',
      owner: 'webhooks',
      summary: 'List events',
      description: 'Oldest first, in the envelope of the webhook deliveries, for 30 days.',
      query: EventsQuery,
      answer: EventsPage,
    },
  },
);

export const healthRoutes = routesOf(
  { tag: 'Health', guard: 'none', limits: LIMITS },
  {
    getHealth: {
      at: 'GET /health',
      summary: 'Check that the process is alive',
      description: 'Asks no dependency.',
      answer: Status,
    },
    getReadiness: {
      at: 'GET /ready',
      summary: 'Check that the process can work',
      description:
        'Answers 503 while the database is unavailable. Each gateway counts the calls of an address ' +
        'against `ip_unauthenticated_per_minute`.',
      guard: 'readiness',
      answer: Readiness,
      unavailableAnswer: Readiness,
    },
    getHome: {
      at: 'GET /',
      summary: 'Read the first page',
      undocumented: true,
    },
    getOpenApi: {
      at: 'GET /openapi.json',
      summary: 'Retrieve the document of the routes for API keys',
      query: OpenApiQuery,
      cached: true,
      guard: 'document',
      undocumented: true,
    },
    getDashboardOpenApi: {
      at: 'GET /openapi/dashboard.json',
      summary: 'Retrieve the document of accounts and the dashboard',
      query: OpenApiQuery,
      cached: true,
      guard: 'document',
      undocumented: true,
    },
    getOperatorOpenApi: {
      at: 'GET /openapi/operator.json',
      summary: 'Retrieve the document of the operator API',
      query: OpenApiQuery,
      cached: true,
      guard: 'document',
      undocumented: true,
    },
    getWebPage: {
      at: 'GET /app',
      summary: 'Read the pages of customers and operators',
      guard: 'document',
      // Links from mails and chats bring parameters of their own.
      anyQuery: true,
      undocumented: true,
    },
    getWebFile: {
      at: 'GET /app/:file',
      summary: 'Read a script or style of these pages',
      undocumented: true,
    },
    getOperatorPage: {
      at: 'GET /console',
      summary: "Go to the operators' pages",
      undocumented: true,
    },
    getDocs: {
      at: 'GET /docs',
      summary: 'Read the first page of the documentation',
      guard: 'document',
      undocumented: true,
    },
    getDocsPage: {
      at: 'GET /docs/:file',
      summary: 'Read a page of the documentation',
      undocumented: true,
    },
    getDocsFile: {
      at: 'GET /docs/:section/:file',
      summary: 'Read a page, a script or a style of a section',
      undocumented: true,
    },
  },
);

const CALLBACK_BYTES_MAX = 64 * 1024;

export const callbackRoutes = routesOf(
  { tag: 'Callbacks', guard: 'callback', limits: LIMITS },
  {
    receiveCallback: {
      at: 'POST /callbacks/:account/:secret',
      summary: "Receive a carrier's delivery report",
      rawBodyBytesMax: CALLBACK_BYTES_MAX,
      anyQuery: true,
      undocumented: true,
    },
    receiveQueryCallback: {
      at: 'GET /callbacks/:account/:secret',
      summary: "Receive a carrier's delivery report in a query",
      anyQuery: true,
      undocumented: true,
    },
  },
);
