# Written by `npm run docs` from the OpenAPI document. Do not edit.
"""What the API takes and returns."""
from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Dict, List, Optional, Union

from ._codec import UNSET, Literal, Unset


@dataclass(frozen=True)
class SendOtpRequest:
    phone_number: str
    """Destination in E.164."""
    code_length: Optional[int] = None
    """Digits of the code."""
    ttl_seconds: Optional[int] = None
    """Seconds that the code is good for."""
    language: Optional[Literal["en", "fr"]] = None
    """Language of the text."""
    metadata: Optional[Dict[str, Any]] = None
    """The caller's own data. Numbers are doubles: put longer ones into a text."""
    quote_id: Optional[str] = None
    """Id of a quote that fixes the price."""


@dataclass(frozen=True)
class SentOtp:
    id: str
    """Id of the record."""
    phone_number: str
    """Destination in E.164."""
    country_code: str
    """ISO 3166-1 alpha-2 code of the destination."""
    credit_cost: int
    """Credits that the message costs."""
    status: Literal["pending"]
    """State of the record."""
    code_length: int
    """Digits of the code."""
    expires_at: datetime
    """When it ends."""
    created_at: datetime
    """When it was created."""


@dataclass(frozen=True)
class VerifyOtpRequest:
    otp_id: str
    """Id of the one-time password."""
    code: str
    """The code as the person typed it."""


@dataclass(frozen=True)
class OtpVerification:
    valid: bool
    """Whether the code is right."""
    status: Literal["pending", "sent", "verified", "failed"]
    """State of the record."""
    attempts_used: int
    """Guesses so far."""
    attempts_remaining: Optional[int] = None
    """Guesses that are left; only while `valid` is false."""


@dataclass(frozen=True)
class OtpPage:
    data: List[Otp]
    """The records."""
    next_cursor: Optional[str] = None
    """`cursor` of the next page; left out on the last one."""


@dataclass(frozen=True)
class Otp:
    id: str
    """Id of the record."""
    workspace_id: str
    """Id of the workspace."""
    phone_number: str
    """Destination in E.164."""
    country_code: str
    """ISO 3166-1 alpha-2 code of the destination."""
    credit_cost: int
    """Credits that the message costs."""
    status: Literal["pending", "sent", "delivered", "verified", "expired", "failed"]
    """State of the record."""
    code_length: int
    """Digits of the code."""
    ttl_seconds: int
    """Seconds that the code is good for."""
    attempt_count: int
    """Attempts so far."""
    max_attempts: int
    """Guesses that are allowed."""
    language: Literal["en", "fr"]
    """Language of the text."""
    test_mode: bool
    """Whether it was made with a test key."""
    expires_at: datetime
    """When it ends."""
    created_at: datetime
    """When it was created."""
    updated_at: datetime
    """When it last changed."""
    sent_at: Optional[datetime]
    """When a provider accepted the message; null until then."""
    delivered_at: Optional[datetime]
    """When the carrier reported the delivery; null until then."""
    verified_at: Optional[datetime]
    """When the right code came; null until then."""
    failed_at: Optional[datetime]
    """When the message failed; null unless it failed."""
    metadata: Dict[str, Any]
    """The caller's own data. Numbers are doubles: put longer ones into a text."""
    timeline: List[TimelineHop]
    """States of the message, oldest first."""
    provider_attempts: List[ProviderAttempt]
    """Hand-overs to providers, oldest first."""
    reason: Optional[str] = None
    """Why the message failed, as a stable token."""
    refunded: Optional[bool] = None
    """Whether the credits were given back."""
    resends: Optional[List[Resend]] = None
    """Resends of the code that were charged. Absent where there are none."""


@dataclass(frozen=True)
class ResentOtp:
    id: str
    """Id of the record."""
    phone_number: str
    """Destination in E.164."""
    country_code: str
    """ISO 3166-1 alpha-2 code of the destination."""
    credit_cost: int
    """Credits that the message costs."""
    status: Literal["pending"]
    """State of the record."""
    code_length: int
    """Digits of the code."""
    expires_at: datetime
    """When it ends."""
    created_at: datetime
    """When it was created."""
    resend_id: str
    """The `message_id` of the charge in the ledger."""
    resends_remaining: int
    """Resends that are left."""


@dataclass(frozen=True)
class SendTransactionalSmsRequest:
    phone_number: str
    """Destination in E.164."""
    message: str
    """The text of the message."""
    sender_id: Optional[str] = None
    """The sender ID."""
    category: Optional[Literal["transactional", "promotional"]] = None
    """What the message is for. A promotional one keeps the quiet hours of its country, where the workspace has set `quiet_hours`."""
    metadata: Optional[Dict[str, Any]] = None
    """The caller's own data. Numbers are doubles: put longer ones into a text."""
    quote_id: Optional[str] = None
    """Id of a quote that fixes the price."""


@dataclass(frozen=True)
class SentSms:
    id: str
    """Id of the record."""
    phone_number: str
    """Destination in E.164."""
    country_code: str
    """ISO 3166-1 alpha-2 code of the destination."""
    credit_cost: int
    """Credits that the message costs."""
    segments: int
    """SMS segments of the text."""
    encoding: Literal["GSM-7", "UCS-2"]
    """Alphabet of the text: `GSM-7` or `UCS-2`."""
    rewritten: bool
    """Whether the text was changed to fit GSM-7."""
    status: Literal["pending"]
    """State of the record."""
    created_at: datetime
    """When it was created."""


@dataclass(frozen=True)
class SmsDetailsPage:
    data: List[SmsDetails]
    """The records."""
    next_cursor: Optional[str] = None
    """`cursor` of the next page; left out on the last one."""


@dataclass(frozen=True)
class SmsDetails:
    id: str
    """Id of the record."""
    project_id: str
    """Id of the workspace, in the words of variant B."""
    status: Literal["pending", "sent", "delivered", "failed", "blocked", "scheduled", "queued", "rejected", "cancelled"]
    """State of the record."""
    to: str
    """Destination in E.164."""
    from_: Optional[str]
    """Sender ID."""
    body: Optional[str]
    """The text."""
    segments: int
    """SMS segments of the text."""
    encoding: Literal["GSM-7", "UCS-2"]
    """Alphabet of the text: `GSM-7` or `UCS-2`."""
    rewritten: bool
    """Whether the text was changed to fit GSM-7."""
    country: str
    """ISO 3166-1 alpha-2 code of the country."""
    carrier: Optional[str]
    """Network of the destination, as a token; null while it is unknown."""
    provider: Optional[str]
    """The provider that took the message; null until then. In test mode that of the last attempt."""
    provider_message_id: Optional[str]
    """Id that the provider gave the message."""
    provider_attempts: List[SmsDetailsProviderAttempt]
    """Hand-overs to providers, oldest first."""
    cost: Cost
    """Price of the message at its acceptance."""
    error_code: Optional[str]
    """Why the message failed, as a code; null unless it failed."""
    error_message: Optional[str]
    """Why the message failed, in words."""
    metadata: Dict[str, Any]
    """The caller's own data. Numbers are doubles: put longer ones into a text."""
    test_mode: bool
    """Whether it was made with a test key."""
    send_at: Optional[datetime]
    """When to send; null for at once."""
    created_at: datetime
    """When it was created."""
    sent_at: Optional[datetime]
    """When a provider accepted the message; null until then."""
    delivered_at: Optional[datetime]
    """When the carrier reported the delivery; null until then."""
    workspace_id: str
    """Id of the workspace."""
    phone_number: str
    """Destination in E.164."""
    country_code: str
    """ISO 3166-1 alpha-2 code of the destination."""
    message: Optional[str]
    """The text of the message."""
    sender_id: Optional[str]
    """The sender ID."""
    credit_cost: int
    """Credits that the message costs."""
    timeline: List[TimelineHop]
    """States of the message, oldest first."""
    content_expired: Optional[bool] = None
    """True once the texts are no longer kept."""
    original_body: Optional[str] = None
    """The text of the request, if rewriting changed it."""
    category: Optional[Literal["promotional"]] = None
    """What the message is for."""
    reason: Optional[str] = None
    """Why the message failed, as a stable token."""
    refunded: Optional[bool] = None
    """Whether the credits were given back."""
    antispam: Optional[Dict[str, Any]] = None
    """Findings of the spam check."""


@dataclass(frozen=True)
class SendMessageRequest:
    to: str
    """Destination in E.164: a plus sign, then 8 to 15 digits."""
    from_: str
    """Sender ID: 1 to 11 letters, digits, spaces or . & _ -, at least one letter, no space at either end."""
    body: Optional[str] = None
    """The text. Give this or `template`."""
    template: Optional[str] = None
    """Slug or id of an SMS template. Give this or `body`."""
    variables: Optional[Dict[str, Union[str, float, bool]]] = None
    """Placeholders of the text."""
    category: Optional[Literal["transactional", "promotional"]] = None
    """What the message is for. A promotional one keeps the quiet hours of its country, where the workspace has set `quiet_hours`."""
    send_at: Optional[Union[datetime, str]] = None
    """When to send: RFC 3339 with an offset, at most 30 days ahead."""
    metadata: Optional[Dict[str, Any]] = None
    """The caller's own data. Numbers are doubles: put longer ones into a text."""
    quote_id: Optional[str] = None
    """Id of a quote that fixes the price."""


@dataclass(frozen=True)
class SmsMessage:
    id: str
    """Id of the record."""
    project_id: str
    """Id of the workspace, in the words of variant B."""
    status: Literal["pending", "sent", "delivered", "failed", "blocked", "scheduled", "queued", "rejected", "cancelled"]
    """State of the record."""
    to: str
    """Destination in E.164."""
    from_: Optional[str]
    """Sender ID."""
    body: Optional[str]
    """The text."""
    segments: int
    """SMS segments of the text."""
    encoding: Literal["GSM-7", "UCS-2"]
    """Alphabet of the text: `GSM-7` or `UCS-2`."""
    rewritten: bool
    """Whether the text was changed to fit GSM-7."""
    country: str
    """ISO 3166-1 alpha-2 code of the country."""
    carrier: Optional[str]
    """Network of the destination, as a token; null while it is unknown."""
    provider: Optional[str]
    """The provider that took the message; null until then. In test mode that of the last attempt."""
    provider_message_id: Optional[str]
    """Id that the provider gave the message."""
    provider_attempts: List[SmsDetailsProviderAttempt]
    """Hand-overs to providers, oldest first."""
    cost: Cost
    """Price of the message at its acceptance."""
    error_code: Optional[str]
    """Why the message failed, as a code; null unless it failed."""
    error_message: Optional[str]
    """Why the message failed, in words."""
    metadata: Dict[str, Any]
    """The caller's own data. Numbers are doubles: put longer ones into a text."""
    test_mode: bool
    """Whether it was made with a test key."""
    send_at: Optional[datetime]
    """When to send; null for at once."""
    created_at: datetime
    """When it was created."""
    sent_at: Optional[datetime]
    """When a provider accepted the message; null until then."""
    delivered_at: Optional[datetime]
    """When the carrier reported the delivery; null until then."""


@dataclass(frozen=True)
class SendMessageBatchRequest:
    messages: List[SmsBatchItem]
    """The messages, each with `to` and a text of its own or the shared template."""
    from_: Optional[str] = None
    """Sender ID: 1 to 11 letters, digits, spaces or . & _ -, at least one letter, no space at either end."""
    template: Optional[str] = None
    """Slug or id of an SMS template. Give this or `body`."""
    send_at: Optional[Union[datetime, str]] = None
    """When to send: RFC 3339 with an offset, at most 30 days ahead."""


@dataclass(frozen=True)
class SmsBatch:
    accepted: int
    """How many items were accepted."""
    failed: int
    """How many items were refused."""
    data: List[SmsBatchData]
    """The records."""


@dataclass(frozen=True)
class RequestSenderIdRequest:
    sender_id: str
    """The name: 1 to 11 letters, digits, spaces or . & _ -, at least one letter, no space at either end."""
    countries: List[str]
    """Countries to register it in, as ISO 3166-1 alpha-2 codes."""
    registered_entity: str
    """Legal name of the company that owns the name."""
    use_case: str
    """What the messages are for."""
    sample_message: str
    """A typical message."""
    registration_doc_url: Union[Optional[str], Unset] = UNSET
    """Registration document."""
    notes: Union[Optional[str], Unset] = UNSET
    """What the reviewer should know."""


@dataclass(frozen=True)
class RegisteredSenderId:
    id: str
    """Id of the record."""
    project_id: str
    """Id of the workspace, in the words of variant B."""
    sender_id: str
    """The sender ID."""
    status: Literal["pending", "approved", "active", "suspended", "rejected"]
    """State of the record."""
    countries: List[str]
    """Countries, by ISO 3166-1 alpha-2 code."""
    reviews: List[Review]
    """Decisions, one for each country."""
    registered_entity: str
    """Legal name of the company that owns the name."""
    registration_doc_url: Optional[str]
    """Registration document."""
    use_case: str
    """What the messages are for."""
    sample_message: str
    """A typical message."""
    notes: Optional[str]
    """What the reviewer should know."""
    rejection_reason: Optional[str]
    """Why it was rejected; null unless it was."""
    created_at: datetime
    """When it was created."""
    updated_at: datetime
    """When it last changed."""


@dataclass(frozen=True)
class SenderIdList:
    data: List[RegisteredSenderId]
    """The records."""


@dataclass(frozen=True)
class UpdateSenderIdRequest:
    countries: Optional[List[str]] = None
    """Countries to register it in, as ISO 3166-1 alpha-2 codes."""
    registered_entity: Optional[str] = None
    """Legal name of the company that owns the name."""
    use_case: Optional[str] = None
    """What the messages are for."""
    sample_message: Optional[str] = None
    """A typical message."""
    registration_doc_url: Union[Optional[str], Unset] = UNSET
    """Registration document."""
    notes: Union[Optional[str], Unset] = UNSET
    """What the reviewer should know."""


@dataclass(frozen=True)
class CreateSmsTemplateRequest:
    name: str
    """Name for people."""
    body: str
    """Text with placeholders: `{{name}}`."""
    slug: Optional[str] = None
    """Short name for requests; derived from the name when left out."""


@dataclass(frozen=True)
class SmsTemplate:
    id: str
    """Id of the record."""
    project_id: str
    """Id of the workspace, in the words of variant B."""
    name: str
    """Name for people."""
    slug: str
    """Short name for requests."""
    body: str
    """The text."""
    variables: List[str]
    """Names of the placeholders of the text."""
    version: int
    """Number of the version."""
    created_at: datetime
    """When it was created."""
    updated_at: datetime
    """When it last changed."""


@dataclass(frozen=True)
class SmsTemplatePage:
    data: List[SmsTemplate]
    """The records."""
    next_cursor: Optional[str] = None
    """`cursor` of the next page; left out on the last one."""


@dataclass(frozen=True)
class UpdateSmsTemplateRequest:
    name: Optional[str] = None
    """Name for people."""
    body: Optional[str] = None
    """Text with placeholders: `{{name}}`."""


@dataclass(frozen=True)
class RenderSmsTemplateRequest:
    variables: Optional[Dict[str, Union[str, float, bool]]] = None
    """Placeholders of the text."""


@dataclass(frozen=True)
class RenderedSmsTemplate:
    body: str
    """The text."""
    segments: int
    """SMS segments of the text."""
    encoding: Literal["GSM-7", "UCS-2"]
    """Alphabet of the text: `GSM-7` or `UCS-2`."""
    missing: List[str]
    """Placeholders without a value."""


@dataclass(frozen=True)
class SendEmailRequest:
    from_: str
    """One mailbox at a verified domain: `addr` or `Name <addr>`."""
    to: Union[List[str], str]
    """Recipients: one mailbox or a list. At most 50 with `cc` and `bcc`."""
    subject: str
    """The subject; it can be empty."""
    html: Optional[str] = None
    """The HTML part. Give this, `text` or both."""
    text: Optional[str] = None
    """The text part. Left out: derived from `html`; empty: none."""
    cc: Optional[Union[List[str], str]] = None
    """Recipients of copies."""
    bcc: Optional[Union[List[str], str]] = None
    """Recipients of blind copies."""
    reply_to: Optional[Union[List[str], str]] = None
    """Where answers go."""
    headers: Optional[Dict[str, str]] = None
    """Further headers. Those that the service writes itself are refused."""
    attachments: Optional[List[SendEmailRequestAttachment]] = None
    """Attached files. The finished message has at most 10 MiB."""
    tags: Optional[List[str]] = None
    """Words to find the email by: letters, digits, - and _."""
    category: Optional[Literal["transactional", "marketing"]] = None
    """Marketing email carries one-click unsubscribe."""
    track_opens: Optional[bool] = None
    """Counts opens with a hidden image."""
    track_clicks: Optional[bool] = None
    """Counts clicks on links of the HTML."""
    send_at: Optional[Union[datetime, str]] = None
    """When to send: RFC 3339 with an offset, at most 30 days ahead."""
    metadata: Optional[Dict[str, Any]] = None
    """The caller's own data. Numbers are doubles: put longer ones into a text."""
    quote_id: Optional[str] = None
    """Id of a quote that fixes the price."""


@dataclass(frozen=True)
class SentEmail:
    id: str
    """Id of the record."""
    status: Literal["scheduled", "queued", "sent", "delivered", "bounced", "complained", "failed", "cancelled"]
    """State of the record."""


@dataclass(frozen=True)
class EmailBatch:
    accepted: int
    """How many items were accepted."""
    failed: int
    """How many items were refused."""
    data: List[EmailBatchData]
    """The records."""


@dataclass(frozen=True)
class ListedEmailPage:
    data: List[ListedEmail]
    """The records."""
    next_cursor: Optional[str] = None
    """`cursor` of the next page; left out on the last one."""


@dataclass(frozen=True)
class Email:
    id: str
    """Id of the record."""
    project_id: str
    """Id of the workspace, in the words of variant B."""
    status: Literal["scheduled", "queued", "sent", "delivered", "bounced", "complained", "failed", "cancelled"]
    """State of the record."""
    from_: str
    """Mailbox of the sender."""
    to: List[str]
    """Mailboxes of the recipients."""
    cc: List[str]
    """Recipients of copies."""
    bcc: List[str]
    """Recipients of blind copies."""
    reply_to: List[str]
    """Where answers go."""
    subject: str
    """The subject."""
    headers: Dict[str, str]
    """Further headers of the email."""
    attachments: List[EmailAttachment]
    """Attached files, without their content."""
    tags: List[str]
    """Words to find the email by."""
    metadata: Dict[str, Any]
    """The caller's own data. Numbers are doubles: put longer ones into a text."""
    category: Literal["transactional", "marketing"]
    """What the message is for."""
    track_opens: bool
    """Whether opens are counted."""
    track_clicks: bool
    """Whether clicks are counted."""
    recipients: List[Recipient]
    """The recipients and their states."""
    message_id: str
    """The `Message-ID` of every copy."""
    cost: Cost
    """Price of the message at its acceptance."""
    open_count: int
    """Recipients who opened the email. Machines do not count."""
    click_count: int
    """Recipients who clicked a link. Machines do not count."""
    timeline: List[Timeline]
    """States of the message, oldest first."""
    provider_attempts: List[EmailProviderAttempt]
    """Hand-overs to providers, oldest first."""
    error_code: Optional[str]
    """Why the email failed; null unless it did."""
    error_message: Optional[str]
    """Why the email failed, in words."""
    test_mode: bool
    """Whether it was made with a test key."""
    send_at: Optional[datetime]
    """When to send; null for at once."""
    created_at: datetime
    """When it was created."""
    sent_at: Optional[datetime]
    """When a provider accepted the message; null until then."""
    delivered_at: Optional[datetime]
    """When the carrier reported the delivery; null until then."""
    html: Optional[str]
    """The HTML part."""
    text: Optional[str]
    """The text part."""
    content_expired: bool
    """True once the texts are no longer kept."""


@dataclass(frozen=True)
class CreateDomainRequest:
    name: str
    """The domain of the From addresses, exactly."""


@dataclass(frozen=True)
class Domain:
    id: str
    """Id of the record."""
    project_id: str
    """Id of the workspace, in the words of variant B."""
    name: str
    """The domain."""
    status: Literal["pending", "verified", "temporary_failure", "failed"]
    """State of the record."""
    records: List[DomainRecord]
    """DNS records to publish."""
    created_at: datetime
    """When it was created."""
    verified_at: Optional[datetime]
    """When the right code came; null until then."""
    last_checked_at: Optional[datetime]
    """When the records were last looked up."""


@dataclass(frozen=True)
class DomainPage:
    data: List[Domain]
    """The records."""
    next_cursor: Optional[str] = None
    """`cursor` of the next page; left out on the last one."""


@dataclass(frozen=True)
class CreateSuppressionRequest:
    address: str
    """Email address that is not sent to any more."""


@dataclass(frozen=True)
class EmailAddressSuppression:
    address: str
    """The email address, in lower case."""
    channel: Literal["email"]
    """Channel of the message."""
    origin: Literal["manual", "bounce", "complaint", "unsubscribe"]
    """Where it comes from."""
    scope: Literal["all", "marketing"]
    """Messages that the entry stops."""
    created_at: datetime
    """When it was created."""


@dataclass(frozen=True)
class SuppressionPage:
    data: List[Suppression]
    """The records."""
    next_cursor: Optional[str] = None
    """`cursor` of the next page; left out on the last one."""


@dataclass(frozen=True)
class PublicPriceList:
    credit_price: CreditPrice
    """Price of one credit."""
    updated_at: datetime
    """When it last changed."""
    countries: List[Country]
    """Countries, by ISO 3166-1 alpha-2 code."""


@dataclass(frozen=True)
class AccountBalance:
    workspace_id: str
    """Id of the workspace."""
    balance: int
    """Credits of the workspace."""
    updated_at: datetime
    """When it last changed."""


@dataclass(frozen=True)
class Quote:
    quote_id: str
    """Id of a quote that fixes the price."""
    expires_at: datetime
    """When it ends."""
    credits: int
    """Number of credits."""
    price: CreditPrice
    """Price of the message."""
    country_code: Optional[str]
    """ISO 3166-1 alpha-2 code of the destination."""
    segments: int
    """SMS segments of the text."""
    encoding: Literal["GSM-7", "UCS-2", "UTF-8"]
    """Alphabet of the text: `GSM-7` or `UCS-2`; `UTF-8` of an email."""
    rewritten: bool
    """Whether the text was changed to fit GSM-7."""
    body: str
    """The text."""
    gates: List[Gate]
    """Every check of a send, with its verdict."""
    network: Optional[str] = None
    """Name of the network."""


@dataclass(frozen=True)
class LedgerEntryPage:
    data: List[LedgerEntry]
    """The records."""
    next_cursor: Optional[str] = None
    """`cursor` of the next page; left out on the last one."""


@dataclass(frozen=True)
class EventsPage:
    data: List[Union[EventOfVariantA, EventOfVariantB]]
    """The records."""
    next_after: Optional[int] = None
    """`after` of the next page; left out on the last one."""


@dataclass(frozen=True)
class CreateWebhookRequest:
    url: str
    """HTTPS address of the receiver, on the public internet."""
    events: List[Literal["otp.sent", "otp.failed", "sms.delivered", "sms.failed", "sms.blocked", "credit_balance.topped_up", "otp.delivered", "otp.verified", "otp.expired", "sms.sent", "sms.cancelled", "credit_balance.low", "credit_balance.top_up_failed", "sender_id.approved", "sender_id.rejected", "domain.verified", "domain.failed", "prefix.throttled", "prefix.blocked", "webhook.disabled", "sms.queued", "sms.rejected", "email.queued", "email.sent", "email.delivered", "email.delayed", "email.bounced", "email.complained", "email.opened", "email.clicked", "email.failed", "email.cancelled", "email.unsubscribed", "*"]]
    """Names of the events that the endpoint gets, or `["*"]` for all of them."""
    description: Union[Optional[str], Unset] = UNSET
    """Free text for people."""


@dataclass(frozen=True)
class CreatedWebhook:
    id: str
    """Id of the record."""
    url: str
    """Address of the receiver."""
    events: List[Literal["otp.sent", "otp.failed", "sms.delivered", "sms.failed", "sms.blocked", "credit_balance.topped_up", "otp.delivered", "otp.verified", "otp.expired", "sms.sent", "sms.cancelled", "credit_balance.low", "credit_balance.top_up_failed", "sender_id.approved", "sender_id.rejected", "domain.verified", "domain.failed", "prefix.throttled", "prefix.blocked", "webhook.disabled", "sms.queued", "sms.rejected", "email.queued", "email.sent", "email.delivered", "email.delayed", "email.bounced", "email.complained", "email.opened", "email.clicked", "email.failed", "email.cancelled", "email.unsubscribed", "*"]]
    """Names of the events that the endpoint gets."""
    description: Optional[str]
    """Free text for people."""
    status: Literal["enabled", "disabled"]
    """State of the record."""
    disabled_reason: Optional[str]
    """Why it is disabled: `gone`, `failing` or `requested`."""
    created_at: datetime
    """When it was created."""
    updated_at: datetime
    """When it last changed."""
    secret: str
    """Secret that signs the deliveries."""


@dataclass(frozen=True)
class WebhookPage:
    data: List[Webhook]
    """The records."""
    next_cursor: Optional[str] = None
    """`cursor` of the next page; left out on the last one."""


@dataclass(frozen=True)
class Webhook:
    id: str
    """Id of the record."""
    url: str
    """Address of the receiver."""
    events: List[Literal["otp.sent", "otp.failed", "sms.delivered", "sms.failed", "sms.blocked", "credit_balance.topped_up", "otp.delivered", "otp.verified", "otp.expired", "sms.sent", "sms.cancelled", "credit_balance.low", "credit_balance.top_up_failed", "sender_id.approved", "sender_id.rejected", "domain.verified", "domain.failed", "prefix.throttled", "prefix.blocked", "webhook.disabled", "sms.queued", "sms.rejected", "email.queued", "email.sent", "email.delivered", "email.delayed", "email.bounced", "email.complained", "email.opened", "email.clicked", "email.failed", "email.cancelled", "email.unsubscribed", "*"]]
    """Names of the events that the endpoint gets."""
    description: Optional[str]
    """Free text for people."""
    status: Literal["enabled", "disabled"]
    """State of the record."""
    disabled_reason: Optional[str]
    """Why it is disabled: `gone`, `failing` or `requested`."""
    created_at: datetime
    """When it was created."""
    updated_at: datetime
    """When it last changed."""


@dataclass(frozen=True)
class UpdateWebhookRequest:
    url: Optional[str] = None
    """HTTPS address of the receiver, on the public internet."""
    events: Optional[List[Literal["otp.sent", "otp.failed", "sms.delivered", "sms.failed", "sms.blocked", "credit_balance.topped_up", "otp.delivered", "otp.verified", "otp.expired", "sms.sent", "sms.cancelled", "credit_balance.low", "credit_balance.top_up_failed", "sender_id.approved", "sender_id.rejected", "domain.verified", "domain.failed", "prefix.throttled", "prefix.blocked", "webhook.disabled", "sms.queued", "sms.rejected", "email.queued", "email.sent", "email.delivered", "email.delayed", "email.bounced", "email.complained", "email.opened", "email.clicked", "email.failed", "email.cancelled", "email.unsubscribed", "*"]]] = None
    """Names of the events that the endpoint gets, or `["*"]` for all of them."""
    description: Union[Optional[str], Unset] = UNSET
    """Free text for people."""
    status: Optional[Literal["enabled", "disabled"]] = None
    """A disabled endpoint gets nothing, and what was pending for it fails."""


@dataclass(frozen=True)
class RotatedSecret:
    secret: str
    """The new secret; shown only here."""
    previous_expires_at: datetime
    """Until then the old secret signs, too."""


@dataclass(frozen=True)
class TestWebhookRequest:
    type: Optional[Literal["otp.sent", "otp.failed", "sms.delivered", "sms.failed", "sms.blocked", "credit_balance.topped_up", "otp.delivered", "otp.verified", "otp.expired", "sms.sent", "sms.cancelled", "credit_balance.low", "credit_balance.top_up_failed", "sender_id.approved", "sender_id.rejected", "domain.verified", "domain.failed", "prefix.throttled", "prefix.blocked", "webhook.disabled", "sms.queued", "sms.rejected", "email.queued", "email.sent", "email.delivered", "email.delayed", "email.bounced", "email.complained", "email.opened", "email.clicked", "email.failed", "email.cancelled", "email.unsubscribed"]] = None
    """Name of the event to send; by default the first one that it subscribes to."""


@dataclass(frozen=True)
class WebhookDelivery:
    id: str
    """Id of the record."""
    webhook_id: str
    """Id of the webhook."""
    event_id: str
    """Id of the event; the same in every delivery of it."""
    event_type: Literal["otp.sent", "otp.failed", "sms.delivered", "sms.failed", "sms.blocked", "credit_balance.topped_up", "otp.delivered", "otp.verified", "otp.expired", "sms.sent", "sms.cancelled", "credit_balance.low", "credit_balance.top_up_failed", "sender_id.approved", "sender_id.rejected", "domain.verified", "domain.failed", "prefix.throttled", "prefix.blocked", "webhook.disabled", "sms.queued", "sms.rejected", "email.queued", "email.sent", "email.delivered", "email.delayed", "email.bounced", "email.complained", "email.opened", "email.clicked", "email.failed", "email.cancelled", "email.unsubscribed"]
    """Name of the event."""
    status: Literal["pending", "delivered", "failed"]
    """State of the record."""
    replay_of: Optional[str]
    """The delivery that this one repeats; null for a first one."""
    attempts: List[WebhookAttempt]
    """The attempts, oldest first."""
    next_attempt_at: Optional[datetime]
    """When the next attempt is due; null if there is none."""
    created_at: datetime
    """When it was created."""


@dataclass(frozen=True)
class WebhookDeliveryPage:
    data: List[WebhookDelivery]
    """The records."""
    next_cursor: Optional[str] = None
    """`cursor` of the next page; left out on the last one."""


@dataclass(frozen=True)
class RecoverWebhookRequest:
    since: Union[datetime, str]
    """RFC 3339 time, at most 30 days ago."""


@dataclass(frozen=True)
class WebhookRecovery:
    id: str
    """Id of the record."""
    status: Literal["running", "done"]
    """State of the record."""
    total: int
    """Deliveries that it makes."""
    done: int
    """Deliveries that were made so far."""


@dataclass(frozen=True)
class Health:
    status: Literal["ok"]
    """`ok`."""


@dataclass(frozen=True)
class Readiness:
    status: Literal["ready", "unavailable"]
    """`unavailable` is a 503."""


@dataclass(frozen=True)
class TimelineHop:
    status: Literal["sent", "delivered", "verified", "expired", "failed", "blocked", "queued", "rejected", "cancelled"]
    """State that the message reached."""
    timestamp: datetime
    """When it happened."""
    reason: Optional[str] = None
    """Why the message failed, as a stable token."""
    refunded: Optional[bool] = None
    """Whether the credits were given back."""
    provider: Optional[str] = None
    """The provider that took the message; null until then. In test mode that of the last attempt."""


@dataclass(frozen=True)
class ProviderAttempt:
    provider: str
    """The provider that took the message; null until then. In test mode that of the last attempt."""
    attempted_at: datetime
    """When the attempt began."""
    ok: bool
    """Whether the provider accepted the message."""
    provider_message_id: Optional[str] = None
    """Id that the provider gave the message."""
    error_code: Optional[str] = None
    """Why the message failed, as a code; null unless it failed."""
    error_message: Optional[str] = None
    """Why the message failed, in words."""
    late_delivery: Optional[bool] = None
    """Whether a receipt came after the message had failed."""


@dataclass(frozen=True)
class SmsBatchItem:
    to: str
    """Destination in E.164: a plus sign, then 8 to 15 digits."""
    from_: Optional[str] = None
    """Sender ID: 1 to 11 letters, digits, spaces or . & _ -, at least one letter, no space at either end."""
    body: Optional[str] = None
    """The text. Give this or `template`."""
    template: Optional[str] = None
    """Slug or id of an SMS template. Give this or `body`."""
    variables: Optional[Dict[str, Union[str, float, bool]]] = None
    """Placeholders of the text."""
    category: Optional[Literal["transactional", "promotional"]] = None
    """What the message is for. A promotional one keeps the quiet hours of its country, where the workspace has set `quiet_hours`."""
    metadata: Optional[Dict[str, Any]] = None
    """The caller's own data. Numbers are doubles: put longer ones into a text."""


@dataclass(frozen=True)
class BatchItemError:
    type: ErrorType
    """Kind of the error: match on it."""
    message: str
    """What went wrong, in words that may change."""
    field: Optional[str] = None
    """Member of the request that is wrong."""
    retry_after_seconds: Optional[int] = None
    """Seconds until the same request can succeed."""


@dataclass(frozen=True)
class EmailBatchItem:
    from_: str
    """One mailbox at a verified domain: `addr` or `Name <addr>`."""
    to: Union[List[str], str]
    """Recipients: one mailbox or a list. At most 50 with `cc` and `bcc`."""
    subject: str
    """The subject; it can be empty."""
    html: Optional[str] = None
    """The HTML part. Give this, `text` or both."""
    text: Optional[str] = None
    """The text part. Left out: derived from `html`; empty: none."""
    cc: Optional[Union[List[str], str]] = None
    """Recipients of copies."""
    bcc: Optional[Union[List[str], str]] = None
    """Recipients of blind copies."""
    reply_to: Optional[Union[List[str], str]] = None
    """Where answers go."""
    headers: Optional[Dict[str, str]] = None
    """Further headers. Those that the service writes itself are refused."""
    attachments: Optional[List[SendEmailRequestAttachment]] = None
    """Attached files. The finished message has at most 10 MiB."""
    tags: Optional[List[str]] = None
    """Words to find the email by: letters, digits, - and _."""
    category: Optional[Literal["transactional", "marketing"]] = None
    """Marketing email carries one-click unsubscribe."""
    track_opens: Optional[bool] = None
    """Counts opens with a hidden image."""
    track_clicks: Optional[bool] = None
    """Counts clicks on links of the HTML."""
    send_at: Optional[Union[datetime, str]] = None
    """When to send: RFC 3339 with an offset, at most 30 days ahead."""
    metadata: Optional[Dict[str, Any]] = None
    """The caller's own data. Numbers are doubles: put longer ones into a text."""


@dataclass(frozen=True)
class ListedEmail:
    id: str
    """Id of the record."""
    project_id: str
    """Id of the workspace, in the words of variant B."""
    status: Literal["scheduled", "queued", "sent", "delivered", "bounced", "complained", "failed", "cancelled"]
    """State of the record."""
    from_: str
    """Mailbox of the sender."""
    to: List[str]
    """Mailboxes of the recipients."""
    cc: List[str]
    """Recipients of copies."""
    bcc: List[str]
    """Recipients of blind copies."""
    reply_to: List[str]
    """Where answers go."""
    subject: str
    """The subject."""
    headers: Dict[str, str]
    """Further headers of the email."""
    attachments: List[EmailAttachment]
    """Attached files, without their content."""
    tags: List[str]
    """Words to find the email by."""
    metadata: Dict[str, Any]
    """The caller's own data. Numbers are doubles: put longer ones into a text."""
    category: Literal["transactional", "marketing"]
    """What the message is for."""
    track_opens: bool
    """Whether opens are counted."""
    track_clicks: bool
    """Whether clicks are counted."""
    recipients: List[Recipient]
    """The recipients and their states."""
    message_id: str
    """The `Message-ID` of every copy."""
    cost: Cost
    """Price of the message at its acceptance."""
    open_count: int
    """Recipients who opened the email. Machines do not count."""
    click_count: int
    """Recipients who clicked a link. Machines do not count."""
    timeline: List[Timeline]
    """States of the message, oldest first."""
    provider_attempts: List[EmailProviderAttempt]
    """Hand-overs to providers, oldest first."""
    error_code: Optional[str]
    """Why the email failed; null unless it did."""
    error_message: Optional[str]
    """Why the email failed, in words."""
    test_mode: bool
    """Whether it was made with a test key."""
    send_at: Optional[datetime]
    """When to send; null for at once."""
    created_at: datetime
    """When it was created."""
    sent_at: Optional[datetime]
    """When a provider accepted the message; null until then."""
    delivered_at: Optional[datetime]
    """When the carrier reported the delivery; null until then."""


@dataclass(frozen=True)
class DomainRecord:
    purpose: Literal["DKIM", "SPF", "MX", "DMARC", "TRACKING"]
    """What the record is for."""
    type: Literal["TXT", "MX", "CNAME"]
    """Type of the DNS record."""
    name: str
    """Name of the DNS record, in full."""
    value: str
    """Value of the record, ready to paste."""
    priority: Optional[int]
    """Priority of an MX record."""
    required: bool
    """Whether sending needs the record."""
    status: Literal["pending", "verified", "failed"]
    """Whether DNS has the record."""
    problem: Optional[str] = None
    """What disturbs, where the status is `failed`: another record, or a term that receivers refuse."""


@dataclass(frozen=True)
class QuoteOtp:
    phone_number: str
    """Destination in E.164."""
    kind: Literal["otp"] = "otp"
    """What would be sent."""
    code_length: Optional[int] = None
    """Digits of the code."""
    ttl_seconds: Optional[int] = None
    """Seconds that the code is good for."""
    language: Optional[Literal["en", "fr"]] = None
    """Language of the text."""
    metadata: Optional[Dict[str, Any]] = None
    """The caller's own data. Numbers are doubles: put longer ones into a text."""
    quote_id: Optional[str] = None
    """Id of a quote that fixes the price."""


@dataclass(frozen=True)
class QuoteTransactionalSms:
    phone_number: str
    """Destination in E.164."""
    message: str
    """The text of the message."""
    kind: Literal["sms"] = "sms"
    """What would be sent."""
    sender_id: Optional[str] = None
    """The sender ID."""
    category: Optional[Literal["transactional", "promotional"]] = None
    """What the message is for. A promotional one keeps the quiet hours of its country, where the workspace has set `quiet_hours`."""
    metadata: Optional[Dict[str, Any]] = None
    """The caller's own data. Numbers are doubles: put longer ones into a text."""
    quote_id: Optional[str] = None
    """Id of a quote that fixes the price."""


@dataclass(frozen=True)
class QuoteMessage:
    to: str
    """Destination in E.164: a plus sign, then 8 to 15 digits."""
    from_: str
    """Sender ID: 1 to 11 letters, digits, spaces or . & _ -, at least one letter, no space at either end."""
    kind: Literal["sms"] = "sms"
    """What would be sent."""
    body: Optional[str] = None
    """The text. Give this or `template`."""
    template: Optional[str] = None
    """Slug or id of an SMS template. Give this or `body`."""
    variables: Optional[Dict[str, Union[str, float, bool]]] = None
    """Placeholders of the text."""
    category: Optional[Literal["transactional", "promotional"]] = None
    """What the message is for. A promotional one keeps the quiet hours of its country, where the workspace has set `quiet_hours`."""
    send_at: Optional[Union[datetime, str]] = None
    """When to send: RFC 3339 with an offset, at most 30 days ahead."""
    metadata: Optional[Dict[str, Any]] = None
    """The caller's own data. Numbers are doubles: put longer ones into a text."""
    quote_id: Optional[str] = None
    """Id of a quote that fixes the price."""


@dataclass(frozen=True)
class QuoteEmail:
    from_: str
    """One mailbox at a verified domain: `addr` or `Name <addr>`."""
    to: Union[List[str], str]
    """Recipients: one mailbox or a list. At most 50 with `cc` and `bcc`."""
    subject: str
    """The subject; it can be empty."""
    kind: Literal["email"] = "email"
    """What would be sent."""
    html: Optional[str] = None
    """The HTML part. Give this, `text` or both."""
    text: Optional[str] = None
    """The text part. Left out: derived from `html`; empty: none."""
    cc: Optional[Union[List[str], str]] = None
    """Recipients of copies."""
    bcc: Optional[Union[List[str], str]] = None
    """Recipients of blind copies."""
    reply_to: Optional[Union[List[str], str]] = None
    """Where answers go."""
    headers: Optional[Dict[str, str]] = None
    """Further headers. Those that the service writes itself are refused."""
    attachments: Optional[List[SendEmailRequestAttachment]] = None
    """Attached files. The finished message has at most 10 MiB."""
    tags: Optional[List[str]] = None
    """Words to find the email by: letters, digits, - and _."""
    category: Optional[Literal["transactional", "marketing"]] = None
    """Marketing email carries one-click unsubscribe."""
    track_opens: Optional[bool] = None
    """Counts opens with a hidden image."""
    track_clicks: Optional[bool] = None
    """Counts clicks on links of the HTML."""
    send_at: Optional[Union[datetime, str]] = None
    """When to send: RFC 3339 with an offset, at most 30 days ahead."""
    metadata: Optional[Dict[str, Any]] = None
    """The caller's own data. Numbers are doubles: put longer ones into a text."""
    quote_id: Optional[str] = None
    """Id of a quote that fixes the price."""


@dataclass(frozen=True)
class LedgerEntry:
    id: str
    """Id of the record."""
    kind: Literal["charge", "refund", "top_up"]
    """What the entry is for."""
    credits: int
    """Number of credits."""
    balance_after: int
    """Credits of the workspace after the entry."""
    created_at: datetime
    """When it was created."""
    top_up_kind: Optional[Literal["trial", "purchase", "bonus", "adjustment"]] = None
    """Kind of the top-up."""
    message_id: Optional[str] = None
    """Id of the message."""
    payment_id: Optional[str] = None
    """Id of the payment."""
    note: Optional[str] = None
    """Free text for people."""


@dataclass(frozen=True)
class EventOfVariantA:
    event: Literal["otp.sent", "otp.failed", "sms.delivered", "sms.failed", "sms.blocked", "credit_balance.topped_up", "otp.delivered", "otp.verified", "otp.expired", "sms.sent", "sms.cancelled", "credit_balance.low", "credit_balance.top_up_failed", "sender_id.approved", "sender_id.rejected", "domain.verified", "domain.failed", "prefix.throttled", "prefix.blocked", "webhook.disabled"]
    """Name of the event."""
    timestamp: datetime
    """When it happened, in whole seconds."""
    data: Dict[str, Any]
    """The record that the event is about."""
    sequence: int
    """Number of the event in the workspace, in the order of delivery."""


@dataclass(frozen=True)
class EventOfVariantB:
    id: str
    """Id of the event; the same in every delivery."""
    type: Literal["otp.sent", "otp.failed", "sms.delivered", "sms.failed", "sms.blocked", "credit_balance.topped_up", "otp.delivered", "otp.verified", "otp.expired", "sms.sent", "sms.cancelled", "credit_balance.low", "credit_balance.top_up_failed", "sender_id.approved", "sender_id.rejected", "domain.verified", "domain.failed", "prefix.throttled", "prefix.blocked", "webhook.disabled", "sms.queued", "sms.rejected", "email.queued", "email.sent", "email.delivered", "email.delayed", "email.bounced", "email.complained", "email.opened", "email.clicked", "email.failed", "email.cancelled", "email.unsubscribed"]
    """Name of the event."""
    created_at: datetime
    """When it happened."""
    data: Dict[str, Any]
    """The record that the event is about."""
    sequence: int
    """Number of the event in the workspace, in the order of delivery."""


@dataclass(frozen=True)
class WebhookAttempt:
    attempted_at: datetime
    """When the attempt began."""
    status_code: Optional[int]
    """HTTP status of the answer; null if there was none."""
    latency_ms: int
    """How long the receiver took, in milliseconds."""
    response_body: Optional[str]
    """Start of what the receiver answered."""
    error: Optional[str]
    """What went wrong."""


@dataclass(frozen=True)
class SmsSuppression:
    address: str
    """The number, in E.164."""
    channel: Literal["sms"]
    """Channel of the message."""
    origin: Literal["opt_out"]
    """Where it comes from."""
    scope: Literal["all"]
    """Messages that the entry stops."""
    sender_id: Optional[str]
    """The sender ID that the number opted out of."""
    created_at: datetime
    """When it was created."""


@dataclass(frozen=True)
class Resend:
    resend_id: str
    """The `message_id` of the charge in the ledger."""
    created_at: datetime
    """When it was created."""
    credits: Optional[int] = None
    """Credits of the charge."""
    reason: Optional[str] = None
    """Why the message failed, as a stable token."""


@dataclass(frozen=True)
class SmsDetailsProviderAttempt:
    provider: str
    """The provider that took the message; null until then. In test mode that of the last attempt."""
    attempted_at: datetime
    """When the attempt began."""
    ok: bool
    """Whether the provider accepted the message."""
    provider_message_id: Optional[str]
    """Id that the provider gave the message."""
    error_code: Optional[str]
    """What went wrong, as a code of the provider."""
    error_message: Optional[str]
    """What went wrong, in words."""
    late_delivery: Optional[bool] = None
    """Whether a receipt came after the message had failed."""


@dataclass(frozen=True)
class Cost:
    amount_kobo: int
    """Price in kobo."""
    currency: str
    """ISO 4217 code of the currency."""


@dataclass(frozen=True)
class SmsBatchData:
    index: int
    """Place of the item in the request, from 0."""
    sms: Optional[SmsMessage] = None
    """The accepted message."""
    error: Optional[BatchItemError] = None
    """Why the item was refused; absent where it was accepted."""


@dataclass(frozen=True)
class Review:
    country: str
    """ISO 3166-1 alpha-2 code of the country."""
    status: Literal["pending", "approved", "active", "suspended", "rejected"]
    """Decision for this country."""
    rejection_reason: Optional[str]
    """Why it was rejected; null unless it was."""
    dnd_whitelisted: bool
    """Whether the sender may write to numbers on the Do Not Disturb list."""
    reviewed_at: Optional[datetime]
    """When the country was decided; null until then."""


@dataclass(frozen=True)
class SendEmailRequestAttachment:
    filename: str
    """Name of the file. Only the last segment of a path is kept."""
    content: str
    """The file in padded base64."""
    content_type: Optional[str] = None
    """Left out: derived from the name."""
    content_id: Optional[str] = None
    """Of an image that the HTML shows as `cid:<content_id>`."""


@dataclass(frozen=True)
class EmailBatchData:
    index: int
    """Place of the item in the request, from 0."""
    email: Optional[SentEmail] = None
    """Email address."""
    error: Optional[BatchItemError] = None
    """Why the item was refused; absent where it was accepted."""


@dataclass(frozen=True)
class EmailAttachment:
    filename: str
    """Name of the file."""
    content_type: str
    """Media type of the file."""
    content_id: Optional[str]
    """Name of an image that the HTML shows."""
    size_bytes: int
    """Size of the file."""


@dataclass(frozen=True)
class Bounce:
    type: Literal["permanent", "transient"]
    """`permanent`: the address gets no further email. `transient`: it may."""
    sub_type: str
    """Kind of the bounce."""
    code: Optional[str]
    """Status code of the receiving server; null without one."""
    message: Optional[str]
    """What the receiving server said."""


@dataclass(frozen=True)
class Recipient:
    address: str
    """The email address."""
    status: Literal["queued", "sent", "delivered", "bounced", "complained", "failed", "cancelled"]
    """State of the copy for this recipient."""
    bounce: Optional[Bounce] = None
    """Why the email came back."""


@dataclass(frozen=True)
class Timeline:
    status: str
    """State that the message reached."""
    timestamp: datetime
    """When it happened."""
    recipient: Optional[str] = None
    """Address of the recipient."""
    provider: Optional[str] = None
    """The provider that took the message; null until then. In test mode that of the last attempt."""
    reason: Optional[str] = None
    """Why the message failed, as a stable token."""
    refunded: Optional[bool] = None
    """Whether the credits were given back."""


@dataclass(frozen=True)
class EmailProviderAttempt:
    provider: str
    """The provider that took the message; null until then. In test mode that of the last attempt."""
    recipient: str
    """Address of the recipient."""
    attempted_at: datetime
    """When the attempt began."""
    ok: bool
    """Whether the provider accepted the message."""
    provider_message_id: Optional[str]
    """Id that the provider gave the message."""
    error_code: Optional[str]
    """What went wrong, as a code of the provider."""
    error_message: Optional[str]
    """What went wrong, in words."""


@dataclass(frozen=True)
class CreditPrice:
    amount: int
    """Price in the smallest unit of the currency."""
    currency: str
    """ISO 4217 code of the currency."""


@dataclass(frozen=True)
class Network:
    name: str
    """Name of the network."""
    mcc_mnc: List[str]
    """Codes of the network."""
    credits: int
    """Credits of a segment to this network."""


@dataclass(frozen=True)
class Country:
    country_code: str
    """ISO 3166-1 alpha-2 code of the destination."""
    name: str
    """Name of the country."""
    dial_code: str
    """International prefix of the country."""
    credits: int
    """Credits of a segment where no network has a price of its own."""
    min_credits: int
    """Lowest price of a segment."""
    max_credits: int
    """Highest price of a segment."""
    listed: bool
    """Whether the public price list shows the country."""
    networks: List[Network]
    """Networks with a price of their own."""


@dataclass(frozen=True)
class Gate:
    gate: Literal["balance", "country", "prefix", "number_limit", "sender_id", "dnd", "content"]
    """The check."""
    verdict: Literal["pass", "refuse", "warn"]
    """What the check said."""
    type: Optional[ErrorType] = None
    """Kind of the error that the send would get."""
    retry_after_seconds: Optional[int] = None
    """Seconds until the same request can succeed."""
    message: Optional[str] = None
    """What to know about the verdict."""


EventType = Literal["otp.sent", "otp.failed", "sms.delivered", "sms.failed", "sms.blocked", "credit_balance.topped_up", "otp.delivered", "otp.verified", "otp.expired", "sms.sent", "sms.cancelled", "credit_balance.low", "credit_balance.top_up_failed", "sender_id.approved", "sender_id.rejected", "domain.verified", "domain.failed", "prefix.throttled", "prefix.blocked", "webhook.disabled", "sms.queued", "sms.rejected", "email.queued", "email.sent", "email.delivered", "email.delayed", "email.bounced", "email.complained", "email.opened", "email.clicked", "email.failed", "email.cancelled", "email.unsubscribed"]
ErrorType = Literal["validation_error", "phone_invalid", "sender_id_invalid", "dnd_blocked", "domain_unverified", "address_suppressed", "authentication_error", "insufficient_credits", "quota_exceeded", "sms_quota_exceeded", "permission_error", "country_not_enabled", "prefix_blocked", "not_found", "otp_expired", "otp_already_verified", "max_attempts_exceeded", "conflict", "idempotency_conflict", "rate_limit_exceeded", "rate_limited", "internal_error", "upstream_error"]
SendEmailBatchRequest = List[EmailBatchItem]
CreateQuoteRequest = Union[QuoteOtp, QuoteTransactionalSms, QuoteMessage, QuoteEmail]
Suppression = Union[SmsSuppression, EmailAddressSuppression]
